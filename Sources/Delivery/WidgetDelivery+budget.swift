import EnergyFlow
import Readings

extension WidgetDelivery {
    /// Begins with the widget's own budget, going on from what an earlier run noted.
    mutating func restore(_ note: SpendingNote?, calendar: LocalCalendar, at now: Moment) {
        self.note = note
        begin(ownPlan(calendar: calendar, at: now), at: now)
    }

    /// Takes the widget's share of the account's updates; `nil` when the account has no limit.
    ///
    /// The account's limit holds on top of the widget's own: whichever leaves fewer updates for the time decides.
    mutating func share(limit share: (limit: Int, left: Int)?, calendar: LocalCalendar, at now: Moment) {
        let own = ownPlan(calendar: calendar, at: now)
        guard let share, own.map({ $0.ratePerDay > Double(share.limit) / 31 }) ?? true else {
            // An upgrade gives the widget its own budget back.
            if spending?.whole.count != own?.whole.count || spending?.period != own?.period { begin(own, at: now) }
            return
        }
        if sharesMonth(of: share.limit) {
            spending?.resync(left: share.left, at: now)
            return
        }
        let evening = policy.evening
        begin(
            SpendingPlan(
                count: share.limit,
                per: .month,
                left: share.left,
                evening: evening,
                calendar: calendar,
                at: now
            ),
            at: now
        )
    }

    /// Whether the widget spends so many updates a month, as its share of the account's.
    func sharesMonth(of count: Int) -> Bool {
        spending?.period == .month && spending?.whole.count == count
    }

    /// Begins a plan with what was learned under the one before, or in an earlier run.
    private mutating func begin(_ plan: SpendingPlan?, at now: Moment) {
        let seen = spending?.seen
        spending = plan
        if let note { spending?.restore(note, at: now) }
        if let seen { spending?.seen = seen }
    }

    private func ownPlan(calendar: LocalCalendar, at now: Moment) -> SpendingPlan? {
        switch policy.budget {
        case .auto, .unlimited: nil
        case .daily(let count):
            SpendingPlan(count: count, per: .day, evening: policy.evening, calendar: calendar, at: now)
        case .monthly(let count):
            SpendingPlan(count: count, per: .month, evening: policy.evening, calendar: calendar, at: now)
        }
    }
}

extension SpendingPlan {
    /// Updates a day, to compare a day's budget with a month's.
    fileprivate var ratePerDay: Double {
        Double(whole.count) / (period == .day ? 1 : 31)
    }
}

/// What a run leaves for the next about the updates of one widget: `left end evening seconds flowed`, where the evening is the
/// number of the day whose frame was shown last.
struct SpendingNote: LosslessStringConvertible, Sendable {
    let left: Int
    let end: Duration
    let shownEvening: LocalDay?
    let seen: (seconds: Double, flowed: Double)

    init(_ plan: SpendingPlan) {
        left = plan.left
        end = plan.whole.end
        shownEvening = plan.shownEvening
        seen = plan.seen
    }

    init?(_ description: String) {
        let parts = description.split(separator: " ")
        guard parts.count == 5, let left = Int(parts[0]), let end = Int64(parts[1]), let evening = Int(parts[2]),
            let seconds = Double(parts[3]), let flowed = Double(parts[4]), left >= 0, seconds >= 0, flowed >= 0,
            seconds.isFinite, flowed.isFinite
        else { return nil }
        self.left = left
        self.end = .seconds(end)
        shownEvening = evening == 0 ? nil : LocalDay(number: evening)
        seen = (seconds, flowed)
    }

    var description: String {
        "\(left) \(end.components.seconds) \(shownEvening?.number ?? 0) \(seen.seconds) \(seen.flowed)"
    }
}
