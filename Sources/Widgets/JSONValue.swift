/// Any JSON value (RFC 8259).
public enum JSONValue: Sendable {
    /// `null`: in a merge patch it removes a member.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A finite number.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// A whole number.
    public init(_ whole: Int) {
        self = .number(JSONNumber(whole))
    }

    /// A number, or `nil` when it is NaN or infinite.
    public init?(_ number: Double) {
        guard let number = JSONNumber(number) else { return nil }
        self = .number(number)
    }

    /// The number, or `nil` when it is anything else; a bool is not a number.
    public var asNumber: Double? {
        if case .number(let number) = self { number.value } else { nil }
    }

    /// The text, or `nil` when it is anything else.
    public var asString: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements, or `nil` when it is anything else.
    public var asArray: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The object, or `nil` when it is anything else.
    public var asObject: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension JSONValue: Equatable {
    /// Texts are compared by their bytes, objects without regard to order, numbers by value (`1` is `1.0`).
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        // Canonically equivalent texts are two texts to the service, so a change from one to the other must be sent.
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A bool that stands in the source.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number that stands in the source.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(integerLiteral: value)) }

    /// A number that stands in the source.
    public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }

    /// A text that stands in the source.
    public init(stringLiteral value: String) { self = .string(value) }

    /// An array that stands in the source.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object that stands in the source. Of members with the same key the last one wins.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in members { object[key] = value }
        self = .object(object)
    }
}
