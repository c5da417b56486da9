/// An MQTT topic filter, parsed once (MQTT 3.1.1, section 4.7).
public struct TopicFilter: Sendable, Hashable, CustomStringConvertible {
    /// The filter as it was written.
    public let description: String

    /// Parses a filter.
    public init(_ text: String) throws(TopicFilterError) {
        description = text
    }

    /// Whether it is a plain topic, without wildcards.
    public var isExact: Bool { true }
}

/// Why a text is no topic filter.
public struct TopicFilterError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that ends in a period.
    public let description: String
}
