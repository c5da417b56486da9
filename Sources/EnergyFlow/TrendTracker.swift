import Glibc

/// Which way a value has gone lately: compared with its own mean over the last `span`, with hysteresis.
///
/// A value that leaves its mean by a step has a trend until it is back within a third of it, so that neither noise nor a
/// source that counts in whole steps flips it. A value that rests has none after a while, by time alone; and since the mean
/// is never let farther behind than two steps, after a steep climb no later than after a gentle one.
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
    private let step: Double
    private var value: Double?
    private var mean = 0.0
    private var latest: Duration = .zero

    /// Makes a tracker of a value that nobody has seen yet.
    /// - Parameters:
    ///   - span: the recent past.
    ///   - step: the distance from the mean at which a trend begins, > 0.
    public init(over span: Duration, step: Double) {
        self.span = span
        self.step = step
    }

    /// The value from now on; `nil` when it is not known, which forgets what was.
    public mutating func receive(_ value: Double?, at uptime: Duration) {
        if let value {
            advance(to: uptime)
            let mean = self.value == nil ? value : mean
            self.mean = min(max(mean, value - 2 * step), value + 2 * step)
        }
        self.value = value
        latest = uptime
        judge()
    }

    /// Lets time pass.
    public mutating func advance(to uptime: Duration) {
        guard let value, uptime > latest else { return }
        mean = value + (mean - value) * exp(-((uptime - latest) / span))
        latest = uptime
        judge()
    }

    /// The uptime at which the trend ends if the value stays; `nil` while there is none.
    public var ends: Duration? {
        guard trend != .flat, let value else { return nil }
        // A little later than the equation says, so that rounding does not leave it just short of the end.
        return latest + span * max(log(abs(value - mean) / (step / 3)), 0) + .seconds(1)
    }

    private mutating func judge() {
        let distance = value.map { $0 - mean } ?? 0
        if abs(distance) >= step {
            trend = distance > 0 ? .up : .down
        } else if trend == .up ? distance < step / 3 : -distance < step / 3 {
            trend = .flat
        }
    }
}
