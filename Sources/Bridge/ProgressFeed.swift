import Delivery
import EnergyFlow
import Readings
import Widgets

/// What turns readings into the wanted document of one progress widget.
struct ProgressFeed: Sendable {
    private let widget: WidgetDefinition
    private let definition: ProgressDefinition
    private let rows: [StatRow]
    private let calendar: LocalCalendar
    private var trend: TrendTracker?
    private var patience = Patience()
    private var last: JSONObject?
    /// When the rows were last renewed.
    private var rowsSince: Duration?

    /// Many sources count in whole percents, and one of them is no trend.
    private static let trendStep = 0.02
    /// Rows that alone have changed wait for this long: they are small print, and the bar moves by itself.
    private static let rowPause = Duration.seconds(300)
    /// A day's window and the wall clock are looked at this often.
    private static let pace = Duration.seconds(60)

    init(_ widget: WidgetDefinition, _ definition: ProgressDefinition, _ rows: [StatRow], _ calendar: LocalCalendar) {
        self.widget = widget
        self.definition = definition
        self.rows = rows
        self.calendar = calendar
        trend = definition.trend.map { TrendTracker(over: $0, step: ProgressFeed.trendStep) }
    }

    mutating func observe(_ readings: borrowing Readings, _ totals: DayTotals, at now: Moment) {
        trend?.receive(definition.value?.fraction { readings.value($0, totals) }, at: now.uptime)
    }

    mutating func beginDay(at now: Moment) {
        // A total that falls to 0 at midnight has no trend.
        if case .share = definition.value { trend?.receive(nil, at: now.uptime) }
    }

    mutating func evaluate(
        _ readings: borrowing Readings,
        _ totals: DayTotals,
        held: JSONObject?,
        at now: Moment
    ) -> WidgetFeed.Evaluation {
        var evaluation = WidgetFeed.Evaluation()
        let shown = held.flatMap { $0["template"] == "progress" ? $0 : nil } ?? last
        let window = self.window(readings, shown: shown.flatMap { WidgetDates(content: $0) }, at: now)
        if window == nil, definition.window != nil, let ends = patience.ends(at: now.uptime) {
            evaluation.recheck = ends
            return evaluation
        }
        if window != nil { patience.reset() }
        var state = ProgressState(window: window, rows: definition.rows.map { $0.value { readings.value($0, totals) } })
        if let value = definition.value {
            state.value = value.fraction { readings.value($0, totals) }
            trend?.receive(state.value, at: now.uptime)
            if state.value != nil { state.trend = trend?.trend }
        } else {
            state.value = window?.elapsed(at: now.wall)
        }
        evaluation.recheck = recheck(window, at: now)
        guard var content = ProgressContent.content(state: state, rows: rows, shared: widget.shared) else {
            return evaluation
        }
        if let shown {
            calm(&content, shown: shown, isOver: window.map { $0.end <= now.wall } ?? false, at: now, &evaluation)
        }
        if content["stat_rows"] != last?["stat_rows"] { rowsSince = now.uptime }
        last = content
        evaluation.document = WidgetDocument(widget, content: content)
        return evaluation
    }

    /// Takes back what is not worth an update by itself: a bar that the phone moves, and rows that have just been renewed.
    private func calm(
        _ content: inout JSONObject,
        shown: JSONObject,
        isOver: Bool,
        at now: Moment,
        _ evaluation: inout WidgetFeed.Evaluation
    ) {
        var calmer = content
        if definition.value == nil, !isOver, let value = shown["value"] { calmer["value"] = value }
        let rowsDue = rowsSince.map { $0 + ProgressFeed.rowPause }
        if let rowsDue, now.uptime < rowsDue, let rows = shown["stat_rows"], rows.asArray?.count == self.rows.count {
            if calmer["stat_rows"] != rows { evaluation.recheck = min(evaluation.recheck ?? rowsDue, rowsDue) }
            calmer["stat_rows"] = rows
        }
        if ContentOwnership.owned(stored: shown, wanted: calmer) == calmer { content = calmer }
    }

    private func window(_ readings: borrowing Readings, shown: WidgetDates?, at now: Moment) -> WidgetDates? {
        let start: Duration?
        let end: Duration?
        var tolerance = DateTolerance.stated
        switch definition.window {
        case nil:
            return nil
        case .readings(let first, let last):
            start = readings.moment(first, at: now)
            end = readings.moment(last, at: now)
            tolerance = last.tolerance
        case .daily(let first, let last):
            let window = calendar.lastWindow(from: first, to: last, begunBy: now.wall)
            (start, end) = (window.lowerBound, window.upperBound)
        }
        guard let start, let end, let wanted = WidgetDates(start: start, end: end, now: now.wall), wanted.start != nil
        else { return nil }
        if let shown, tolerance.accepts(shown, for: wanted, now: now.wall) { return shown }
        return wanted
    }

    private func recheck(_ window: WidgetDates?, at now: Moment) -> Duration? {
        let trendEnds = trend?.ends
        guard definition.window != nil, window != nil else { return trendEnds }
        return min(now.uptime + ProgressFeed.pace, trendEnds ?? .seconds(Int64.max))
    }
}

extension WidgetDates {
    /// The share of the window that is past, 0...1.
    fileprivate func elapsed(at wall: Duration) -> Double? {
        start.map { min(max((wall - $0) / (end - $0), 0), 1) }
    }
}
