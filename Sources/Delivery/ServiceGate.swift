import Readings

/// What holds back every request of the process at once: the service's limit for an address, our own, a month that is
/// used up, and a key that is not valid. It keeps an eye on the account, which tells when that ends.
struct ServiceGate: Sendable {
    /// The address is shared with whatever else runs behind the same router, so we take less than a third of the
    /// service's 200 requests a minute.
    private static let mostRequestsAMinute = 60

    private var pausedUntil: Duration = .zero
    /// When the requests of the last minute went, oldest first.
    private var recent: [Duration] = []
    private var key = Key.accepted
    /// The wall time until which there are no updates, while the month is used up.
    private var spentUntil: Duration?
    /// What the account last said; `nil` until it has.
    private(set) var account: ServiceAccount?
    /// Whether the account has answered at all, or it is clear that it will not.
    private(set) var knowsAccount: Bool
    private var accountDue: Duration?
    private var accountRequest: Int?
    private var backoff = Backoff()
    private(set) var noOpCost: NoOpCost

    private enum Key: Sendable, Equatable {
        case accepted
        /// Refused: only the account is asked, ever more rarely.
        case refused(wait: Duration)
    }

    /// Makes a gate.
    /// - Parameters:
    ///   - asksAccount: whether some widget's budget is the account's.
    ///   - noOpCost: what an earlier run has measured.
    init(asksAccount: Bool, noOpCost: NoOpCost, at now: Duration) {
        self.noOpCost = noOpCost
        knowsAccount = !asksAccount
        accountDue = asksAccount ? now : nil
    }

    /// Whether a request may go now; counts it if so.
    /// - Parameter isUpdate: whether it spends an update of the account.
    mutating func admit(isUpdate: Bool, at now: Moment) -> Bool {
        guard key == .accepted, now.uptime >= pausedUntil else { return false }
        if isUpdate, let spentUntil, now.wall < spentUntil { return false }
        recent.removeAll { $0 + .seconds(60) <= now.uptime }
        guard recent.count < ServiceGate.mostRequestsAMinute else { return false }
        recent.append(now.uptime)
        return true
    }

    /// The uptime from which a request that is due at `due` may go.
    func opens(notBefore due: Duration, isUpdate: Bool, at now: Moment) -> Duration? {
        guard key == .accepted else { return nil }
        let full = recent.count >= ServiceGate.mostRequestsAMinute ? recent[0] + .seconds(60) : .zero
        var opens = max(due, pausedUntil, full)
        if isUpdate, let spentUntil, now.wall < spentUntil { opens = max(opens, now.uptime + (spentUntil - now.wall)) }
        return opens
    }

    /// When the account is to be asked.
    var nextAccountRequest: Duration? {
        accountRequest == nil ? accountDue.map { max($0, pausedUntil) } : nil
    }

    /// Takes note that the account is being asked.
    mutating func asked(id: Int, at now: Duration) {
        accountRequest = id
        recent.append(now)
    }

    /// Whether this request asks the account.
    func isAccountRequest(_ id: Int) -> Bool {
        accountRequest == id
    }

    /// Takes note of an accepted write.
    mutating func accepted(isHeartbeat: Bool, at now: Duration) {
        guard isHeartbeat else { return noOpCost.spent() }
        if noOpCost.beat(account: account) { accountDue = now }
    }

    /// Takes what an answer to a widget's request means for the whole process.
    mutating func receive(_ answer: ServiceAnswer, at now: Moment, using random: inout SplitMix) -> LogEntry? {
        switch answer {
        case .keyRefused(let reason): return refuse(reason, at: now.uptime)
        case .rateLimited(let wait): return pause(for: wait, at: now.uptime, using: &random)
        case .quotaExceeded(let reset, let reason): return exhaust(until: reset, reason, at: now, using: &random)
        default: return nil
        }
    }

