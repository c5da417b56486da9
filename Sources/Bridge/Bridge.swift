public import Delivery
public import EnergyFlow
public import Readings
import Widgets

/// The whole bridge as one value: messages and time go in, requests and log lines come out. It does no I/O.
public struct Bridge: ~Copyable {
    private var readings: Readings
    private var feeds: [WidgetFeed]
    private var delivery: Delivery
    private var totals: DayTotals
    private var keeping: StateKeeping
    /// The members of the widgets that the kept notes tell of.
    private var keptMembers: [String]
    private var silence: SilenceReport
    private let definitions: [ReadingDefinition]
    private let widgetNote: WidgetNote
    /// What a reading is for, by its index.
    private let uses: [Use]
    /// The widgets that the readings feed, those of one reading after those of another.
    private let fedWidgets: [Int]
    /// The readings that feed a widget, by the widget's index.
    private let readingsOfWidget: [[Int]]
    /// Reused for every message.
    private var events: [ReadingEvent] = []
    private var changes: WidgetChanges
    /// By widget, when its sources were last asked whether they still hold a frame.
    private var asked: [Duration]
    private static let askingPause = Duration.milliseconds(50)
    private var deadline: Duration?
    /// The day that the widgets know of.
    private var day: LocalDay?
    private var lines: [LogEntry] = []

    private struct Use {
        /// Positions in `fedWidgets`.
        let widgets: Range<Int>
        /// Whether the totals want its values.
        let isCounted: Bool
    }

    /// Makes a bridge that has heard nothing yet.
    /// - Parameters:
    ///   - calendar: decides which day it is.
    ///   - kept: the totals that an earlier run left.
    ///   - notes: what its delivery left.
    ///   - seed: decides the jitter; the same seed and inputs give the same outputs.
    ///   - now: the start.
    public init(
        _ definition: BridgeDefinition,
        calendar: LocalCalendar,
        restoring kept: DayTotals.State? = nil,
        notes: [String: String] = [:],
        seed: UInt64,
        at now: Moment
    ) {
        definitions = definition.readings
        readings = Readings(definition.readings, at: now.uptime) { calendar.instant(ofLocal: $0) }
        feeds = definition.widgets.map { WidgetFeed($0, readings: definition.readings, calendar: calendar, at: now) }
        delivery = Delivery(
            widgets: definition.widgets.map { ($0.widget.slug, $0.push) },
            calendar: calendar,
            restoring: notes,
            seed: seed,
            at: now
        )
        var widgets = Array(repeating: [Int](), count: definition.readings.count)
        for (index, feed) in feeds.enumerated() {
            for reading in feed.readings { widgets[reading].append(index) }
        }
        readingsOfWidget = feeds.map(\.readings)
        changes = WidgetChanges(widgets: feeds.count)
        asked = Array(repeating: now.uptime - Bridge.askingPause, count: feeds.count)
        totals = DayTotals(
            readings: definition.readings,
            flows: definition.widgets.map {
                DayTotals.Flow(name: $0.widget.slug.description, definition: $0.template.flow)
            },
            counting: definition.widgets.flatMap(\.template.counters).filter { definition.readings[$0].counts != nil },
            calendar: calendar,
            restoring: kept,
            at: now
        )
        var uses: [Use] = []
        var fedWidgets: [Int] = []
        for (reading, widgets) in widgets.enumerated() {
            let first = fedWidgets.count
            fedWidgets += widgets
            uses.append(Use(widgets: first..<fedWidgets.count, isCounted: totals.counts(reading)))
        }
        self.uses = uses
        self.fedWidgets = fedWidgets
        widgetNote = WidgetNote(definition.widgets.map(\.widget.slug))
        lines = widgetNote.departed(since: notes)
        keptMembers = delivery.ownMembers
        keeping = StateKeeping(lastKept: now.uptime)
        silence = SilenceReport(at: now.uptime)
        day = totals.day
        deadline = now.uptime
        if day != nil, let awaited = totals.awaited { lines.append(Bridge.keptTooEarly(awaited)) }
    }

    /// The topics to subscribe to.
    public var filters: [TopicFilter] {
        readings.filters
    }

    /// The uptime at which `advance` has something to do; `nil` while only a message or an answer can change that.
    public var nextDeadline: Duration? {
        changes.moment?.uptime ?? deadline
    }

