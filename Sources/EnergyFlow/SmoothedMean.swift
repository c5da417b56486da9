import Glibc
import Readings

/// A figure smoothed over time: the exponential mean that forgets two thirds of what was in one `span`.
///
/// It is weighted by time, not by reports: a source that reports twice as often is not smoothed twice as much, and one
/// that is silent because nothing changes draws the mean towards the value that it last had.
public struct SmoothedMean: Sendable, Equatable {
    private let span: Duration
    private var mean: Double?
    private var held: Double?
    private var since: Duration = .zero

    /// Makes a smoothing that knows nothing yet; its first figure is its first mean.
    public init(over span: Duration) {
        self.span = span
    }

    /// The figure from now on; `nil` when it is not known, which forgets what was.
    public mutating func receive(_ figure: Double?, at uptime: Duration) {
        guard let figure, figure.isFinite else {
            (mean, held) = (nil, nil)
            return
        }
        mean = value(at: uptime) ?? figure
        held = figure
        since = uptime
    }

    /// The mean at a time not before the last figure; `nil` while that is not known.
    public func value(at uptime: Duration) -> Double? {
        guard let mean, let held else { return nil }
        let elapsed = max(uptime - since, .zero)
        return held + (mean - held) * exp(-(elapsed / span))
    }
}
