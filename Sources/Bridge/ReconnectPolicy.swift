import Delivery

/// When to try the broker again, and in which version of MQTT.
public struct ReconnectPolicy: Sendable {
    /// A session that ends sooner counts as a failure: two clients with the same id put each other out as soon as each
    /// is in, and would do so for ever, many times a second.
    public static let shortestSession = Duration.seconds(10)

    /// Whether the broker refused MQTT 5, and is spoken to in MQTT 3.1.1 from then on.
    public private(set) var usesOldProtocol = false

    private var backoff = Backoff()
    private var random: SplitMix
    private var connectedAt: Duration?

    /// Makes a policy for a first attempt, which may begin at once.
    /// - Parameter seed: decides the jitter.
    public init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    /// What follows from the end of an attempt or a session.
    public struct Verdict: Sendable, Equatable {
        /// What kind of end it was.
        public enum Kind: Sendable, Equatable {
            /// An attempt that failed, or a session that lasted a while.
            case ordinary
            /// A session so short that another client may have the same id.
            case shortSession
            /// A refusal of MQTT 5; the next attempt speaks MQTT 3.1.1.
            case olderProtocol
        }

        /// What kind of end it was.
        public var kind: Kind
        /// How long to wait before the next attempt.
        public var wait: Duration
    }

    /// Takes note that the broker accepted a session.
    public mutating func connected(at now: Duration) {
        connectedAt = now
    }

    /// Judges the end of an attempt or a session.
    /// - Parameter protocolRefused: whether the broker said that it does not speak this version. Only that leads to the
    ///   older one: a broker that is merely ill would be talked to in it until the next start.
    public mutating func ended(protocolRefused: Bool, at now: Duration) -> Verdict {
        let session = connectedAt.map { now - $0 }
        connectedAt = nil
        if protocolRefused && !usesOldProtocol {
            usesOldProtocol = true
            return Verdict(kind: .olderProtocol, wait: .zero)
        }
        let isShort = session.map { $0 < Self.shortestSession } ?? false
        if session != nil && !isShort {
            backoff.succeed()
        }
        return Verdict(kind: isShort ? .shortSession : .ordinary, wait: backoff.fail(using: &random))
    }
}
