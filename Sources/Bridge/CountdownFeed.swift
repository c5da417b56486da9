import Delivery
import EnergyFlow
import Readings
import Widgets

/// What turns readings into the wanted document of one countdown widget.
///
/// What the phone shows is left alone while it is near enough, so that an estimate that jitters costs almost nothing; and
/// once a countdown is over, its past end stays.
struct CountdownFeed: Sendable {
    private let widget: WidgetDefinition
    private let definition: CountdownDefinition
    private let expiredText: BoundedText<ExpiredTextBound>?
    private let calendar: LocalCalendar
    /// What one unit of the storage's rate adds up to in an hour.
    private let perHour: Double
    /// The rate that the estimate rests on: the whole flow need not be solved for it with every report.
    private let storageRate: SlotRate?
    private var rate = SmoothedMean(over: StorageEstimate.smoothing)
    private var level = SmoothedMean(over: StorageEstimate.levelSmoothing)
    private var isCounting = false
    private var hasHeard = false
    private var patience = Patience()
    /// With a start that is not known while the end is.
    private var startPatience = Patience()
    private var last: WidgetDates?
    private var hasWarned = false

    /// A reading that sends nothing, a time of the day and the wall clock are looked at this often.
    private static let pace = Duration.seconds(60)
    /// A smoothed rate moves between two reports as well, so that an estimate is worked out this often at least.
    private static let estimatePace = Duration.seconds(15)

    private enum Target {
        /// Not known.
        case unknown
        /// There is nothing to count to.
        case nothing
        /// The end lies farther ahead than the service takes.
        case tooFar
        case dates(WidgetDates)
    }

    init(
        _ widget: WidgetDefinition,
        _ definition: CountdownDefinition,
        _ expiredText: BoundedText<ExpiredTextBound>?,
        _ definitions: [ReadingDefinition],
        _ calendar: LocalCalendar
    ) {
        self.widget = widget
        self.definition = definition
        self.expiredText = expiredText
        self.calendar = calendar
        storageRate = if case .estimate(_, _, let flow) = definition { flow.rate(of: .storage) } else { nil }
        perHour = definition.readings.first.map { definitions[$0].unit.perHour } ?? 1
    }

    mutating func observe(_ readings: borrowing Readings, at now: Moment) {
        hasHeard = true
        guard case .estimate(_, _, let flow) = definition else { return }
        rate.receive(storageRate?.value { readings.value($0) }.map { $0 * perHour }, at: now.uptime)
        level.receive(flow.storage?.level?.value { readings.value($0) }, at: now.uptime)
    }

    mutating func evaluate(
        _ readings: borrowing Readings,
        held: JSONObject?,
        at now: Moment
    ) -> WidgetFeed.Evaluation {
        var evaluation = WidgetFeed.Evaluation()
        let shown = held.flatMap { $0["template"] == "countdown" ? WidgetDates(content: $0) : nil } ?? last
        let dates: WidgetDates
        switch target(readings, at: now) {
        case .unknown:
            evaluation.isAlive = false
            guard hasHeard else { return evaluation }
            if let ends = patience.ends(at: now.uptime) {
                evaluation.recheck = ends
                return evaluation
            }
            guard let over = over(shown, at: now) else { return evaluation }
            dates = over
        case .nothing:
            patience.reset()
            guard let over = over(shown, at: now) else { return evaluation }
            dates = over
        case .tooFar:
            patience.reset()
            if !hasWarned { evaluation.lines.append(CountdownFeed.warning(widget.slug)) }
            hasWarned = true
            // It comes nearer by itself.
            evaluation.recheck = now.uptime + CountdownFeed.pace
            guard let over = over(shown, at: now) else { return evaluation }
            dates = over
        case .dates(var wanted):
            patience.reset()
            hasWarned = false
            isCounting = wanted.end > now.wall
            if let ends = waitsForStart(readings, at: now) {
                evaluation.recheck = ends
                wanted = WidgetDates(start: shown?.start, end: wanted.end, now: now.wall) ?? wanted
            }
            dates = shown.flatMap { accepts($0, for: wanted, at: now) ? $0 : nil } ?? wanted
        }
        last = dates
        evaluation.recheck = [evaluation.recheck, recheck(at: now)].compactMap { $0 }.min()
        let content = CountdownContent.content(dates: dates, expiredText: expiredText, shared: widget.shared)
        evaluation.document = WidgetDocument(widget, content: content)
        return evaluation
    }

