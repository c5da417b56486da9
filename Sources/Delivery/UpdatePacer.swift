import Glibc
import Readings

/// Spends a limited number of updates so that the phone is wrong as little as possible.
///
/// A push is worth it when the accumulated error since the last one, plus three minutes of the present error, exceeds a
/// threshold (send-on-area). The threshold is scaled by what has been flowing here on average, so that nothing in it is
/// in watts, and steers itself: it rises when updates are spent faster than the period passes, and falls when they are
/// left over.
struct UpdatePacer: Sendable {
    /// How many updates there are for which stretch of wall time.
    struct Allowance: Sendable, Equatable {
        /// How the updates are spread over the time.
        enum Spread: Sendable, Equatable {
            /// Evenly.
            case even
            /// Over a local day, from midnight to midnight: homes are quiet at night.
            case wakingHours
        }

        var count: Int
        var start: Duration
        var end: Duration
        var spread = Spread.even

        /// The part of the period that is over, 0...1.
        func elapsed(at wall: Duration) -> Double {
            min(max((wall - start) / (end - start), 0), 1)
        }

        /// The part of the updates that should be spent by then, 0...1.
        func planned(at wall: Duration) -> Double {
            let elapsed = elapsed(at: wall)
            guard spread == .wakingHours else { return elapsed }
            // Half as much in the six hours after midnight and the two before.
            let (morning, night) = (0.25, 22.0 / 24)
            let (byMorning, byNight) = (0.13, 0.965)
            switch elapsed {
            case ..<morning: return elapsed / morning * byMorning
            case ..<night: return byMorning + (elapsed - morning) / (night - morning) * (byNight - byMorning)
            default: return byNight + (elapsed - night) / (1 - night) * (1 - byNight)
            }
        }
    }

    private(set) var allowance: Allowance
    /// Updates spent in the period.
    private(set) var spent = 0
    /// Error × seconds since the last push.
    private var area = 0.0
    private var error = 0.0
    private var lasting = 0.0
    private var throughput = 0.0
    private var observed: Duration?
    /// Seconds and what flowed in them, over all that was seen.
    private(set) var seen: (seconds: Double, flowed: Double) = (0, 0)

    /// The present error weighs as much as if it had lasted this long: a large one is not to be waited out.
    private static let foresight = 180.0
    /// The error that a push is allowed to leave, as a share of what flows in an update's share of the period.
    private static let tolerance = 0.16
    /// How strongly the threshold answers to being ahead of or behind the plan.
    private static let gain = 6.0
    /// From so many seconds on it is known what flows here.
    private static let familiar = 3600.0
    /// The mean forgets over some days, so that it follows the seasons.
    private static let memory = 5.0 * 86_400

    init(_ allowance: Allowance) {
        self.allowance = allowance
    }

    /// Whether there is an update left.
    var hasLeft: Bool { spent < allowance.count }

    /// Takes what is wrong from now on, and what flows.
    /// - Parameter lasting: the part of the error that is likely to last. A slot that is missing may be back in a moment.
    mutating func observe(error: Double, lasting: Double, throughput: Double, at now: Duration) {
        settle(to: now)
        self.error = error
        self.lasting = lasting
        self.throughput = throughput
    }

    /// Goes on with another number of updates for another stretch of time, keeping what was learned.
    mutating func renew(_ allowance: Allowance, spent: Int) {
        self.allowance = allowance
        self.spent = spent
    }

    /// Goes on from what an earlier run has learned.
    mutating func restore(seen: (seconds: Double, flowed: Double)) {
        self.seen = seen
    }

    /// Counts an update.
    mutating func spend() {
        spent += 1
    }

    /// Takes an update back.
    mutating func refund() {
        spent = max(0, spent - 1)
    }

    /// Whether one more update is no more than the plan has for this time, with a few to begin with.
    func isOnPlan(at wall: Duration) -> Bool {
        hasLeft && Double(spent) < Double(allowance.count) * allowance.planned(at: wall) + 1
    }

    /// The server shows what is right from now on.
    mutating func clear(at now: Duration) {
        settle(to: now)
        area = 0
        error = 0
        lasting = 0
    }

    /// The uptime from which a push is worth an update, if nothing else changes; `nil` while there is none left or nothing
    /// is wrong. The threshold moves with time, so it is to be asked again every few minutes.
    func due(at now: Moment) -> Duration? {
        guard hasLeft, error > 0, let observed else { return nil }
        // What is to go within the minute goes now, while it is fresh: later it would go just before the next frame.
        let until = max(now.uptime, observed + UpdatePacer.minute)
        let missing =
            threshold(at: now.wall) - area - error * (until - observed).inSeconds - UpdatePacer.foresight * lasting
        guard missing > 0 else { return now.uptime }
        return until + .seconds(min(missing / error, UpdatePacer.look))
    }

    private static let minute = Duration.seconds(60)
    /// The longest time until the threshold is looked at again.
    private static let look = 120.0

    private func threshold(at wall: Duration) -> Double {
        let mean = seen.seconds > 0 ? seen.flowed / seen.seconds : throughput
        let length = (allowance.end - allowance.start).inSeconds
        let ahead = Double(spent) / Double(allowance.count) - allowance.planned(at: wall)
        return UpdatePacer.tolerance * mean * length / Double(allowance.count) * exp(UpdatePacer.gain * ahead)
    }

    private mutating func settle(to now: Duration) {
        defer { observed = now }
        guard let observed else { return }
        let seconds = (now - observed).inSeconds
        area += error * seconds
        seen.seconds += seconds
        // One absurd reading must not raise the threshold for weeks.
        let mean = seen.seconds > UpdatePacer.familiar ? seen.flowed / seen.seconds : throughput
        seen.flowed += min(throughput, 10 * mean) * seconds
        if seen.seconds > UpdatePacer.memory {
            seen.flowed *= UpdatePacer.memory / seen.seconds
            seen.seconds = UpdatePacer.memory
        }
    }
}
