/// How wrong a widget was over the time of a truth, each moment weighing the same.
public struct ShownError: Sendable {
    /// What was shown from a moment on.
    public struct Frame: Sendable, Equatable {
        /// Since 1970-01-01T00:00:00Z.
        public var at: Duration
        /// In W.
        public var power: PowerBySlot

        /// Makes a frame.
        public init(at: Duration, power: PowerBySlot) {
            self.at = at
            self.power = power
        }
    }

    /// The mean of |shown − actual|, in W.
    public let mean: PowerBySlot
    /// Σ |shown − actual| ÷ Σ |actual|, over time and over the four slots; NaN when nothing flowed.
    public let relative: Double
    private let spans: [(error: PowerBySlot, seconds: Double)]

    /// Compares what was shown, in the order of time, with the truth. Before the first frame nothing is shown: all 0.
    public init(of frames: [Frame], against truth: TruthTable) {
        var wrong = PowerBySlot.zero
        var actual = PowerBySlot.zero
        var spans: [(error: PowerBySlot, seconds: Double)] = []
        var shown = PowerBySlot.zero
        var next = frames.startIndex
        let ends = truth.rows.dropFirst().map(\.at) + [truth.end]
        for (row, end) in zip(truth.rows, ends) {
            var at = row.at
            while at < end {
                while next < frames.endIndex, frames[next].at <= at {
                    shown = frames[next].power
                    next += 1
                }
                let until = next < frames.endIndex ? min(frames[next].at, end) : end
                let seconds = (until - at) / .seconds(1)
                let error = shown.distance(to: row.power)
                wrong.add(error, seconds: seconds)
                actual.add(row.power.distance(to: .zero), seconds: seconds)
                spans.append((error, seconds))
                at = until
            }
        }
        let seconds = (truth.end - truth.rows[0].at) / .seconds(1)
        var mean = PowerBySlot.zero
        mean.add(wrong, seconds: 1 / seconds)
        self.mean = mean
        relative = wrong.slots.sum() / actual.slots.sum()
        self.spans = spans
    }

    /// The smallest |shown − actual| that 95 % of the time does not exceed, in W.
    public var percentile95: PowerBySlot {
        var percentile = PowerBySlot.zero
        for slot in PowerBySlot.names.indices {
            percentile.slots[slot] = ShownError.percentile95(spans.map { ($0.error.slots[slot], $0.seconds) })
        }
        return percentile
    }

    private static func percentile95(_ spans: [(error: Double, seconds: Double)]) -> Double {
        var above = 0.05 * spans.reduce(0) { $0 + $1.seconds }
        for span in spans.sorted(by: { $0.error > $1.error }) {
            above -= span.seconds
            // A trace of rounding must not turn exactly 5 % into more.
            if above < -1e-6 { return span.error }
        }
        return 0
    }
}
