/// How often one widget may be pushed, and for what.
public struct PushPolicy: Sendable, Equatable {
    /// The least time between two pushes of ordinary changes.
    public var every: Duration
    /// The least time between two pushes when the change is urgent: a slot that appears or goes, a sign that flips.
    public var urgent: Duration
    /// The longest that a changed frame waits for the sources that have not reported again.
    public var settle: Duration
    /// The changes that never start a push.
    public var deadband: Deadband
    /// How many updates may be spent.
    public var budget: Budget
    /// The local time of day, since midnight, at which a flow with a monthly budget shows the day with its totals; `nil` for
    /// widgets that have no day to show.
    public var evening: Duration?
    /// Whether the phone shows the age of the data, which costs nothing: it counts by itself.
    public var showsAge: Bool

    /// Makes a policy; the defaults suit an account without a monthly limit.
    public init(
        every: Duration = .seconds(60),
        urgent: Duration = .seconds(15),
        settle: Duration = .seconds(10),
        deadband: Deadband = .standard(unit: "W"),
        budget: Budget = .auto,
        evening: Duration? = .seconds(21 * 3600),
        showsAge: Bool = false
    ) {
        self.every = every
        self.urgent = urgent
        self.settle = settle
        self.deadband = deadband
        self.budget = budget
        self.evening = evening
        self.showsAge = showsAge
    }

    /// Changes within the deadband go when nothing else has gone for this long: as often as a phone looks by itself.
    static let rest = Duration.seconds(1800)
}
