internal import Bridge
internal import Readings

/// How much a configuration holds, for the last line of a check.
public struct ConfigurationSummary: Sendable, Equatable, CustomStringConvertible {
    /// Named readings.
    public let readings: Int
    /// Widgets.
    public let widgets: Int
    /// Distinct topics and filters to subscribe to, those of availability among them.
    public let subscriptions: Int

    /// Counts.
    public init(_ settings: Settings) {
        readings = settings.bridge.readings.count
        widgets = settings.bridge.widgets.count
        let filters = settings.bridge.readings.flatMap { [$0.topic, $0.available?.topic].compactMap(\.self) }
        // Bytes, since the broker takes differently composed letters for different topics.
        subscriptions = Set(filters.map { Array($0.description.utf8) }).count
    }

    /// `5 readings, 1 widget, 4 subscriptions`.
    public var description: String {
        [(readings, "reading"), (widgets, "widget"), (subscriptions, "subscription")]
            .map { count, noun in "\(count) \(noun)\(count == 1 ? "" : "s")" }
            .joined(separator: ", ")
    }
}
