/// The account's updates in the running calendar month.
struct Quota {
    /// Whether a patch that changes nothing costs an update.
    ///
    /// The descriptions of the service contradict each other; here the update is given back once the patch turns out
    /// to change nothing. So at the limit such a patch is refused like any other: there is no update to lend it.
    static let chargesForNoChange = false

    /// What the account has paid for.
    var plan: Plan
    /// Updates in `month`.
    private(set) var used = 0
    /// The month that is counted.
    private(set) var month: CalendarMonth

    /// Starts with nothing used, in the month of `wall`.
    init(plan: Plan, at wall: Duration) {
        self.plan = plan
        month = CalendarMonth(containing: wall)
    }

    /// Starts a new count when the month has changed.
    mutating func advance(to wall: Duration) {
        let current = CalendarMonth(containing: wall)
        if current != month {
            month = current
            used = 0
        }
    }

    /// Whether the next patch would be refused.
    var isExhausted: Bool { plan.updateLimit.map { used >= $0 } ?? false }

    /// Counts a patch that was taken.
    mutating func count(changed: Bool) {
        if changed || Quota.chargesForNoChange { used += 1 }
    }
}
