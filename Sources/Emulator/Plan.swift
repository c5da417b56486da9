/// What the account has paid for.
public enum Plan: String, Sendable, CaseIterable {
    /// 50 widget updates a calendar month.
    case free
    /// Any number of updates.
    case paid

    /// Widget updates a calendar month (UTC); `nil` for any number.
    public var updateLimit: Int? { self == .free ? 50 : nil }
}
