public import Readings

/// Today's energy in one sense of one rate.
///
/// A rate holds from its sample to the next, but no longer than its reading is good for: a meter that fell silent at
/// 700 W has not drawn 700 W for 40 hours. Only monotonic time counts, so a clock that jumps makes no energy. While the
/// rate is unknown nothing is added, and what was added stays.
public struct RateIntegrator: Sendable, Equatable {
    /// The sense that counts; the other adds nothing.
    public let sense: FlowSense
    /// What one unit of rate makes in an hour, in the total's unit: 0.001 from W to kWh.
    public let perHour: Double
    /// Today's energy so far, ≥ 0. `nil` before the first rate.
    public var total: Double? { isKnown ? sum : nil }

    private var sum = 0.0
    private var isKnown = false
    private var held: Held?

    private struct Held: Equatable {
        var rate: Double
        var since: Duration
        var until: Duration?
    }

    /// An integrator that has counted nothing.
    public init(sense: FlowSense, perHour: Double) {
        self.sense = sense
        self.perHour = perHour
    }

    /// The rate from now on, in the slot's own sign, or `nil` when it is not known or only retained.
    ///
    /// `until` is the monotonic time at which its readings expire; without one it holds until the next call.
    public mutating func receive(_ rate: Double?, until: Duration? = nil, at uptime: Duration) {
        settle(to: uptime)
        guard let rate, rate.magnitude <= Self.largestRate else {
            held = nil
            return
        }
        isKnown = true
        held = Held(rate: sense == .positive ? max(0, rate) : max(0, -rate), since: uptime, until: until)
    }

    /// Adds what the held rate has made until now.
    public mutating func settle(to uptime: Duration) {
        guard let held else { return }
        let end = min(uptime, held.until ?? uptime)
        if end > held.since {
            sum += held.rate * perHour * (end - held.since).inHours
            self.held?.since = end
        }
    }

    /// Whether the total grows by time alone.
    var isRunning: Bool {
        guard let held, held.rate > 0 else { return false }
        return held.until.map { held.since < $0 } ?? true
    }

    /// Goes on from what was counted earlier today, or from nothing, with the rate that is held.
    mutating func restart(from total: Double?, at uptime: Duration) {
        settle(to: uptime)
        let isUsable = total.map { $0.isFinite && $0 >= 0 } ?? false
        sum = isUsable ? total ?? 0 : 0
        isKnown = isUsable || held != nil
    }

    /// A new local day begins at this monotonic time.
    public mutating func roll(at midnight: Duration) {
        settle(to: midnight)
        sum = 0
    }

    /// Larger than any rate; beyond it (and for NaN) there is none.
    private static let largestRate = 1e12
}

extension ReadingUnit {
    /// What a rate of one such unit makes in an hour: kWh from power; from `L/min`, `MB/s`, `m³/h` what stands before the
    /// slash. A unit that names no time is taken for an hourly one.
    public var perHour: Double {
        switch quantity {
        case .power: 0.001
        case .other(let name):
            switch name.utf8.split(separator: UInt8(ascii: "/")).last.map({ String(Substring($0)) }) {
            case "s", "sec": 3600
            case "min": 60
            default: 1
            }
        case .energy, .level, .duration, .timestamp: 1
        }
    }
}
