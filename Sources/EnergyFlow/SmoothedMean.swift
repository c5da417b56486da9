import Glibc
import Readings

/// A figure smoothed over time: the exponential mean that forgets two thirds of what was in one `span`, over what has been
/// seen. One report just after the start counts for as long as it held, not for a whole span.
///
/// It is weighted by time, not by reports: a source that reports twice as often is not smoothed twice as much, and one
/// that is silent because nothing changes draws the mean towards the value that it last had.
public struct SmoothedMean: Sendable, Equatable {
    private let span: Duration
    private var held: Double?
    private var since: Duration = .zero
    /// The figures until then, each by how long it held and how long ago.
    private var sum = 0.0
    /// The same of the time in which they held: 1 after long.
    private var weight = 0.0

    /// Makes a smoothing that knows nothing yet.
    public init(over span: Duration) {
        self.span = span
    }

    /// The figure from now on; `nil` when it is not known, which forgets what was.
    public mutating func receive(_ figure: Double?, at uptime: Duration) {
        guard let figure, figure.isFinite else {
            (held, sum, weight) = (nil, 0, 0)
            return
        }
        (sum, weight) = sums(at: uptime)
        held = figure
        since = uptime
    }

    /// The mean at a time not before the last figure; `nil` while that is not known.
    public func value(at uptime: Duration) -> Double? {
        guard let held else { return nil }
        let (sum, weight) = sums(at: uptime)
        return weight > 0 ? sum / weight : held
    }

    private func sums(at uptime: Duration) -> (sum: Double, weight: Double) {
        guard let held else { return (0, 0) }
        let kept = exp(-(max(uptime - since, .zero) / span))
        return (sum * kept + held * (1 - kept), weight * kept + (1 - kept))
    }
}
