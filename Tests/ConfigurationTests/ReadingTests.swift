import Bridge
import Configuration
import Readings
import Testing

@Suite("Readings and slots as they are read")
struct ReadingTests {
    private func reading(_ yaml: String) throws -> ReadingDefinition {
        let text = soundHead + "readings:\n  grid: { \(yaml) }\n" + soundWidgets
        let result = ConfigurationReader().read(text: text)
        return try #require(result.settings, "\(result.problems)").bridge.readings[0]
    }

    @Test("every key of a reading arrives")
    func everyKey() throws {
        let read = try reading(
            """
            topic: m/+/p, path: /p, unit: kW, unit_path: /u, scale: -0.1, combine: mean, range: [-5, 5e3],
                direction: { path: /d, positive: [in, 1], negative: [out] }, only_if: { path: /b, equals: no },
                expires: 2d, expired: unknown, available: { topic: m/online, path: /s, when: [on, "true"] },
                retained: ignore, decimal: comma
            """
        )
        let expected = ReadingDefinition(
            name: "grid",
            topic: try TopicFilter("m/+/p"),
            path: try JSONPointer("/p"),
            unit: ReadingUnit("kW"),
            unitPath: try JSONPointer("/u"),
            scale: -0.1,
            combine: .mean,
            direction: DirectionField(path: try JSONPointer("/d"), positive: ["in", "1"], negative: ["out"]),
            onlyIf: MessageCondition(path: try JSONPointer("/b"), equals: "no"),
            range: -5...5000,
            expiry: .after(.seconds(172_800)),
            available: AvailabilitySource(
                topic: try TopicFilter("m/online"),
                path: try JSONPointer("/s"),
                when: ["on", "true"]
            ),
            retained: .ignore,
            decimal: .comma
        )
        #expect(read == expected)
    }

    @Test(
        "durations have one unit",
        arguments: [("15s", 15), ("10m", 600), ("1h", 3600), ("2d", 172_800), ("0090s", 90)]
    )
    func durations(text: String, seconds: Int) throws {
        #expect(try reading("topic: t, expires: \(text)").expiry == .after(.seconds(seconds)))
    }

    @Test("a reading may never expire")
    func never() throws {
        #expect(try reading("topic: t, expires: never").expiry == .never)
    }

    @Test("a topic keeps its bytes")
    func topicBytes() throws {
        let topic = try reading("topic: \"e\u{301}/ x \"").topic
        #expect(Array(topic.description.utf8) == Array("e\u{301}/ x ".utf8))
    }
}
