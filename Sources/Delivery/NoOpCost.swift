/// Whether a patch that changes nothing spends an update. The service's sources disagree, so it is measured, once: the
/// account is asked after the first sign of life, and compared with what it said before and what was spent since.
struct NoOpCost: Sendable, Equatable {
    private enum State: Equatable {
        case unknown
        /// Free if the account then shows no more than this as used.
        case measuring(usedIfFree: Int)
        case free
        case charged
    }

    private var state = State.unknown
    /// Updates sent since the account was last heard.
    private var spentSince = 0

    /// Goes on from what an earlier run has measured.
    init(note: String?) {
        switch note {
        case "free": state = .free
        case "charged": state = .charged
        default: break
        }
    }

    /// For the next run; `nil` until it is measured.
    var note: String? {
        switch state {
        case .unknown, .measuring: nil
        case .free: "free"
        case .charged: "charged"
        }
    }

    /// Whether signs of life cost nothing. Until it is known they are taken to cost one each.
    var isFree: Bool { state == .free }

    /// Takes note of an update that changes something.
    mutating func spent() {
        spentSince += 1
    }

    /// Takes note of an accepted sign of life. Returns whether the account is to be asked at once.
    mutating func beat(account: ServiceAccount?) -> Bool {
        guard state == .unknown, let account, account.limit != nil else { return false }
        state = .measuring(usedIfFree: account.used + spentSince)
        return true
    }

    /// Takes what the account says. Returns whether the cost has just become known.
    mutating func heard(_ account: ServiceAccount) -> Bool {
        spentSince = 0
        guard case .measuring(let usedIfFree) = state else { return false }
        state = account.used <= usedIfFree ? .free : .charged
        return true
    }
}
