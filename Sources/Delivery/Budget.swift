/// How many updates a widget may spend.
public enum Budget: Sendable, Equatable {
    /// What the account has, shared by all widgets that leave it to the account.
    case auto
    /// As many as are worth it.
    case unlimited
    /// So many between one local midnight and the next.
    case daily(Int)
    /// So many in a calendar month, which begins at midnight UTC as the service's do.
    case monthly(Int)
}

extension Budget: LosslessStringConvertible {
    /// Reads a budget as the configuration has it: `auto`, `unlimited`, `72/day`, `50/month`.
    public init?(_ text: String) {
        switch text {
        case "auto": self = .auto
        case "unlimited": self = .unlimited
        default:
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].allSatisfy({ ("0"..."9").contains($0) }), let count = Int(parts[0]),
                (1...1_000_000).contains(count)
            else { return nil }
            switch parts[1] {
            case "day": self = .daily(count)
            case "month": self = .monthly(count)
            default: return nil
            }
        }
    }

    /// As the configuration has it.
    public var description: String {
        switch self {
        case .auto: "auto"
        case .unlimited: "unlimited"
        case .daily(let count): "\(count)/day"
        case .monthly(let count): "\(count)/month"
        }
    }
}
