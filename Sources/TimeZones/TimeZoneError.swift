/// Why a time zone could not be had.
public struct TimeZoneError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The zone asked for.
    public let zone: String
    /// A sentence for people.
    public let description: String

    init(zone: String, reason: String) {
        self.zone = zone
        self.description = "Time zone '\(zone)' \(reason)."
    }
}
