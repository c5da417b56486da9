/// An MQTT topic filter, parsed once (MQTT 3.1.1, section 4.7).
///
/// Topics are compared byte for byte, as brokers do: no case folding, no Unicode normalisation, and an empty level
/// (`/a`, `a//b`) is a level.
public struct TopicFilter: Sendable, CustomStringConvertible {
    /// The filter as it was written.
    public let description: String

    let levels: [Level]

    enum Level: Sendable, Equatable {
        case text([UInt8])
        /// `+`: any one level.
        case any
        /// `#`: the level before and all that is below it.
        case rest
    }

    /// The longest topic and filter that MQTT can carry, in bytes of UTF-8.
    public static let maximumLength = 65_535

    /// Parses a filter.
    ///
    /// Fails if it is empty, longer than `maximumLength`, holds a NUL, has `#` before its end or a wildcard that
    /// shares its level with other text.
    public init(_ text: String) throws(TopicFilterError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw TopicFilterError(description: "A topic cannot be empty.") }
        guard bytes.count <= Self.maximumLength else {
            throw TopicFilterError(
                description:
                    "A topic of \(bytes.count) bytes is longer than the \(Self.maximumLength) that MQTT allows."
            )
        }
        guard !bytes.contains(0) else { throw TopicFilterError(description: "A topic cannot hold a NUL character.") }

        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var levels: [Level] = []
        levels.reserveCapacity(parts.count)
        for (index, part) in parts.enumerated() {
            switch part {
            case [UInt8(ascii: "+")]:
                levels.append(.any)
            case [UInt8(ascii: "#")]:
                guard index == parts.count - 1 else {
                    throw TopicFilterError(description: "'#' can only be the last level of '\(text)'.")
                }
                levels.append(.rest)
            default:
                if let wildcard = part.first(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) {
                    let sign = Character(Unicode.Scalar(wildcard))
                    throw TopicFilterError(description: "'\(sign)' must be a whole level of its own in '\(text)'.")
                }
                levels.append(.text(Array(part)))
            }
        }
        self.description = text
        self.levels = levels
    }

    /// Whether it is a plain topic, without wildcards.
    public var isExact: Bool {
        levels.allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// Whether messages of a topic pass the filter.
    public func matches(_ topic: UnsafeRawBufferPointer) -> Bool {
        guard let first = topic.first else { return false }
        if first == UInt8(ascii: "$"), levels[0] == .any || levels[0] == .rest { return false }
        var start = 0
        for level in levels {
            if level == .rest { return true }
            guard start <= topic.count else { return false }
            let end = topic.endOfLevel(from: start)
            if case .text(let wanted) = level {
                guard wanted.elementsEqual(UnsafeRawBufferPointer(rebasing: topic[start..<end])) else { return false }
            }
            start = end + 1
        }
        return start > topic.count
    }

    /// Whether messages of a topic pass the filter.
    public func matches(_ topic: String) -> Bool {
        var topic = topic
        return topic.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
    }
}

extension TopicFilter: Hashable {
    /// Equal if written with the same bytes. (Strings with the same bytes are not what `==` on `String` compares.)
    public static func == (left: TopicFilter, right: TopicFilter) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(utf8: description)
    }
}

/// Why a text is no topic filter.
public struct TopicFilterError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that ends in a period.
    public let description: String
}

extension UnsafeRawBufferPointer {
    /// Where the topic level that begins at `start` ends: at the next slash or the end of the topic.
    func endOfLevel(from start: Int) -> Int {
        var end = start
        while end < count, self[end] != UInt8(ascii: "/") { end += 1 }
        return end
    }
}

extension Hasher {
    /// Hashes a text by its bytes, so that NFC and NFD stay two things.
    mutating func combine(utf8 text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
