internal import CSimdjson

extension JSONValue {
    /// How deep arrays and objects may nest in a parsed text, so that no walk over a value can exhaust the stack.
    public static let maximumDepth = 64

    /// How many members an object may have in a parsed text, so that finding members one by one stays cheap.
    public static let maximumMembers = 1024

    /// Reads one JSON text (RFC 8259). Of members with the same key the last one wins.
    public init(parsing bytes: [UInt8]) throws(JSONParseError) {
        self = try bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONParseError) in try JSONValue(parsing: bytes) }
        }.get()
    }

    /// Reads one JSON text (RFC 8259). Of members with the same key the last one wins.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(JSONParseError) {
        var builder = Builder()
        let result = withUnsafeMutablePointer(to: &builder) { builder in
            fb_document_walk(
                bytes.bindMemory(to: UInt8.self).baseAddress,
                bytes.count,
                JSONValue.maximumDepth,
                builder
            ) { context, event in
                context.assumingMemoryBound(to: Builder.self).pointee.take(event.pointee)
            }
        }
        if let reason = builder.refusal ?? result.reason { throw JSONParseError(reason) }
        guard let root = builder.root else { throw JSONParseError(.badSyntax) }
        self = root
    }
}

extension fb_document_result {
    fileprivate var reason: JSONParseError.Reason? {
        switch self {
        case fb_document_done: nil
        case fb_document_empty: .empty
        case fb_document_too_deep: .tooDeep
        case fb_document_bad_utf8: .notUTF8
        case fb_document_bad_number: .badNumber
        case fb_document_bad_string: .badString
        case fb_document_too_large, fb_document_out_of_memory: .tooLarge
        default: .badSyntax
        }
    }
}

/// Puts the steps of a walk together again.
private struct Builder {
    /// A container whose end is yet to come.
    private enum Open {
        case array([JSONValue])
        case object(JSONObject, key: String)
    }

    private(set) var root: JSONValue?
    private(set) var refusal: JSONParseError.Reason?
    private var open: [Open] = []

    /// Takes a step; `false` ends the walk.
    mutating func take(_ event: fb_document_event) -> Bool {
        switch event.kind {
        case fb_document_null: return add(.null)
        case fb_document_false: return add(.bool(false))
        case fb_document_true: return add(.bool(true))
        case fb_document_number:
            guard let number = JSONNumber(event.number) else { return refuse(.badNumber) }
            return add(.number(number))
        case fb_document_string:
            return add(.string(text(of: event)))
        case fb_document_key:
            guard case .object(let object, _) = open.popLast() else { return refuse(.badSyntax) }
            open.append(.object(object, key: text(of: event)))
            return true
        case fb_document_array_begins:
            open.append(.array([]))
            return true
        case fb_document_object_begins:
            open.append(.object(JSONObject(), key: ""))
            return true
        default: return close()
        }
    }

    private mutating func close() -> Bool {
        switch open.popLast() {
        case .array(let elements): add(.array(elements))
        case .object(let object, _): add(.object(object))
        case nil: refuse(.badSyntax)
        }
    }

    private mutating func add(_ value: JSONValue) -> Bool {
        // The container is taken out before it grows: held in two places, each new element would copy it whole.
        switch open.popLast() {
        case .array(var elements):
            elements.append(value)
            open.append(.array(elements))
        case .object(var object, let key):
            object[key] = value
            guard object.count <= JSONValue.maximumMembers else { return refuse(.tooManyMembers) }
            open.append(.object(object, key: key))
        case nil:
            root = value
        }
        return true
    }

    private mutating func refuse(_ reason: JSONParseError.Reason) -> Bool {
        refusal = reason
        return false
    }

    private func text(of event: fb_document_event) -> String {
        String(decoding: UnsafeBufferPointer(start: event.text, count: event.length), as: UTF8.self)
    }
}
