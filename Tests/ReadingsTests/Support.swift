import Testing

@testable import Readings

func withBytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var text = text
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
}

/// Readings with a clock that is turned by hand, and all that they told.
struct Bench: ~Copyable {
    var readings: Readings
    var events: [ReadingEvent] = []
    var now = Moment(uptime: .seconds(1000), wall: .seconds(1_770_000_000))

    init(_ definitions: ReadingDefinition...) {
        readings = Readings(definitions, at: now.uptime)
    }

    init(_ definitions: [ReadingDefinition]) {
        readings = Readings(definitions, at: now.uptime)
    }

    /// Lets `seconds` pass.
    mutating func wait(_ seconds: Double) {
        now = now.advanced(by: .seconds(seconds))
        readings.advance(to: now, events: &events)
    }

    mutating func send(_ topic: String, _ payload: String, retained: Bool = false) {
        send(topic, Array(payload.utf8), retained: retained)
    }

    mutating func send(_ topic: String, _ payload: [UInt8], retained: Bool = false) {
        withBytes(topic) { topic in
            payload.withUnsafeBytes {
                readings.receive(topic: topic, payload: $0, retained: retained, at: now, events: &events)
            }
        }
    }

    /// The first reading's value.
    var value: Double? { readings.value(0) }

    /// What happened since the last call.
    mutating func takeEvents() -> [ReadingEvent] {
        defer { events = [] }
        return events
    }

    mutating func reasons() -> [String] {
        readings.takeProblems(at: now).map(\.reason)
    }
}

extension ReadingDefinition {
    /// A reading named `r` on the topic `t`, or what is given.
    static func reading(
        _ name: String = "r",
        topic: String = "t",
        path: String? = nil,
        unit: String = "W",
        _ adjust: (inout ReadingDefinition) throws -> Void = { _ in }
    ) throws -> ReadingDefinition {
        var definition = ReadingDefinition(
            name: name,
            topic: try TopicFilter(topic),
            path: try path.map { try JSONPointer($0) },
            unit: ReadingUnit(unit)
        )
        try adjust(&definition)
        return definition
    }
}
