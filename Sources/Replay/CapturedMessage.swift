/// One recorded MQTT message.
public struct CapturedMessage: Sendable, Equatable {
    /// When it was received, since 1970-01-01T00:00:00Z.
    public var wall: Duration
    /// Whether the broker had kept it.
    public var retained: Bool
    /// The topic's bytes.
    public var topic: [UInt8]
    /// The payload's bytes.
    public var payload: [UInt8]

    /// Makes a message.
    public init(wall: Duration, retained: Bool, topic: [UInt8], payload: [UInt8]) {
        self.wall = wall
        self.retained = retained
        self.topic = topic
        self.payload = payload
    }
}