    /// Takes the outcome of asking the account.
    mutating func completeAccountRequest(
        with outcome: RequestOutcome,
        at now: Moment,
        using random: inout SplitMix
    ) -> LogEntry? {
        accountRequest = nil
        guard case .response(let response) = outcome else { return failed(atLeast: nil, at: now, using: &random) }
        let answer = ServiceAnswer(to: ServicePath.account, response, at: now)
        switch answer {
        case .account(let account):
            backoff.succeed()
            return take(account, at: now)
        case .keyRefused(let reason):
            return key == .accepted ? refuse(reason, at: now.uptime) : askMoreRarely(at: now.uptime)
        case .rateLimited:
            return receive(answer, at: now, using: &random)
        case .unavailable(_, let wait):
            return failed(atLeast: wait, at: now, using: &random)
        default:
            // Without the account's word the answers to updates tell of a limit.
            knowsAccount = true
            accountDue = now.uptime + .seconds(3600)
            return nil
        }
    }

    private mutating func take(_ account: ServiceAccount, at now: Moment) -> LogEntry? {
        let hadKey = key == .accepted
        let wasLimited = self.account.map { $0.limit != nil }
        self.account = account
        let isMeasured = noOpCost.heard(account)
        knowsAccount = true
        key = .accepted
        if account.left != 0 { spentUntil = nil }
        accountDue = now.uptime + (account.limit == nil ? .seconds(6 * 3600) : .seconds(1800))
        if isMeasured {
            let cost =
                noOpCost.isFree ? "cost nothing" : "cost an update each, and go only while there are some to spare"
            return LogEntry(.notice, "Signs of life, which keep a widget from being dimmed, \(cost).")
        }
        if !hadKey { return LogEntry(.notice, "The service accepts the key again.") }
        switch (wasLimited, account.limit) {
        case (true, nil): return LogEntry(.notice, "The account has no limit of updates any more.")
        case (nil, let limit?), (false, let limit?):
            return LogEntry(
                .notice,
                "The account has \(limit) updates a month, of which \(account.left ?? 0) are left. The widgets cannot be "
                    + "live: each shows its day every evening, and the rest goes where most changes."
            )
        default: return nil
        }
    }

    /// The account does not answer. Widgets that wait for its word do so for some tries, then go on without.
    private mutating func failed(atLeast wait: Duration?, at now: Moment, using random: inout SplitMix) -> LogEntry? {
        accountDue = now.uptime + max(backoff.fail(using: &random), wait ?? .zero)
        guard !knowsAccount, backoff.failures == 6 else { return nil }
        knowsAccount = true
        return LogEntry(
            .warning,
            "The service does not tell what the account may spend; the widgets are pushed as if there were no limit."
        )
    }

    private mutating func refuse(_ reason: String, at now: Duration) -> LogEntry? {
        // What was in flight when the first was refused tells nothing new.
        guard key == .accepted else { return nil }
        key = .refused(wait: .seconds(300))
        accountDue = now + .seconds(300)
        return LogEntry(
            .error,
            "The service refuses the key (\(reason)). Nothing is sent until it accepts it: check the key under 'pushward'."
        )
    }

    private mutating func askMoreRarely(at now: Duration) -> LogEntry? {
        guard case .refused(let wait) = key else { return nil }
        let longer = min(wait * 2, .seconds(3600))
        key = .refused(wait: longer)
        accountDue = now + longer
        return nil
    }

    private mutating func pause(for wait: Duration, at now: Duration, using random: inout SplitMix) -> LogEntry? {
        let isNews = now >= pausedUntil
        // Many bridges behind one address must not come back in the same instant.
        pausedUntil = max(pausedUntil, now + wait + .seconds(Double.random(in: 0...2, using: &random)))
        guard isNews else { return nil }
        return LogEntry(.warning, "The service limits this address; all requests wait \(wait.components.seconds) s.")
    }

    private mutating func exhaust(
        until reset: Duration?,
        _ reason: String,
        at now: Moment,
        using random: inout SplitMix
    ) -> LogEntry? {
        let isNews = spentUntil == nil
        // Everybody's month begins at the same second.
        let jitter = Duration.seconds(Double.random(in: 1...60, using: &random))
        spentUntil = max(reset ?? now.wall + .seconds(3600), now.wall) + jitter
        // An upgrade lifts the limit at once, and only the account tells.
        accountDue = min(accountDue ?? .seconds(Int64.max), now.uptime + .seconds(900))
        guard isNews else { return nil }
        return LogEntry(
            .warning,
            "The account's updates are used up (\(reason)). The newest state is kept and goes when there are new ones."
        )
    }
}
