/// A point in time that a reading tells.
public enum MomentSource: Sendable, Equatable {
    /// A reading that is a point in time.
    case timestamp(Int)
    /// A reading of how much time is left. It counts from when it was heard.
    case remaining(Int)
    /// A reading of how much time has passed.
    case elapsed(Int)

    /// The reading's index.
    public var reading: Int {
        switch self {
        case .timestamp(let reading), .remaining(let reading), .elapsed(let reading): reading
        }
    }

    /// The wall time, in seconds since 1970-01-01T00:00:00Z.
    /// - Parameters:
    ///   - value: what the reading says, in seconds.
    ///   - heard: the wall time at which it said so.
    /// - Returns: `nil` when nothing is left, or nothing has passed yet.
    public func moment(_ value: Double, heard: Duration) -> Duration? {
        // Beyond it a `Duration` could overflow, and no date is meant.
        guard value.magnitude < 1e12 else { return nil }
        return switch self {
        case .timestamp: .seconds(value)
        case .remaining: value > 0 ? heard + .seconds(value) : nil
        case .elapsed: value > 0 ? heard - .seconds(value) : nil
        }
    }
}
