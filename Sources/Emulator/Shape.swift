import Readings
import Widgets

/// What a JSON value must look like: the emulator's own reading of the service's schema.
///
/// It shares nothing with the checks that the daemon makes before it sends. A mistake there is to show up as a refusal
/// here, which it could not if both asked the same code.
indirect enum Shape: Sendable {
    /// A text with so many Unicode code points.
    case text(ClosedRange<Int>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case whole(ClosedRange<Double>)
    /// `true` or `false`.
    case flag
    /// One text out of a few.
    case word([String])
    /// A colour's name in lower case, or `#RRGGBB[AA]`.
    case color
    /// A date of RFC 3339 with its offset, after the year 1999 and at most 366 days ahead.
    case date
    /// So many elements of one shape.
    case list(Shape, ClosedRange<Int>)
    /// An object that has these members and no others.
    case object([Member])
    /// An object of any members that are texts.
    case texts

    /// A member of an object.
    struct Member: Sendable {
        /// Its key.
        let key: String
        /// What its value must look like.
        let shape: Shape
        /// Whether it must be there.
        let isRequired: Bool

        /// A member that may be left out.
        static func optional(_ key: String, _ shape: Shape) -> Member {
            Member(key: key, shape: shape, isRequired: false)
        }

        /// A member that must be there.
        static func required(_ key: String, _ shape: Shape) -> Member {
            Member(key: key, shape: shape, isRequired: true)
        }
    }

    /// Any finite number, which is what every number of a parsed document is.
    static let anyNumber = Shape.number(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
}

extension Shape {
    /// Everything in a value that is not as it must be; dates are judged by the clock `now` (wall time since 1970).
    func violations(of value: JSONValue, at location: String, now: Duration) -> [Violation] {
        if let complaint = complaint(about: value, now: now) {
            return [Violation(message: complaint, location: location, value: value)]
        }
        switch (self, value) {
        case (.list(let shape, _), .array(let elements)):
            return elements.enumerated().flatMap { index, element in
                shape.violations(of: element, at: "\(location)[\(index)]", now: now)
            }
        case (.object(let members), .object(let object)):
            let missing = members.filter { $0.isRequired && object[$0.key] == nil }.map { member in
                Violation(
                    message: "expected required property \(member.key) to be present",
                    location: location,
                    value: value
                )
            }
            let present = object.flatMap { key, value in
                guard let member = members.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
                    return [Violation(message: "unexpected property", location: "\(location).\(key)", value: value)]
                }
                return member.shape.violations(of: value, at: "\(location).\(key)", now: now)
            }
            return missing + present
        case (.texts, .object(let object)):
            return object.flatMap { key, value in
                Shape.text(0...Int.max).violations(of: value, at: "\(location).\(key)", now: now)
            }
        default:
            return []
        }
    }

    /// The members, at any depth of objects, that no object of this shape has. A patch is held to this alone, because
    /// whatever else it says is judged once it is merged.
    func strangers(in value: JSONValue, at location: String) -> [Violation] {
        guard case .object(let members) = self, case .object(let object) = value else { return [] }
        return object.flatMap { key, value in
            guard let member = members.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
                return [Violation(message: "unexpected property", location: "\(location).\(key)", value: value)]
            }
            return member.shape.strangers(in: value, at: "\(location).\(key)")
        }
    }

    /// The value without the members that are null and may be: the service takes null for a list that is not there,
    /// and for nothing else.
    func withoutNullLists(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(var object) = value else { return value }
        for member in members {
            switch (member.shape, object[member.key]) {
            case (.list, .null?): object[member.key] = nil
            case (_, let inner?): object[member.key] = member.shape.withoutNullLists(inner)
            case (_, nil): break
            }
        }
        return .object(object)
    }

    /// What is wrong with a value itself, whatever its members and elements are.
    private func complaint(about value: JSONValue, now: Duration) -> String? {
        switch (self, value) {
        case (.text(let bounds), .string(let text)):
            // The service counts code points; Swift's `count` would let a family emoji of seven pass as one.
            let length = text.unicodeScalars.count
            if length < bounds.lowerBound { return "expected length >= \(bounds.lowerBound)" }
            return length > bounds.upperBound ? "expected length <= \(bounds.upperBound)" : nil
        case (.number(let bounds), .number(let number)):
            if number.value < bounds.lowerBound { return "expected number >= \(bounds.lowerBound)" }
            return number.value > bounds.upperBound ? "expected number <= \(bounds.upperBound)" : nil
        case (.number, _):
            return "expected number"
        case (.whole(let bounds), .number(let number)):
            if number.value != number.value.rounded() { return "expected integer" }
            return Shape.number(bounds).complaint(about: value, now: now)
        case (.whole, _):
            return "expected integer"
        case (.flag, .bool):
            return nil
        case (.flag, _):
            return "expected boolean"
        case (.word(let words), .string(let word)):
            if words.contains(where: { $0.utf8.elementsEqual(word.utf8) }) { return nil }
            return "expected value to be one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case (.color, .string(let color)):
            return Shape.isColor(color) ? nil : "expected a named color or #RRGGBB[AA]"
        case (.date, .string(let text)):
            return Shape.complaint(aboutDate: text, now: now)
        case (.date, _):
            return "expected string to be RFC 3339 date-time"
        case (.list(_, let bounds), .array(let elements)):
            if elements.count < bounds.lowerBound { return "expected array length >= \(bounds.lowerBound)" }
            return elements.count > bounds.upperBound ? "expected array length <= \(bounds.upperBound)" : nil
        case (.list, _):
            return "expected array"
        case (.object, .object), (.texts, .object):
            return nil
        case (.object, _), (.texts, _):
            return "expected object"
        case (.text, _), (.word, _), (.color, _):
            return "expected string"
        }
    }

    private static func complaint(aboutDate text: String, now: Duration) -> String? {
        guard let date = RFC3339.parse(text) else { return "expected string to be RFC 3339 date-time" }
        // 2000-01-01T00:00:00Z: milliseconds that were taken for seconds land far outside of this window.
        if date <= .seconds(946_684_800) { return "date must be after 2000-01-01T00:00:00Z" }
        return date > now + .seconds(366 * 86_400) ? "date must be at most 366 days ahead" : nil
    }

    private static func isColor(_ text: String) -> Bool {
        if colorNames.contains(text) { return true }
        guard text.utf8.first == UInt8(ascii: "#") else { return false }
        let digits = text.utf8.dropFirst()
        return [6, 8].contains(digits.count) && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private static let colorNames: Set = [
        "red", "orange", "yellow", "green", "blue", "purple", "pink", "indigo", "teal", "cyan", "mint", "brown",
    ]
}
