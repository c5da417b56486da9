/// A point in time on the two clocks that decide things: monotonic time for waits, wall time for days.
///
/// Both are handed in by the driver. The wall clock may jump (a box without a battery clock boots in the past); the
/// monotonic clock never does.
public struct Moment: Sendable, Hashable {
    /// Monotonic time since some fixed start. Decides every age, wait and integration.
    public var uptime: Duration
    /// Wall time since 1970-01-01T00:00:00Z. Decides calendar days and the dates that are shown.
    public var wall: Duration

    /// Makes a moment from both clocks.
    public init(uptime: Duration, wall: Duration) {
        self.uptime = uptime
        self.wall = wall
    }

    /// The moment `span` later on both clocks.
    public func advanced(by span: Duration) -> Moment {
        Moment(uptime: uptime + span, wall: wall + span)
    }
}

extension Duration {
    /// The length in seconds, as precise as a `Double` is.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
