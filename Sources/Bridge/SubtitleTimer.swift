public import EnergyFlow
import Readings
import Widgets

/// A time below the heading that the phone counts by itself, up from a date that is past or down to one ahead.
public struct SubtitleTimer: Sendable, Equatable {
    /// How the time looks.
    public enum Style: String, Sendable {
        /// As a clock: `01:23:45`. It is what the app does unasked.
        case timer
        /// Coarsely: `5 min`.
        case relative
    }

    /// What tells the date.
    public var moment: MomentSource
    /// How it looks; `nil` leaves that to the app.
    public var style: Style?

    /// Makes a timer.
    public init(_ moment: MomentSource, style: Style? = nil) {
        self.moment = moment
        self.style = style
    }

    /// Whether a report that says the same as the one before moves the date.
    var followsReports: Bool {
        if case .timestamp = moment { false } else { true }
    }
}

/// What turns a reading into the timer of one widget. A date that is near enough is left alone.
struct TimerFeed: Sendable {
    private let timer: SubtitleTimer
    private var patience = Patience()
    private var last: Duration?

    init(_ timer: SubtitleTimer) {
        self.timer = timer
    }

    /// The content's member; `nil` while there is nothing to count.
    /// - Parameter recheck: is made earlier where the member changes by time alone.
    mutating func member(
        _ readings: borrowing Readings,
        held: JSONObject?,
        at now: Moment,
        recheck: inout Duration?
    ) -> JSONValue? {
        last = date(readings, shown: TimerFeed.date(held) ?? last, at: now, recheck: &recheck)
        return last.map { date in
            var member: JSONObject = ["date": .string(RFC3339.text(date))]
            member["style"] = timer.style.map { .string($0.rawValue) }
            return .object(member)
        }
    }

    private mutating func date(
        _ readings: borrowing Readings,
        shown: Duration?,
        at now: Moment,
        recheck: inout Duration?
    ) -> Duration? {
        guard readings.value(timer.moment.reading) != nil else {
            guard let shown, let ends = patience.ends(at: now.uptime) else { return nil }
            recheck = min(recheck ?? ends, ends)
            return shown
        }
        patience.reset()
        // The service bounds it like the dates of the content.
        guard let date = readings.moment(timer.moment, at: now),
            let wanted = WidgetDates(start: nil, end: date, now: now.wall)
        else { return nil }
        let before = shown.flatMap { WidgetDates(start: nil, end: $0, now: now.wall) }
        return before.map { timer.moment.tolerance.accepts($0, for: wanted, now: now.wall) ? $0.end : wanted.end }
            ?? wanted.end
    }

    private static func date(_ content: JSONObject?) -> Duration? {
        content?["subtitle_timer"]?.asObject?["date"]?.asString.flatMap(RFC3339.parse)
    }
}
