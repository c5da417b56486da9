/// What a member of a content may be.
indirect enum Rule: Sendable {
    case bool
    /// Any number within the range; JSON has only finite ones.
    case number(ClosedRange<Double>)
    /// A text with so many Unicode code points.
    case text(ClosedRange<Int>)
    /// One of these texts.
    case word([String])
    /// As `WidgetColor` writes it.
    case color
    /// A date with its offset.
    case date
    /// A date with its offset that is after the year 2000 began and at most 366 days ahead.
    case windowedDate
    case list(Rule, ClosedRange<Int>)
    case object(Schema)
    /// An object of texts with names of choice, so many UTF-8 bytes in all.
    case headers(bytes: Int)
}

/// The members of an object. All others are refused.
struct Schema: Sendable {
    /// One line of the table.
    struct Member: Sendable {
        let name: String
        let rule: Rule
        let isRequired: Bool

        static func required(_ name: String, _ rule: Rule) -> Self { Self(name: name, rule: rule, isRequired: true) }

        static func optional(_ name: String, _ rule: Rule) -> Self { Self(name: name, rule: rule, isRequired: false) }
    }

    let members: [Member]
    /// What hangs together between members.
    let also: @Sendable (JSONObject) -> [Finding]

    init(_ members: [Member], also: @escaping @Sendable (JSONObject) -> [Finding] = { _ in [] }) {
        self.members = members
        self.also = also
    }
}

/// A problem whose location is still relative to its object.
struct Finding {
    let location: String
    let message: String

    init(_ location: String, _ message: String) {
        self.location = location
        self.message = message
    }
}

/// Walks through a value along its rule and notes what breaks it.
struct ContentCheck {
    let now: Duration
    private(set) var problems: [ContentProblem] = []

    init(now: Duration) {
        self.now = now
    }

    mutating func object(_ object: JSONObject, _ schema: Schema, at location: String) {
        for (key, _) in object where !schema.members.contains(where: { $0.name.hasSameBytes(as: key) }) {
            note("The service knows no such member.", at: "\(location).\(key)")
        }
        for member in schema.members {
            if let value = object[member.name] {
                self.value(value, member.rule, at: "\(location).\(member.name)")
            } else if member.isRequired {
                note("It is required.", at: "\(location).\(member.name)")
            }
        }
        for finding in schema.also(object) { note(finding.message, at: location + finding.location) }
    }

    private mutating func value(_ value: JSONValue, _ rule: Rule, at location: String) {
        switch (rule, value) {
        case (.bool, .bool): break
        case (.number(let range), .number(let number)):
            if !range.contains(number.value) { note("It must be \(Self.words(for: range)).", at: location) }
        case (.text(let range), .string(let text)):
            // The service counts code points; `count` would let a family emoji of seven pass as one.
            let count = text.unicodeScalars.count
            if count < range.lowerBound { note("It must not be empty.", at: location) }
            if count > range.upperBound {
                note("It has \(count) code points; \(range.upperBound) are allowed.", at: location)
            }
        case (.word(let words), .string(let text)):
            if !words.contains(where: { $0.hasSameBytes(as: text) }) {
                note("It must be one of \(words.joined(separator: ", ")).", at: location)
            }
        case (.color, .string(let text)):
            if !Self.isColor(text) { note("It must be a colour's name in lower case or #RRGGBB[AA].", at: location) }
        case (.date, .string(let text)):
            if RFC3339.parse(text) == nil { note("It must be a date with time and offset.", at: location) }
        case (.windowedDate, .string(let text)): windowedDate(text, at: location)
        case (.list(let rule, let counts), .array(let elements)):
            if !counts.contains(elements.count) {
                note("It has \(elements.count) elements; \(counts.upperBound) are allowed.", at: location)
            }
            for (index, element) in elements.enumerated() { self.value(element, rule, at: "\(location)[\(index)]") }
        case (.object(let schema), .object(let object)): self.object(object, schema, at: location)
        case (.headers(let limit), .object(let headers)): self.headers(headers, limit: limit, at: location)
        default: note("It must be \(Self.kind(of: rule)).", at: location)
        }
    }

    private mutating func windowedDate(_ text: String, at location: String) {
        guard let date = RFC3339.parse(text) else {
            return note("It must be a date with time and offset.", at: location)
        }
        if date <= Self.floor { note("It must be after 2000-01-01T00:00:00Z.", at: location) }
        if date > now + Self.reach { note("It must be at most 366 days ahead.", at: location) }
    }

    private mutating func headers(_ headers: JSONObject, limit: Int, at location: String) {
        var bytes = 0
        for (key, value) in headers {
            bytes += key.utf8.count + (value.asString?.utf8.count ?? 0)
            if value.asString == nil { note("It must be a text.", at: "\(location).\(key)") }
        }
        if bytes > limit { note("They have \(bytes) bytes; \(limit) are allowed.", at: location) }
    }

    private mutating func note(_ message: String, at location: String) {
        problems.append(ContentProblem(location: location, message: message))
    }

    /// 2000-01-01T00:00:00Z.
    private static let floor = Duration.seconds(946_684_800)
    /// 366 days.
    private static let reach = Duration.seconds(366 * 86_400)

    private static func isColor(_ text: String) -> Bool {
        guard let color = WidgetColor(text) else { return false }
        // The type also reads `Red` and digits without `#`; not every part of the service does.
        return color.text.hasSameBytes(as: text) || text.utf8.first == UInt8(ascii: "#")
    }

    private static func words(for range: ClosedRange<Double>) -> String {
        range.upperBound == .infinity
            ? "at least \(Int(range.lowerBound))" : "within \(Int(range.lowerBound))...\(Int(range.upperBound))"
    }

    private static func kind(of rule: Rule) -> String {
        switch rule {
        case .bool: "true or false"
        case .number: "a number"
        case .text, .word, .color, .date, .windowedDate: "a text"
        case .list: "an array"
        case .object, .headers: "an object"
        }
    }
}
