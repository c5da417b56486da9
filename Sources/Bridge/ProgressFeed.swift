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

    /// Many sources count in whole percents, and one of them is no trend.
    private static let trendStep = 0.02
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
        let value: Double?
        if let definition = definition.value {
            value = definition.fraction { readings.value($0, totals) }
            trend?.receive(value, at: now.uptime)
        } else {
            value = window?.elapsed(at: now.wall)
        }
        evaluation.isAlive = value != nil || window != nil
        if window == nil, value == nil || definition.window != nil {
            if let ends = patience.ends(at: now.uptime) {
                evaluation.recheck = ends
                return evaluation
            }
        } else {
            patience.reset()
        }
        evaluation.recheck = recheck(window, at: now)
        var state = ProgressState(window: window, rows: definition.rows.map { $0.value { readings.value($0, totals) } })
        state.value = value
        if value != nil, definition.value != nil { state.trend = trend?.trend }
        if !evaluation.isAlive, !isAwaited(readings) {
            // The service refuses a bar without a value, so the last one stays, while all around it is renewed.
            state.value = shown?["value"]?.asNumber
            if definition.value == nil { state.window = shown.flatMap { WidgetDates(content: $0) } }
        }
        guard var content = ProgressContent.content(state: state, rows: rows, shared: widget.shared) else {
            return evaluation
        }
        // The phone moves this bar by itself, so that the time that passes is no change.
        if definition.value == nil, let window, window.end > now.wall, let value = shown?["value"] {
            var calmer = content
            calmer["value"] = value
            if let shown, ContentOwnership.owned(stored: shown, wanted: calmer) == calmer { content = calmer }
        }
        last = content
        evaluation.document = WidgetDocument(widget, content: content)
        return evaluation
    }

    /// Whether a source has not been heard since the start: what an earlier run left is better than less.
    private func isAwaited(_ readings: borrowing Readings) -> Bool {
        for reading in definition.vitalReadings where readings.hasNeverBeenHeard(reading) { return true }
        return false
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
