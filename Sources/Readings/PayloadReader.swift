internal import CSimdjson

/// What stands at a pointer of a JSON payload. The bytes are good while the message is.
struct PayloadScalar {
    enum Kind {
        case absent
        case null
        case number(Double)
        case string
        case boolean
        case container
        /// No JSON value: a bare `NaN`, a number with a leading zero.
        case word
    }

    let kind: Kind
    /// The text as JSON would print it, without quotes.
    let text: UnsafeRawBufferPointer
}

/// Owns the JSON parser, its buffer, and what each topic wants from it.
final class PayloadReader {
    private let reader = fb_pointer_reader_create()
    private var plans: [OpaquePointer?] = []

    deinit {
        for plan in plans { fb_pointer_plan_destroy(plan) }
        fb_pointer_reader_destroy(reader)
    }

    /// Makes a plan of different pointers that are wanted from a payload. Each has its place in what `read` returns.
    func makePlan(for pointers: [JSONPointer]) -> Int {
        let plan = fb_pointer_plan_create()
        plans.append(plan)
        for pointer in pointers {
            let node = pointer.tokens.reduce(0) { node, token in
                token.withUnsafeBufferPointer { fb_pointer_plan_child(plan, node, $0.baseAddress, $0.count) }
            }
            fb_pointer_plan_want(plan, node)
        }
        return plans.count - 1
    }

    /// Reads all that a plan wants in one pass. Nil if the text is not one JSON object or array and nothing else.
    func read(_ text: UnsafeRawBufferPointer, plan: Int) -> Values? {
        let bytes = text.bindMemory(to: UInt8.self)
        return fb_pointer_read(reader, plans[plan], bytes.baseAddress, bytes.count).map(Values.init)
    }

    /// What was found, one value for each pointer of the plan. Good until the next `read`.
    struct Values {
        fileprivate let values: UnsafePointer<fb_pointer_value>

        subscript(slot: Int) -> PayloadScalar {
            let value = values[slot]
            let text = UnsafeRawBufferPointer(start: value.bytes, count: value.length)
            return switch value.kind {
            case fb_pointer_null: PayloadScalar(kind: .null, text: text)
            case fb_pointer_number: PayloadScalar(kind: .number(value.number), text: text)
            case fb_pointer_string: PayloadScalar(kind: .string, text: text)
            case fb_pointer_true, fb_pointer_false: PayloadScalar(kind: .boolean, text: text)
            case fb_pointer_container: PayloadScalar(kind: .container, text: text)
            case fb_pointer_word: PayloadScalar(kind: .word, text: text)
            default: PayloadScalar(kind: .absent, text: text)
            }
        }
    }
}
