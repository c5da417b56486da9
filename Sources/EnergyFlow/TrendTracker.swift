import Glibc

/// Which way a value has gone lately: compared with its own mean over the last `span`, with hysteresis.
///
/// A value that leaves its mean by `enter` has a trend until it is back within `leave`: noise at the edge does not flip it.
/// A value that rests has none after a while, by time alone.
public struct TrendTracker: Sendable, Equatable {
    /// The three that the widget knows.
    public enum Trend: String, Sendable {
        /// It rose.
        case up
        /// It fell.
        case down
        /// Neither.
        case flat
    }

    /// The trend as of the last call.
    public private(set) var trend = Trend.flat

    private let span: Duration
    private let enter: Double
    private let leave: Double
    private var mean: SmoothedRate
    private var value: Double?

    /// Makes a tracker of a value that nobody has seen yet.
    /// - Parameters:
    ///   - span: the recent past.
    ///   - enter: the distance from the mean at which a trend begins, > 0; it ends at half of that.
    public init(over span: Duration, enter: Double) {
        self.span = span
        self.enter = enter
        leave = enter / 2
        mean = SmoothedRate(over: span)
    }

    /// The value from now on; `nil` when it is not known, which forgets what was.
    public mutating func receive(_ value: Double?, at uptime: Duration) {
        mean.receive(value, at: uptime)
        self.value = value
        advance(to: uptime)
    }

    /// Lets time pass.
    public mutating func advance(to uptime: Duration) {
        guard let value, let mean = mean.value(at: uptime) else {
            trend = .flat
            return
        }
        let distance = value - mean
        if abs(distance) >= enter {
            trend = distance > 0 ? .up : .down
        } else if trend == .up ? distance < leave : trend == .down ? -distance < leave : true {
            trend = .flat
        }
    }

    /// The uptime at which the trend ends if the value stays; `nil` while there is none.
    public func ends(after uptime: Duration) -> Duration? {
        guard trend != .flat, let value, let mean = mean.value(at: uptime) else { return nil }
        // A little later than the equation says, so that rounding does not leave it just short of the end.
        return uptime + span * max(log(abs(value - mean) / leave), 0) + .seconds(1)
    }
}
