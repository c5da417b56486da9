/// How often one widget may be pushed. All times are monotonic.
public struct PushPolicy: Sendable, Equatable {
    /// The least time between two pushes of ordinary changes.
    public var every: Duration
    /// The least time between two pushes when the change is urgent: a slot that appears or goes, a sign that flips.
    public var urgent: Duration
    /// The longest that a changed frame waits for the sources that have not reported again.
    public var settle: Duration

    /// Makes a policy; the defaults suit an account without a monthly limit.
    public init(every: Duration = .seconds(60), urgent: Duration = .seconds(15), settle: Duration = .seconds(10)) {
        self.every = every
        self.urgent = urgent
        self.settle = settle
    }
}
