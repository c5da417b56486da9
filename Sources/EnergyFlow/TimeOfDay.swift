/// A time of the local day, to the minute.
public struct TimeOfDay: Sendable, Hashable, CustomStringConvertible {
    /// Minutes since midnight, 0..<1440.
    public let minutes: Int

    /// Makes a time, or `nil` when there is no such time.
    public init?(hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    /// `22:00`.
    public var description: String {
        let text = String(minutes / 60 * 100 + minutes % 60)
        let digits = String(repeating: "0", count: 4 - text.utf8.count) + text
        return "\(digits.prefix(2)):\(digits.suffix(2))"
    }
}

extension LocalCalendar {
    /// The first wall time after `wall` at which the zone's clocks show this time of day.
    public func next(_ time: TimeOfDay, after wall: Duration) -> Duration {
        let today = day(of: wall).number
        // A clock that was put forward may have passed the time without showing it, so that tomorrow's is not the last resort.
        let candidates = (today - 1...today + 2).map { instant(of: time, onDay: $0) }
        return candidates.first { $0 > wall } ?? instant(of: time, onDay: today + 3)
    }

    /// The last wall time up to `wall` at which the zone's clocks showed this time of day.
    public func last(_ time: TimeOfDay, notAfter wall: Duration) -> Duration {
        let today = day(of: wall).number
        let candidates = (today - 2...today + 1).map { instant(of: time, onDay: $0) }
        return candidates.last { $0 <= wall } ?? instant(of: time, onDay: today - 3)
    }

    private func instant(of time: TimeOfDay, onDay number: Int) -> Duration {
        .seconds(instant(ofLocal: number * 86_400 + time.minutes * 60))
    }
}
