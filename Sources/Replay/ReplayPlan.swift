public import Delivery

/// The budget that a replay is played under, in place of the configuration's.
public struct ReplayPlan: Sendable, Equatable {
    /// Every widget's budget.
    public var budget: Budget
    /// The updates that the account has in a calendar month; `nil` without a limit.
    public var monthlyLimit: Int?
}

extension ReplayPlan: LosslessStringConvertible {
    /// The updates a month of an account that pays nothing.
    private static let freeUpdates = 50

    /// Reads a budget as the configuration has it (`auto`, `unlimited`, `72/day`, `50/month`), or an account that all
    /// widgets share: `free` has 50 updates a month, `paid` has no limit.
    public init?(_ text: String) {
        switch text {
        case "free": self.init(budget: .auto, monthlyLimit: ReplayPlan.freeUpdates)
        case "paid": self.init(budget: .auto)
        default:
            guard let budget = Budget(text) else { return nil }
            self.init(budget: budget)
        }
    }

    /// As the command line has it.
    public var description: String {
        monthlyLimit == nil ? budget.description : "free"
    }
}
