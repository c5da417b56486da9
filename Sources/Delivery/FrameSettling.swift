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

    fileprivate let longest: Duration
    private var firstChange: Duration?
    private var lastChange: Duration = .zero
    private var lastFrame: Duration?
    private var isFirstFrame = true

    private static let quiet = Duration.seconds(1)
    /// Frames are this far apart at least. The service gathers pushes over longer, and with a hundred messages a second a
    /// frame would settle, and be built, with every fourth of them.
    private static let pace = Duration.seconds(1)

    /// Makes the settling of one widget's frames.
    /// - Parameter longest: the time allowed, counted from the first change; 0 lets every frame go at once, but for their distance of a second.
    public init(longest: Duration) {
        self.longest = longest
    }

    /// Whether a changed frame is waiting.
    public var isWaiting: Bool {
        firstChange != nil
    }

    /// Before this uptime the waiting frame does not go, whatever its sources say; `nil` when none is waiting.
    public var earliest: Duration? {
        firstChange.map { firstChange in lastFrame.map { max(firstChange, $0 + FrameSettling.pace) } ?? firstChange }
    }

    /// Takes note that one of the widget's values has changed.
    public mutating func change(at now: Duration) {
        if firstChange == nil { firstChange = now }
        lastChange = now
    }

    /// Gathers over the widget's readings when the waiting frame is settled if nothing else is heard.
    ///
    /// A value that the caller feeds in a plain loop: as a generic function over a sequence it took a fifth of a flood's
    /// time.
    public struct Verdict: Sendable {
        fileprivate let settling: FrameSettling
        fileprivate let firstChange: Duration
        fileprivate var settled: Duration

        /// Takes the rhythm of one of the widget's readings.
        public mutating func consider(_ source: Rhythm) {
            settled = max(settled, settling.end(of: source, since: firstChange))
        }

        /// The uptime at which the frame is settled.
        public var uptime: Duration {
            max(min(settled, firstChange + settling.longest), settling.earliest ?? firstChange)
        }
    }

    /// Begins to gather; `nil` when no frame is waiting.
    public var verdict: Verdict? {
        firstChange.map { Verdict(settling: self, firstChange: $0, settled: $0) }
    }

    fileprivate func end(of source: Rhythm, since firstChange: Duration) -> Duration {
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
    public mutating func take(at now: Duration) {
        firstChange = nil
        lastFrame = now
        isFirstFrame = false
    }
}