    /// The dates of a countdown that has nothing to count to: those that are past already, or will be before anybody minds,
    /// else an end just now.
    private mutating func over(_ shown: WidgetDates?, at now: Moment) -> WidgetDates? {
        isCounting = false
        if let shown, shown.end <= now.wall + tolerance.allowance(at: .zero) { return shown }
        return WidgetDates(start: nil, end: now.wall, now: now.wall)
    }

    /// When to give up waiting for a start that is not known; `nil` when there is nothing to wait for, or no longer.
    private mutating func waitsForStart(_ readings: borrowing Readings, at now: Moment) -> Duration? {
        guard let start = definition.start, readings.value(start.reading) == nil else {
            startPatience.reset()
            return nil
        }
        return startPatience.ends(at: now.uptime)
    }

    private func accepts(_ shown: WidgetDates, for wanted: WidgetDates, at now: Moment) -> Bool {
        // Two ends that are past look the same behind the text.
        if expiredText != nil, shown.end <= now.wall, wanted.end <= now.wall { return true }
        return tolerance.accepts(shown, for: wanted, now: now.wall)
    }

    private var tolerance: DateTolerance {
        switch definition {
        case .estimate: .estimated
        case .reading(_, let end): end.tolerance
        case .daily: .stated
        }
    }

    private func target(_ readings: borrowing Readings, at now: Moment) -> Target {
        switch definition {
        case .reading(let start, let end):
            guard readings.value(end.reading) != nil else { return .unknown }
            guard let moment = readings.moment(end, at: now) else { return .nothing }
            return target(from: start, to: moment, readings, at: now)
        case .daily(let start, let end):
            guard let start else { return target(from: nil, to: calendar.next(end, after: now.wall), at: now) }
            let window = calendar.lastWindow(from: start, to: end, begunBy: now.wall)
            return target(from: window.lowerBound, to: window.upperBound, at: now)
        case .estimate(let start, let estimate, _):
            guard let level = level.value(at: now.uptime), let rate = rate.value(at: now.uptime) else {
                return .unknown
            }
            guard let remaining = estimate.remaining(level: level, rate: rate, isCounting: isCounting) else {
                return .nothing
            }
            return target(from: start, to: now.wall + remaining, readings, at: now)
        }
    }

    private func target(
        from start: MomentSource?,
        to end: Duration,
        _ readings: borrowing Readings,
        at now: Moment
    ) -> Target {
        target(from: start.flatMap { readings.moment($0, at: now) }, to: end, at: now)
    }

    private func target(from start: Duration?, to end: Duration, at now: Moment) -> Target {
        if let dates = WidgetDates(start: start, end: end, now: now.wall) { return .dates(dates) }
        return end > now.wall ? .tooFar : .nothing
    }

    /// A tolerance shrinks as the end comes nearer, an estimate drifts, a time of day comes round, and the wall clock may
    /// be set: none of them sends a message.
    private func recheck(at now: Moment) -> Duration? {
        switch definition {
        case .estimate: now.uptime + CountdownFeed.estimatePace
        case .daily: now.uptime + CountdownFeed.pace
        case .reading: isCounting ? now.uptime + CountdownFeed.pace : nil
        }
    }

    private static func warning(_ slug: Slug) -> LogEntry {
        LogEntry(
            .warning,
            "The end of the countdown '\(slug)' is more than 365 days ahead, which the service refuses; it is shown once it is "
                + "nearer."
        )
    }
}
