import EnergyFlow
import Readings

/// The updates of one widget under a limit: how many are left until when, and what they are for.
///
/// With a budget for the day all of them are paced. With one for the month each day's evening frame comes first if the widget
/// has one, some are kept for creating the widget again, and only the rest is paced.
struct SpendingPlan: Sendable {
    /// The stretch of time that a limit is for.
    enum Period: Sendable, Equatable {
        case day
        case month
    }

    let period: Period
    private let count: Int
    private let evening: Duration?
    private let calendar: LocalCalendar
    private(set) var left: Int
    private(set) var whole: UpdatePacer.Allowance
    private var pacer: UpdatePacer
    private(set) var shownEvening: LocalDay?
    /// What the last update was spent on, so that it can be taken back.
    private var lastSpent: Purpose?
    /// What an earlier run noted, until the clock is in its period.
    private var note: SpendingNote?

    private enum Purpose: Sendable {
        case paced
        case evening(before: LocalDay?)
    }

    /// Makes a plan for the period that `now` lies in.
    /// - Parameters:
    ///   - left: the updates left in it; `nil` when nobody knows: then what is past of it counts as spent.
    ///   - evening: the local time of day of the evening frame; `nil` without one.
    init(count: Int, per period: Period, left: Int? = nil, evening: Duration?, calendar: LocalCalendar, at now: Moment)
    {
        self.period = period
        self.count = count
        self.evening = evening
        self.calendar = calendar
        whole = SpendingPlan.whole(count, of: period, calendar: calendar, at: now.wall)
        self.left = left ?? Int((Double(count) * (1 - whole.elapsed(at: now.wall))).rounded(.up))
        pacer = UpdatePacer(whole)
        replan(at: now)
    }

    /// What an earlier run has learned of how much flows here.
    var seen: (seconds: Double, flowed: Double) {
        get { pacer.seen }
        set { pacer.restore(seen: newValue) }
    }

    /// Takes what is wrong from now on, and what flows.
    /// - Parameter lasting: the part of the error that is likely to last.
    mutating func observe(error: Double, lasting: Double, throughput: Double, at now: Moment) {
        pacer.observe(error: error, lasting: lasting, throughput: throughput, at: now.uptime)
    }

    /// Takes the number of updates that are left by somebody else's count.
    mutating func resync(left: Int, at now: Moment) {
        guard left != self.left else { return }
        self.left = left
        replan(at: now)
    }

    /// Goes on from what an earlier run noted, as soon as the clock is in the note's period: a box without a battery clock
    /// starts in another one.
    mutating func restore(_ note: SpendingNote, at now: Moment) {
        pacer.restore(seen: note.seen)
        self.note = note
        applyNote(at: now)
    }

    private mutating func applyNote(at now: Moment) {
        guard let note, note.end == whole.end else { return }
        self.note = nil
        left = min(left, note.left)
        shownEvening = note.shownEvening
        replan(at: now)
    }

    /// Goes on to the next period once this one is over.
    mutating func renew(at now: Moment) {
        // A clock that is set back does not give the updates of a period twice.
        guard now.wall >= whole.end else { return }
        whole = SpendingPlan.whole(count, of: period, calendar: calendar, at: now.wall)
        left = count
        replan(at: now)
        applyNote(at: now)
    }

    /// The uptime from which something that differs is worth an update; `nil` while nothing is left.
    func due(at now: Moment) -> Duration? {
        guard left > 0 else { return nil }
        return [pacer.due(at: now), eveningDue(at: now)].compactMap { $0 }.min()
    }

    /// Whether an update may go that is not worth one by what is wrong, such as a sign of life.
    func hasSurplus(at now: Moment) -> Bool {
        left > evenings(after: now.wall) + reserve && pacer.hasLeft
            && Double(pacer.spent) < Double(pacer.allowance.count) * pacer.allowance.elapsed(at: now.wall)
    }

