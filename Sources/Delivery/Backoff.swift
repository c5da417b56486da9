/// How long to wait after failures in a row: 1 s, doubled each time up to 60 s, with jitter, for ever.
public struct Backoff: Sendable, Equatable {
    /// The failures since the last success.
    public private(set) var failures = 0

    /// Makes a back-off without any failure.
    public init() {}

    /// Counts a failure and gives the wait that follows it.
    ///
    /// Between half and the whole of the step, so that many bridges behind one outage do not come back in lockstep.
    public mutating func fail(using random: inout SplitMix) -> Duration {
        let step = Double(min(1 << min(failures, 6), 60))
        failures += 1
        return .seconds(step * Double.random(in: 0.5...1, using: &random))
    }

    /// Forgets the failures.
    public mutating func succeed() {
        failures = 0
    }
}