    /// Takes a message. What it changes is told by the next `advance`, once `nextDeadline` has come.
    ///
    /// Messages of the same moment may follow each other without an `advance`: the widgets take note of them together,
    /// for no time has passed between them.
    public mutating func receive(
        topic: UnsafeRawBufferPointer,
        payload: UnsafeRawBufferPointer,
        retained: Bool,
        at now: Moment
    ) {
        if let moment = changes.moment, moment != now { takeChanges() }
        readings.receive(topic: topic, payload: payload, retained: retained, at: now, events: &events)
        takeEvents(at: now)
        if let due = readings.problemsDue { deadline = min(deadline ?? due, due) }
    }

    /// Lets time pass up to `now`: readings expire, frames settle, requests become due.
    public mutating func advance(to now: Moment) -> [BridgeAction] {
        takeChanges()
        if let deadline, now.uptime < deadline { return [] }
        readings.advance(to: now, events: &events)
        takeEvents(at: now)
        takeChanges()
        let hasRolled = advanceTotals(to: now)
        let silent = silence.take(at: now.uptime, definitions) { readings.hasNeverBeenHeard($0) }
        if let silent { lines.append(silent) }
        for index in feeds.indices {
            guard let due = evaluationDue(index, at: now), due <= now.uptime else { continue }
            evaluate(index, at: now)
        }
        var kept: [BridgeAction] = []
        if hasRolled || keeping.due.map({ $0 <= now.uptime }) == true { kept = keep(at: now) }
        let circumstances = circumstances(at: now)
        let requests = delivery.requests(at: now, circumstances)
        // What is set on a widget must be known after a power cut as well, or nobody would ever take it off again.
        if !requests.isEmpty, kept.isEmpty, delivery.ownMembers != keptMembers { kept = keep(at: now) }
        return kept + actions(sending: requests, circumstances, at: now)
    }

    /// Takes the outcome of a request. What follows from it is told by the next `advance`.
    public mutating func complete(_ request: Int, with outcome: RequestOutcome, at now: Moment) {
        lines += delivery.complete(request, with: outcome, at: now)
        for index in feeds.indices { feeds[index].serverAnswered(at: now) }
        deadline = now.uptime
    }

    /// The last requests before the process ends: what differs now goes, settled or not, whatever the intervals say.
    public mutating func finish(at now: Moment) -> [BridgeAction] {
        takeChanges()
        _ = advanceTotals(to: now)
        for index in feeds.indices { evaluate(index, at: now) }
        let circumstances = circumstances(at: now)
        return actions(sending: delivery.flush(at: now, circumstances), circumstances, at: now) + keep(at: now)
    }

    private mutating func takeEvents(at now: Moment) {
        guard !events.isEmpty else { return }
        for event in events {
            let use = uses[event.reading]
            if use.isCounted { count(event, at: now) }
            for index in use.widgets { changes.note(fedWidgets[index], hasChanged: event.changed, at: now) }
        }
        events.removeAll(keepingCapacity: true)
        keeping.note()
        if let due = keeping.due { deadline = min(deadline ?? due, due) }
        if totals.day != day { deadline = now.uptime }
    }

    /// Tells the widgets what the messages of one moment have changed. Once a moment, for a flood has hundreds in one.
    private mutating func takeChanges() {
        guard let now = changes.moment else { return }
        while let (widget, hasChanged) = changes.next() {
            totals.integrate(flow: widget, at: now) { reading in
                guard !readings.restsOnRetained(reading), let value = readings.value(reading) else { return nil }
                return DayTotals.Rate(value: value, until: readings.expires(reading))
            }
            feeds[widget].observe(readings, totals, at: now)
            if hasChanged || feeds[widget].followsReports { feeds[widget].settling.change(at: now.uptime) }
            // Also an unchanged report may be the one that a waiting frame still lacks.
            if let due = asks(widget, at: now) { deadline = min(deadline ?? due, due) }
        }
        if totals.day != day { deadline = now.uptime }
    }

    /// Hands a counter's value to its total.
    private mutating func count(_ event: ReadingEvent, at now: Moment) {
        guard definitions[event.reading].combine != nil else {
            totals.receive(readings.value(event.reading), of: event.reading, isFresh: event.isFresh, at: now)
            return
        }
        // What a wildcard brings are counters of their own, which do not start from zero together.
        guard let member = event.member else { return }
        totals.receive(
            readings.value(of: event.reading, member: member),
            of: event.reading,
            member: readings.topic(of: event.reading, member: member),
            isFresh: event.isFresh,
            at: now
        )
    }

