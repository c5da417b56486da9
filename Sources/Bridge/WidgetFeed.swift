import Delivery
import EnergyFlow
import Readings
import Widgets

/// What turns readings into the wanted document of one widget, whatever its template.
struct WidgetFeed: Sendable {
    /// What came of looking at the readings.
    struct Evaluation {
        /// The document that the server should hold, `nil` to leave what it holds.
        var document: WidgetDocument?
        /// The uptime at which to look again although nothing was heard; `nil` for never.
        var recheck: Duration?
        /// Whether what the widget shows rests on something that is known.
        var isAlive = true
        var lines: [LogEntry] = []
    }

    private enum Template {
        case flow(FlowFeed)
        case progress(ProgressFeed)
        case countdown(CountdownFeed)
    }

    let readings: [Int]
    /// Those that the widget lives on; none when it lives on times of day.
    private let vitalReadings: [Int]
    /// Whether what is shown rested on something known when it was last looked at.
    private var isAlive = false
    var settling: FrameSettling
    /// When to look again although nothing has changed.
    private(set) var recheck: Duration?
    /// Whether a report that says the same as the one before moves the widget: so much is left *from now on*.
    let followsReports: Bool
    /// Whether the widget takes note of every report, not only of those that a frame settles on.
    private let observes: Bool
    /// Whether what the server holds decides what it should hold: dates that are near enough stay.
    private let looksAtServer: Bool
    private var template: Template
    private var timer: TimerFeed?

    init(_ plan: WidgetPlan, readings definitions: [ReadingDefinition], calendar: LocalCalendar, at now: Moment) {
        readings = plan.readings
        settling = FrameSettling(longest: plan.push.settle)
        timer = plan.timer.map(TimerFeed.init)
        let (hasTimer, timerFollows) = (plan.timer != nil, plan.timer?.followsReports == true)
        switch plan.template {
        case .flow(let flow, let appearance):
            template = .flow(FlowFeed(plan.widget, flow, appearance))
            (followsReports, observes, looksAtServer) = (timerFollows, false, hasTimer)
            vitalReadings = plan.readings
        case .progress(let definition, let rows):
            template = .progress(ProgressFeed(plan.widget, definition, rows, calendar))
            (observes, looksAtServer) = (definition.trend != nil, true)
            followsReports = definition.window != nil || timerFollows
            vitalReadings = definition.vitalReadings
        case .countdown(let definition, let text):
            template = .countdown(CountdownFeed(plan.widget, definition, text, definitions, calendar))
            (followsReports, observes, looksAtServer) = (true, true, true)
            vitalReadings = definition.vitalReadings
        }
        // What lives on times of day alone is never woken by a message.
        if readings.isEmpty { recheck = now.uptime }
    }

    /// Takes note of a report of one of the readings.
    mutating func observe(_ readings: borrowing Readings, _ totals: DayTotals, at now: Moment) {
        guard observes else { return }
        switch template {
        case .flow: break
        case .progress(var feed):
            feed.observe(readings, totals, at: now)
            template = .progress(feed)
        case .countdown(var feed):
            feed.observe(readings, at: now)
            template = .countdown(feed)
        }
    }

    /// Takes note that a new local day has begun, and its totals with it.
    mutating func beginDay(at now: Moment) {
        settling.change(at: now.uptime)
        guard case .progress(var feed) = template else { return }
        feed.beginDay(at: now)
        template = .progress(feed)
    }

    /// Takes note that the server may hold something else now.
    mutating func serverAnswered(at now: Moment) {
        if looksAtServer { recheck = now.uptime }
    }

    /// Works out what the server should hold.
    /// - Parameter held: what it certainly holds, if that is known.
    mutating func evaluate(
        _ readings: borrowing Readings,
        _ totals: DayTotals,
        widget index: Int,
        held: WidgetDocument?,
        at now: Moment
    ) -> Evaluation {
        settling.take(at: now.uptime)
        var evaluation: Evaluation
        switch template {
        case .flow(var feed):
            evaluation = feed.evaluate(readings, totals: { totals.total(of: $0, in: index) }, at: now)
            template = .flow(feed)
        case .progress(var feed):
            evaluation = feed.evaluate(readings, totals, held: held?.content, at: now)
            template = .progress(feed)
        case .countdown(var feed):
            evaluation = feed.evaluate(readings, held: held?.content, at: now)
            template = .countdown(feed)
        }
        if evaluation.document != nil, var timer {
            evaluation.document?.content["subtitle_timer"] =
                timer.member(readings, held: held?.content, at: now, recheck: &evaluation.recheck)
            self.timer = timer
        }
        recheck = evaluation.recheck
        isAlive = evaluation.isAlive
        return evaluation
    }

    /// What the delivery asks about the widget.
    func circumstances(_ readings: borrowing Readings, at now: Moment) -> Delivery.Circumstances {
        let lastSample = vitalReadings.compactMap { readings.lastFresh($0) }.max()
        // The clock is a source that never falls silent.
        let lastLife = vitalReadings.isEmpty ? now.uptime : lastSample
        return Delivery.Circumstances(
            isHeld: settling.isWaiting,
            lastSample: lastSample,
            lastLife: isAlive ? lastLife : nil
        )
    }
}

extension Readings {
    /// A reading's value; of one that counts it is today's total.
    func value(_ reading: Int, _ totals: DayTotals) -> Double? {
        totals.counts(reading) ? totals.total(ofReading: reading) : value(reading)
    }

    /// The wall time of a point in time that a reading tells.
    func moment(_ source: MomentSource, at now: Moment) -> Duration? {
        guard let value = value(source.reading), let heard = lastHeard(source.reading) else { return nil }
        return source.moment(value, heard: now.wall - (now.uptime - heard))
    }
}

extension MomentSource {
    /// What is left is a source's guess, where a point in time and what has passed are known to it.
    var tolerance: DateTolerance {
        if case .remaining = self { .reckoned } else { .stated }
    }
}

/// How long something that is not known is taken for a gap in what is heard, as when a source starts anew.
struct Patience: Sendable {
    private static let span = Duration.seconds(60)
    private var since: Duration?

    /// Takes note that it is known.
    mutating func reset() {
        since = nil
    }

    /// Takes note that it is not known. Returns when patience ends; `nil` once it has.
    mutating func ends(at now: Duration) -> Duration? {
        let since = since ?? now
        self.since = since
        return now < since + Patience.span ? since + Patience.span : nil
    }
}
