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

    /// The last time from `start` to `end`, that day or the next, which had begun by `wall`.
    ///
    /// Where the clocks are put forward over its start, little may be left of it or nothing: 02:30, which stands where 03:30
    /// does then, to 03:00 is no time at all. Such a day has none, and the one before is the last.
    public func lastWindow(from start: TimeOfDay, to end: TimeOfDay, begunBy wall: Duration) -> Range<Duration> {
        let today = day(of: wall).number
        let nights = end.minutes > start.minutes ? 0 : 1
        func window(_ day: Int) -> Range<Duration>? {
            let (begins, ends) = (instant(of: start, onDay: day), instant(of: end, onDay: day + nights))
            return begins < ends && begins <= wall ? begins..<ends : nil
        }
        let windows = (today - 3...today + 1).reversed().lazy.compactMap(window)
        // No zone has skipped three days in a row.
        return windows.first ?? wall..<wall
    }

    private func instant(of time: TimeOfDay, onDay number: Int) -> Duration {
        .seconds(instant(ofLocal: number * 86_400 + time.minutes * 60))
    }
}
