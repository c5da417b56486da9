/// When each moment of a recording is played, if its whole span is to pass within a given time.
public struct Playback: Sendable, Equatable {
    private let first: Duration
    private let last: Duration
    /// How long the play takes.
    public let length: Duration

    /// Makes a play.
    /// - Parameters:
    ///   - first: the recorded wall time at which it begins, since 1970.
    ///   - last: the recorded wall time at which it ends; one before `first` counts as `first`.
    ///   - length: how long the play takes; more than zero.
    public init(from first: Duration, to last: Duration, within length: Duration) {
        self.first = first
        self.last = max(first, last)
        self.length = length
    }

    /// How many times faster than the recording the play is.
    public var speed: Double {
        (last - first) / length
    }

    /// How long after the start of the play a message of this wall time is due. One from before the beginning, where a
    /// clock was set back, is due at once.
    public func due(_ wall: Duration) -> Duration {
        guard speed > 0 else { return .zero }
        return max(wall - first, .zero) / speed
    }

    /// The recorded wall time that the play has come to, which stays at the end when it is over.
    public func wall(after elapsed: Duration) -> Duration {
        min(first + max(elapsed, .zero) * speed, last)
    }

    /// How much of the play is over, 0 to 1.
    public func progress(after elapsed: Duration) -> Double {
        min(max(elapsed / length, 0), 1)
    }
}
