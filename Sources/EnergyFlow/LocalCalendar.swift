/// The calendar days of one time zone.
///
/// A day begins at the first instant that bears its date, whatever the clocks on the wall say then: at 01:00 where
/// midnight is skipped (Africa/Cairo 2026-04-24), and once only where midnight comes twice (America/Havana 2026-11-01).
/// So days are found by looking at dates, never by adding 24 hours.
public struct LocalCalendar: Sendable, Equatable {
    /// A change of a zone's offset from UTC.
    public struct Change: Sendable, Equatable {
        /// The first second since 1970-01-01T00:00:00Z that has the new offset.
        public var start: Int
        /// Seconds east of UTC.
        public var offset: Int

        /// Makes a change.
        public init(start: Int, offset: Int) {
            self.start = start
            self.offset = offset
        }
    }

    /// The zone's IANA name.
    public let zone: String
    /// In order of time; the first holds for all time before it too, and the last for all time after.
    private let changes: [Change]

    /// The calendar of a zone that begins with `offset` (seconds east of UTC) and then changes.
    public init(zone: String, offset: Int, changes: [Change]) {
        self.zone = zone
        self.changes = [Change(start: .min, offset: offset)] + changes.sorted { $0.start < $1.start }
    }

    /// The calendar of UTC.
    public static let utc = LocalCalendar(zone: "UTC", offset: 0, changes: [])

    /// The date at a wall time since 1970-01-01T00:00:00Z.
    public func day(of wall: Duration) -> LocalDay {
        let second = wall.wholeSeconds
        return day(of: second, in: segment(of: second))
    }

    /// The first instant of the next date: the smallest later wall time whose date is later than `wall`'s.
    public func nextMidnight(after wall: Duration) -> Duration {
        let second = wall.wholeSeconds
        var segment = segment(of: second)
        let today = day(of: second, in: segment).number
        while segment + 1 < changes.endIndex {
            let midnight = (today + 1) * secondsPerDay - changes[segment].offset
            let end = changes[segment + 1].start
            if midnight < end {
                return .seconds(midnight)
            }
            segment += 1
            if day(of: end, in: segment).number > today {
                return .seconds(end)
            }
        }
        return .seconds((today + 1) * secondsPerDay - changes[segment].offset)
    }

    /// The first instant of the date at `wall`.
    public func startOfDay(at wall: Duration) -> Duration {
        let second = wall.wholeSeconds
        var segment = segment(of: second)
        let today = day(of: second, in: segment)
        while segment > 0 {
            let start = changes[segment].start
            if today.number * secondsPerDay - changes[segment].offset > start {
                break
            }
            // The date may have begun before the change: midnight comes twice in Havana.
            guard day(of: start - 1, in: segment - 1) == today else { return .seconds(start) }
            segment -= 1
        }
        return .seconds(today.number * secondsPerDay - changes[segment].offset)
    }

    /// The instant, in seconds since 1970-01-01T00:00:00Z, at which the zone's clocks show a date and time.
    ///
    /// Of a time that the clocks show twice it is the first, and one that they skip is taken as the clocks would show it had
    /// they not been put forward: 02:30 is 03:30 then.
    /// - Parameter shown: seconds since 1970-01-01T00:00:00 on these clocks, within the years that a calendar has.
    public func instant(ofLocal shown: Int) -> Int {
        let shown = min(max(shown, -1 << 40), 1 << 40)
        // A change moves clocks by a day at the very most, so that no segment but those about the instant can hold it.
        let first = segment(of: shown - secondsPerDay)
        let last = segment(of: shown + secondsPerDay)
        for index in first...last where segment(of: shown - changes[index].offset) == index {
            return shown - changes[index].offset
        }
        let skipped = (first..<last).first {
            shown - changes[$0].offset >= changes[$0 + 1].start
                && shown - changes[$0 + 1].offset < changes[$0 + 1].start
        }
        return shown - changes[skipped ?? first].offset
    }

    private var secondsPerDay: Int { 86_400 }

    private func day(of second: Int, in segment: Int) -> LocalDay {
        LocalDay(number: (second + changes[segment].offset).flooredQuotient(secondsPerDay))
    }

    /// The index of the last change that is not after the second.
    private func segment(of second: Int) -> Int {
        var low = 0
        var high = changes.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle].start <= second {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }
}

extension Duration {
    /// The seconds, rounded down, within the years that a calendar has: an absurd clock must not overflow.
    fileprivate var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(min(max(attoseconds < 0 ? seconds - 1 : seconds, -1 << 40), 1 << 40))
    }
}
