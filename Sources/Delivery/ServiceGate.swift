import Readings

/// What holds back every request of the process at once: the service's limit for an address, our own, and a key that is
/// not valid.
struct ServiceGate: Sendable {
    /// The address is shared with whatever else runs behind the same router, so we take less than a third of the
    /// service's 200 requests a minute.
    private static let mostRequestsAMinute = 60

    private var pausedUntil: Duration = .zero
    /// When the requests of the last minute went, oldest first.
    private var recent: [Duration] = []
    private var key: KeyState = .accepted

    private enum KeyState: Sendable, Equatable {
        case accepted
        /// Refused: only the account is asked, ever more rarely.
        case refused(probeAt: Duration, wait: Duration)
        case probing(id: Int, wait: Duration)
    }

    /// Whether a request may go now; counts it if so.
    mutating func admit(at now: Duration) -> Bool {
        guard key == .accepted, now >= pausedUntil else { return false }
        recent.removeAll { $0 + .seconds(60) <= now }
        guard recent.count < ServiceGate.mostRequestsAMinute else { return false }
        recent.append(now)
        return true
    }

    /// The uptime from which a request that is due at `due` may go. Far away while the key is refused.
    func opens(notBefore due: Duration) -> Duration {
        guard key == .accepted else { return probeDue ?? due + .seconds(60) }
        let full = recent.count >= ServiceGate.mostRequestsAMinute ? recent[0] + .seconds(60) : .zero
        return max(due, pausedUntil, full)
    }

    /// When the account is to be asked whether the key is valid again.
    var probeDue: Duration? {
        if case .refused(let probeAt, _) = key { probeAt } else { nil }
    }

    /// Takes note that the account is being asked.
    mutating func probe(id: Int) {
        if case .refused(_, let wait) = key { key = .probing(id: id, wait: wait) }
    }

    /// Whether this request is the probe.
    func isProbe(_ id: Int) -> Bool {
        if case .probing(id, _) = key { true } else { false }
    }

    /// Takes what an answer means for the whole process.
    mutating func receive(_ answer: ServiceAnswer, at now: Duration, using random: inout SplitMix) -> LogEntry? {
        switch answer {
        case .keyRefused(let reason):
            guard key == .accepted else { return nil }
            key = .refused(probeAt: now + .seconds(300), wait: .seconds(300))
            return LogEntry(
                .error,
                "The service refuses the key (\(reason)). Nothing is sent until it accepts it: check the key under 'pushward'."
            )
        case .rateLimited(let wait):
            let isNews = now >= pausedUntil
            // Many bridges behind one address must not come back in the same instant.
            pausedUntil = max(pausedUntil, now + wait + .seconds(Double.random(in: 0...2, using: &random)))
            return isNews
                ? LogEntry(.warning, "The service limits the requests of this address; all wait \(wait.components.seconds) s.")
                : nil
        default:
            return nil
        }
    }

    /// Takes the outcome of a probe.
    mutating func completeProbe(
        with outcome: RequestOutcome,
        at now: Moment,
        using random: inout SplitMix
    ) -> LogEntry? {
        guard case .probing(_, let wait) = key else { return nil }
        if case .response(let response) = outcome,
            case .done = ServiceAnswer(to: .get, path: ServicePath.account, response, at: now)
        {
            key = .accepted
            return LogEntry(.notice, "The service accepts the key again.")
        }
        let longer = min(wait * 2, .seconds(3600))
        key = .refused(probeAt: now.uptime + longer, wait: longer)
        return nil
    }
}
