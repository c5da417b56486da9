import EnergyFlow
import Readings

extension WidgetDelivery {
    /// Begins with the widget's own budget, going on from what an earlier run noted.
    mutating func restore(_ note: SpendingNote?, calendar: LocalCalendar, at now: Moment) {
        spending = ownPlan(calendar: calendar, at: now)
        guard let note else { return }
        if let own = spending, own.whole.end == note.end { spending?.resync(left: note.left, at: now) }
        spending?.seen = note.seen
    }

    /// Takes the widget's share of the account's updates; `nil` when the account has no limit.
    ///
    /// The account's limit holds on top of the widget's own: whichever leaves fewer updates for the time decides.
    mutating func share(limit share: (limit: Int, left: Int)?, calendar: LocalCalendar, at now: Moment) {
        let seen = spending?.seen
        guard let share else {
            if policy.budget == .auto { spending = nil }
            return
        }
        if var plan = spending, plan.period == .month, plan.whole.count == share.limit {
            plan.resync(left: min(plan.left, share.left), at: now)
            spending = plan
            return
        }
        if let own = ownPlan(calendar: calendar, at: now), own.ratePerDay <= Double(share.limit) / 31 { return }
        spending = SpendingPlan(
            count: share.limit,
            per: .month,
            left: share.left,
            evening: policy.evening,
            calendar: calendar,
            at: now
        )
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

/// What a run leaves for the next about the updates of one widget: `left end seconds flowed`.
struct SpendingNote: LosslessStringConvertible {
    let left: Int
    let end: Duration
    let seen: (seconds: Double, flowed: Double)

    init(_ plan: SpendingPlan) {
        left = plan.left
        end = plan.whole.end
        seen = plan.seen
    }

    init?(_ description: String) {
        let parts = description.split(separator: " ")
        guard parts.count == 4, let left = Int(parts[0]), let end = Int64(parts[1]), let seconds = Double(parts[2]),
            let flowed = Double(parts[3]), left >= 0, seconds >= 0, flowed >= 0, seconds.isFinite, flowed.isFinite
        else { return nil }
        self.left = left
        self.end = .seconds(end)
        seen = (seconds, flowed)
    }

    var description: String {
        "\(left) \(end.components.seconds) \(seen.seconds) \(seen.flowed)"
    }
}