    /// Lets the totals know the time. Returns whether a day has ended.
    private mutating func advanceTotals(to now: Moment) -> Bool {
        totals.advance(to: now)
        // A message may have come first, so the day is compared with what the widgets know.
        guard totals.day != day else { return false }
        let isFirst = day == nil
        day = totals.day
        // Midnight needs no message: the totals drop to 0 because time passed.
        for index in feeds.indices { feeds[index].beginDay(at: now) }
        return !isFirst
    }

    private mutating func keep(at now: Moment) -> [BridgeAction] {
        keeping.keep(at: now.uptime)
        keptMembers = delivery.ownMembers
        // A source that only reports changes makes energy without a message.
        if totals.isIntegrating { keeping.note() }
        return totals.state(at: now).map {
            [.keep($0, notes: delivery.notes.merging(widgetNote.note) { $1 }, closing: totals.takeClosedDays())]
        } ?? []
    }

    /// When to look at the widget's waiting frame. Its sources are asked again after a pause that nobody sees: in a flood the
    /// turns are a thousand a second, and a widget may have hundreds of sources.
    private mutating func asks(_ widget: Int, at now: Moment) -> Duration? {
        let again = asked[widget] + Bridge.askingPause
        guard again <= now.uptime else { return feeds[widget].settling.isWaiting ? again : nil }
        asked[widget] = now.uptime
        return settles(widget, at: now)
    }

    /// When the widget's waiting frame is settled, as far as that is known now; never too late. `nil` when none is waiting.
    private func settles(_ widget: Int, at now: Moment) -> Duration? {
        guard let earliest = feeds[widget].settling.earliest, var verdict = feeds[widget].settling.verdict else {
            return nil
        }
        // Until then it does not matter what the sources say: to ask all of them in every turn doubled the cost of a message
        // among 10,000 readings.
        guard earliest <= now.uptime else { return earliest }
        for reading in readingsOfWidget[widget] {
            verdict.consider(
                FrameSettling.Rhythm(lastReport: readings.lastFresh(reading), interval: readings.interval(reading))
            )
        }
        return verdict.uptime
    }

    /// What the delivery asks about the widgets.
    private func circumstances(at now: Moment) -> [Delivery.Circumstances] {
        feeds.map { $0.circumstances(readings, at: now) }
    }

    private func evaluationDue(_ widget: Int, at now: Moment) -> Duration? {
        // A waiting frame is looked at once it is settled, and not before.
        settles(widget, at: now) ?? feeds[widget].recheck
    }

    private mutating func evaluate(_ widget: Int, at now: Moment) {
        let held = delivery.held(widget)
        let evaluation = feeds[widget].evaluate(readings, totals, widget: widget, held: held, at: now)
        lines += evaluation.lines
        if let document = evaluation.document { delivery.want(document, forWidget: widget, at: now) }
    }

    private mutating func actions(
        sending requests: [WidgetRequest],
        _ circumstances: [Delivery.Circumstances],
        at now: Moment
    ) -> [BridgeAction] {
        lines += readings.takeProblems(at: now).map(LogEntry.init)
        let actions = lines.map(BridgeAction.log) + requests.map(BridgeAction.send)
        lines = []
        deadline = earliestDeadline(circumstances, at: now)
        return actions
    }

    private static func keptTooEarly(_ awaited: Duration) -> LogEntry {
        LogEntry(
            .warning,
            "The kept totals are of \(RFC3339.text(awaited)), which the clock has not reached. They are left alone until it "
                + "is set, and dropped if it is not within an hour."
        )
    }

    private func earliestDeadline(_ circumstances: [Delivery.Circumstances], at now: Moment) -> Duration? {
        // The wall clock may be set meanwhile, so it is looked at every minute.
        let look = Duration.seconds(60)
        let roll = now.uptime + (totals.nextRoll.map { min(max($0 - now.wall, .zero), look) } ?? look)
        let evaluation = feeds.indices.compactMap { evaluationDue($0, at: now) }.min()
        let due = delivery.nextDeadline(at: now, circumstances)
        return [readings.nextDeadline, readings.problemsDue, evaluation, due, roll, keeping.due, silence.due].compactMap
        { $0 }.min()
    }
}
