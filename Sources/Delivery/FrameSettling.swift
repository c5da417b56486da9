/// When a changed frame may go: sources report at different moments, and a balance over old and new readings is wrong.
///
/// A frame is settled once each source that reports regularly, and is expected within the time allowed, has reported again
/// since the first change. Sources of which no rhythm is known are given one quiet second, so that an import that falls and
/// an export that rises in two messages are seen together. Before the first frame, sources that have not reported at all
/// are waited for as well. No frame waits longer than the time allowed.
public struct FrameSettling: Sendable {
    /// What is known of one source's rhythm.
    public struct Rhythm: Sendable {
        /// The uptime of its last live report.
        public var lastReport: Duration?
        /// The typical time between reports, once there is one.
        public var interval: Duration?

        /// Makes a rhythm.
        public init(lastReport: Duration?, interval: Duration?) {
            self.lastReport = lastReport
            self.interval = interval
        }
    }

    private let longest: Duration
    private var firstChange: Duration?
    private var lastChange: Duration = .zero
    private var isFirstFrame = true

    private static let quiet = Duration.seconds(1)

    /// Makes the settling of one widget's frames.
    /// - Parameter longest: the time allowed, counted from the first change; 0 lets every frame go at once.
    public init(longest: Duration) {
        self.longest = longest
    }

    /// Whether a changed frame is waiting.
    public var isWaiting: Bool {
        firstChange != nil
    }

    /// Takes note that one of the widget's values has changed.
    public mutating func change(at now: Duration) {
        if firstChange == nil { firstChange = now }
        lastChange = now
    }

    /// The uptime at which the waiting frame is settled if nothing else is heard; `nil` when none is waiting.
    /// - Parameter sources: the rhythms of the widget's readings.
    public func settles(sources: some Sequence<Rhythm>) -> Duration? {
        guard let firstChange else { return nil }
        var settled = firstChange
        for source in sources {
            settled = max(settled, end(of: source, since: firstChange))
        }
        return min(settled, firstChange + longest)
    }

    private func end(of source: Rhythm, since firstChange: Duration) -> Duration {
        guard let last = source.lastReport else {
            return isFirstFrame ? firstChange + longest : lastChange + min(FrameSettling.quiet, longest)
        }
        guard let interval = source.interval else { return lastChange + min(FrameSettling.quiet, longest) }
        if last >= firstChange { return last }
        // A report may come a little late; one that is not expected in time is not waited for.
        let expected = last + interval
        let latest = expected + min(interval / 4, .seconds(2))
        return expected <= firstChange + longest && latest > firstChange ? latest : firstChange
    }

    /// Takes the waiting frame out.
    public mutating func take() {
        firstChange = nil
        isFirstFrame = false
    }
}
