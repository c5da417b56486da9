import Readings

/// How long a store takes to be full, empty or at a level, if it goes on as it did over the last minutes.
///
///     to a level above:  capacity × (level − now) ÷ 100 ÷ (rate × efficiency)
///     to a level below:  capacity × (now − level) ÷ 100 × efficiency ÷ −rate
///
/// with the rate smoothed over `smoothing` and the level over `levelSmoothing`. The rate is + = charging, as measured outside
/// the store: of what goes in, `efficiency` is stored, and of what is stored, `efficiency` comes out.
public struct StorageEstimate: Sendable, Equatable {
    /// What is waited for.
    public enum Goal: Sendable, Equatable {
        /// 100 %, by charging.
        case full
        /// 0 %, by discharging.
        case empty
        /// A level in %, from either side.
        case level(Double)
    }

    /// What is waited for.
    public var goal: Goal
    /// The whole store, > 0, in kWh, or in what the rate's unit adds up to in an hour.
    public var capacity: Double
    /// Of what goes in and of what comes out, > 0 and ≤ 1.
    public var efficiency: Double

    /// A usual home battery's way through inverter and cells, one way.
    public static let standardEfficiency = 0.95
    /// The rate is smoothed over this span: a cloud or a kettle is not what a battery will do for hours.
    public static let smoothing = Duration.seconds(1200)
    /// The level is smoothed over this span: many a store tells one that trembles by a step, and a slow one takes half an hour
    /// for a step. No more than that: the smoothed level lags, and the end with it.
    public static let levelSmoothing = Duration.seconds(60)

    /// What it takes to count down. Entering takes more than staying, or a store at the edge would flip the widget about.
    struct Bounds: Sendable {
        /// What is farther than this is not counted down to: at such a rate the store is at rest.
        var horizon: Duration
        /// A store this near to its goal, in percentage points, is there: few tell their level more finely.
        var nearness: Double
        /// At this rate, as a share of the capacity an hour, the store is at rest: the zero of a meter is not exact.
        var rest: Double

        static let entering = Bounds(horizon: .seconds(24 * 3600), nearness: 1, rest: 0.005)
        static let staying = Bounds(horizon: .seconds(36 * 3600), nearness: 0.5, rest: 0)
    }

    /// Makes an estimate.
    public init(_ goal: Goal, capacity: Double, efficiency: Double = standardEfficiency) {
        self.goal = goal
        self.capacity = capacity
        self.efficiency = efficiency
    }

    /// The time from now to the goal; `nil` when the store is there already or not on its way.
    /// - Parameters:
    ///   - level: smoothed, in %.
    ///   - rate: smoothed, in units of the capacity an hour (kW for kWh), + = charging.
    ///   - isCounting: whether the widget counts down already.
    public func remaining(level: Double, rate: Double, isCounting: Bool = false) -> Duration? {
        let target =
            switch goal {
            case .full: 100.0
            case .empty: 0.0
            case .level(let level): level
            }
        let bounds = isCounting ? Bounds.staying : .entering
        guard abs(target - level) >= bounds.nearness, abs(rate) > bounds.rest * capacity else { return nil }
        let missing = capacity * (target - level) / 100
        let hours = missing > 0 ? missing / (rate * efficiency) : missing * efficiency / rate
        guard isOnTheWay(missing), rate * missing > 0, hours * 3600 <= bounds.horizon.inSeconds else {
            return nil
        }
        return .seconds(hours * 3600)
    }

    private func isOnTheWay(_ missing: Double) -> Bool {
        switch goal {
        case .full: missing > 0
        case .empty: missing < 0
        case .level: true
        }
    }
}