    /// Counts an update; the server shows what is right now.
    mutating func spend(at now: Moment) {
        if isEvening(at: now) {
            lastSpent = .evening(before: shownEvening)
            shownEvening = calendar.day(of: now.wall)
        } else {
            lastSpent = .paced
            pacer.spend()
        }
        left = max(0, left - 1)
        pacer.clear(at: now.uptime)
    }

    /// Takes the last update back, which did not arrive.
    mutating func refund() {
        guard let lastSpent else { return }
        self.lastSpent = nil
        left += 1
        switch lastSpent {
        case .paced: pacer.refund()
        case .evening(let before): shownEvening = before
        }
    }

    /// Whether one more update keeps to the plan, for a widget that is not paced by how wrong it is.
    func isAffordable(at now: Moment) -> Bool {
        left > 0 && (isEvening(at: now) || pacer.isOnPlan(at: now.wall))
    }

    // MARK: The evening frame

    private func isEvening(at now: Moment) -> Bool {
        guard period == .month, let tonight = tonight(at: now.wall) else { return false }
        return shownEvening != calendar.day(of: now.wall) && now.wall >= tonight && isOnPlan(at: now)
    }

    private func eveningDue(at now: Moment) -> Duration? {
        guard period == .month, let tonight = tonight(at: now.wall) else { return nil }
        if isEvening(at: now) { return now.uptime }
        // Looked at again before, since the wall clock may be set.
        return tonight > now.wall ? now.uptime + min(tonight - now.wall, .seconds(120)) : nil
    }

    /// The evening of the local day that a moment lies in: a time that its clocks show, also on a day of 23 hours.
    private func tonight(at wall: Duration) -> Duration? {
        guard let evening else { return nil }
        let time = calendar.day(of: wall).number * 86_400 + Int(evening.components.seconds)
        return .seconds(calendar.instant(ofLocal: time))
    }

    /// Fewer updates than evenings are spread evenly over the evenings.
    private func isOnPlan(at now: Moment) -> Bool {
        left > evenings(after: now.wall) || Double(left) >= Double(count) * (1 - whole.elapsed(at: now.wall))
    }

    /// Evening frames that are still to come in this period after a moment.
    private func evenings(after wall: Duration) -> Int {
        guard period == .month, evening != nil else { return 0 }
        var evenings = 0
        var day = calendar.startOfDay(at: wall)
        while day < whole.end {
            if let evening = tonight(at: day), evening > wall && evening < whole.end { evenings += 1 }
            day = calendar.nextMidnight(after: day)
        }
        return evenings
    }

    /// For creating the widget again, should it be deleted.
    private var reserve: Int {
        period == .month ? min(5, count / 10) : 0
    }

    private mutating func replan(at now: Moment) {
        switch period {
        case .day:
            pacer.renew(whole, spent: count - left)
        case .month:
            // What is set aside is no part of the plan, so the rest is spread over what is left of the month.
            let paced = max(0, left - evenings(after: now.wall) - reserve)
            // Whoever was ahead of the plan still is: a new one does not give an update at once.
            let ahead = pacer.isOnPlan(at: now.wall) ? 0 : 1
            pacer.renew(UpdatePacer.Allowance(count: paced + ahead, start: now.wall, end: whole.end), spent: ahead)
        }
    }

    private static func whole(
        _ count: Int,
        of period: Period,
        calendar: LocalCalendar,
        at wall: Duration
    ) -> UpdatePacer.Allowance {
        switch period {
        case .day:
            return UpdatePacer.Allowance(
                count: count,
                start: calendar.startOfDay(at: wall),
                end: calendar.nextMidnight(after: wall),
                spread: .wakingHours
            )
        case .month:
            let day = LocalCalendar.utc.day(of: wall)
            let first = day.number - day.day + 1
            let next = LocalDay(year: day.month == 12 ? day.year + 1 : day.year, month: day.month % 12 + 1, day: 1)
            return UpdatePacer.Allowance(
                count: count,
                start: .seconds(first * 86_400),
                end: .seconds((next?.number ?? first + 31) * 86_400)
            )
        }
    }
}
