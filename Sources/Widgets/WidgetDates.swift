/// The two dates that let a widget move by itself.
public struct WidgetDates: Sendable, Equatable {
    /// The wall time at which it begins, if that is known.
    public let start: Duration?
    /// The wall time at which it ends, after `start`.
    public let end: Duration

    /// Takes two wall times, cut down to the second, or `nil` when the service would refuse the end. A start that it would
    /// refuse, or that is not before the end, is left out.
    public init?(start: Duration?, end: Duration, now: Duration) {
        guard let end = Self.allowed(end, now: now) else { return nil }
        let start = start.flatMap { Self.allowed($0, now: now) }
        self.end = end
        self.start = start.flatMap { $0 < end ? $0 : nil }
    }

    /// 2000-01-01T00:00:01Z: dates must lie after the year began.
    private static let earliest = Duration.seconds(946_684_801)
    /// The service takes 366 days ahead on its own clock, which may be a day behind.
    public static let farthest = Duration.seconds(365 * 86_400)

    private static func allowed(_ date: Duration, now: Duration) -> Duration? {
        let whole = Duration.seconds(date.components.seconds)
        return whole >= earliest && whole <= now + farthest ? whole : nil
    }

    /// Reads the dates of a content; `nil` without an end.
    public init?(content: JSONObject) {
        guard let end = content["end_date"]?.asString.flatMap(RFC3339.parse) else { return nil }
        self.end = end
        start = content["start_date"]?.asString.flatMap(RFC3339.parse)
    }

    /// The share of the time between both that is past, 0...1; `nil` without a start.
    public func elapsed(at wall: Duration) -> Double? {
        start.map { min(max((wall - $0) / (end - $0), 0), 1) }
    }

    /// Sets both in a content.
    func write(into content: inout JSONObject) {
        content["start_date"] = start.map { .string(RFC3339.text($0)) }
        content["end_date"] = .string(RFC3339.text(end))
    }
}

/// How far dates on the phone may be from those that are known now before they are worth an update.
public enum DateTolerance: Sendable, Equatable {
    /// For dates that a source states: a fiftieth of the distance, and at least a minute.
    case stated
    /// For dates that a source reckons from how it goes just now, such as the end of a charge: a sixth of the distance, and at
    /// least two minutes. A charge by the sun's surplus costs some forty updates in five hours then, and two hundred and
    /// fifty with the tolerance for what is stated.
    case reckoned
    /// For dates that follow from how a battery is used just now: 3/10 of the distance and more the farther it is,
    /// 22 minutes at an hour, 2 hours at 4, 9 hours at 12, and at least 5 minutes. Never all of the distance: an end that is
    /// past would else do for one that is hours ahead. It is as tight as 30 updates, with some to spare, allow on either captured
    /// day.
    case estimated

    /// What is allowed at this distance from now, whichever way.
    public func allowance(at distance: Duration) -> Duration {
        let distance = distance < .zero ? .zero - distance : distance
        switch self {
        case .stated:
            return max(.seconds(60), distance / 50)
        case .reckoned:
            return max(.seconds(120), distance / 6)
        case .estimated:
            let share = min(0.3 + distance / .seconds(16 * 3600), 0.75)
            return max(.seconds(300), distance * share)
        }
    }

    /// Whether what is shown need not be changed.
    public func accepts(_ shown: WidgetDates, for wanted: WidgetDates, now: Duration) -> Bool {
        guard accepts(shown.end, for: wanted.end, now: now) else { return false }
        switch (shown.start, wanted.start) {
        case (nil, nil): return true
        case (let shown?, let wanted?): return accepts(shown, for: wanted, now: now)
        default: return false
        }
    }

    private func accepts(_ shown: Duration, for wanted: Duration, now: Duration) -> Bool {
        let difference = shown < wanted ? wanted - shown : shown - wanted
        return difference <= allowance(at: wanted - now)
    }
}
