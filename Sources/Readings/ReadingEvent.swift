/// Something that happened to a reading.
public struct ReadingEvent: Sendable, Equatable {
    /// The reading's index in the definitions that `Readings` was made with.
    public var reading: Int
    /// Whether a live message brought a value that is now known (of a counter of a sum: its own value): it counts for freshness and integration, even if the
    /// value is the same as before. A retained message is never fresh.
    public var isFresh: Bool
    /// Whether the reading's value is now another, including from or to unknown.
    public var changed: Bool
    /// The topic whose message it was, as `Readings.topic(of:member:)` counts; `nil` when time or availability did it.
    public var member: Int?

    /// Makes an event.
    public init(reading: Int, isFresh: Bool, changed: Bool, member: Int? = nil) {
        self.reading = reading
        self.isFresh = isFresh
        self.changed = changed
        self.member = member
    }
}
