import Readings

/// How long a store takes to be full, empty or at a level, if it goes on as it did over the last minutes.
///
///     to a level above:  capacity × (level − now) ÷ 100 ÷ (rate × efficiency)
///     to a level below:  capacity × (now − level) ÷ 100 × efficiency ÷ −rate
///
/// with the rate smoothed over `smoothing`, + = charging, as measured outside the store: of what goes in, `efficiency` is
/// stored, and of what is stored, `efficiency` comes out.
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
    /// What is farther than this is not counted down to: at such a rate the store is at rest.
    public static let horizon = Duration.seconds(24 * 3600)
    /// A store this near to its goal, in percentage points, is there: few tell their level more finely, and one at rest
    /// would be on its way now and then.
    public static let nearness = 0.5
    /// Once counting, it goes on until the end is farther than this, or a rate at the edge would flip the widget about.
    public static let horizonWhileCounting = Duration.seconds(36 * 3600)

    /// Makes an estimate.
    public init(_ goal: Goal, capacity: Double, efficiency: Double = standardEfficiency) {
        self.goal = goal
        self.capacity = capacity
        self.efficiency = efficiency
    }

    /// The time from now to the goal; `nil` when the store is there already or not on its way.
    /// - Parameters:
    ///   - level: in %.
    ///   - rate: smoothed, in units of the capacity an hour (kW for kWh), + = charging.
    ///   - isCounting: whether the widget counts down already.
    public func remaining(level: Double, rate: Double, isCounting: Bool = false) -> Duration? {
        let target =
            switch goal {
            case .full: 100.0
            case .empty: 0.0
            case .level(let level): level
            }
        guard abs(target - level) >= Self.nearness else { return nil }
        let missing = capacity * (target - level) / 100
        let hours = missing > 0 ? missing / (rate * efficiency) : missing * efficiency / rate
        let longest = isCounting ? Self.horizonWhileCounting : Self.horizon
        guard isOnTheWay(missing), rate * missing > 0, hours * 3600 <= longest.inSeconds else {
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
