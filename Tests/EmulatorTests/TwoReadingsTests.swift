import Delivery
import Readings
import Testing
import Widgets

@testable import Emulator

/// The service's bounds are written down twice: in the rules that the daemon asks before it sends, and in the shapes
/// that the emulator holds it to. Neither knows the other, so where they differ one of them is wrong.
@Suite("Two readings of the bounds") struct TwoReadingsTests {
    private static let contents = [
        """
        {"template":"flow","label":"Power","unit":"W","icon":"bolt","accent_color":"#10203040","severity":"info",
         "subtitle_timer":{"date":"2026-03-19T11:00:00Z","style":"relative"},
         "stat_rows":[{"label":"L","value":"V","unit":"kWh","timer":{"date":"2026-03-19T11:00:00Z"}}],
         "flow":{"inputs":[{"rate":3200,"name":"Solar","total":12.5,"color":"yellow"},{"rate":1}],
         "storage":{"rate":800,"level":76},"exchange":{"rate":-1400,"icon":"bolt"},"output":{"rate":1000}}}
        """,
        """
        {"template":"progress","value":0.5,"subtitle":"S","trend":"up","start_date":"2026-03-19T12:00:00Z",
         "end_date":"2026-03-19T14:00:00+01:00","tap_action":{"url":"https://example.com","method":"GET",
         "headers":{"A":"b"},"body":"x","title":"T","icon":"i","foreground":true},"url_action":{"url":"app://x"}}
        """,
        """
        {"template":"countdown","end_date":"2026-03-19T14:00:00Z","start_date":"2026-03-19T12:00:00Z",
         "expired_text":"Done","background_color":"red","text_color":"#FFFFFF"}
        """,
    ]

    /// Things to put where they may not belong.
    private static let oddities: [JSONValue] = [
        .null, true, 0, -1, 0.5, 1.5, 100, 100.5, "", "x", "red", "Red", "#12345", "#abcdef", [], ["x"], [1], [:],
        ["rate": 1], ["rate": "1"], ["url": "https://example.com"], ["url": "javascript:x"],
        ["date": "2026-03-19T11:00:00Z"], "up", "critical", "flow", "countdown", "progress", "status", "pie",
        "2026-03-19T13:30:00Z", "2026-03-19T13:30:00", "http:", "http://", "https://a@:1", "app:x", "1a:b",
        .string(String(repeating: "\u{1F468}\u{200D}", count: 8)), .string(String(repeating: "x", count: 33)),
        .string(String(repeating: "x", count: 129)), .string(String(repeating: "\u{E9}", count: 1025)),
        .array(Array(repeating: ["rate": 1], count: 4)),
        .array(Array(repeating: ["label": "L", "value": "V"], count: 7)),
    ]

    @Test("they agree on any content", arguments: [UInt64.random(in: 0 ... .max)])
    func agree(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let starts = try TwoReadingsTests.contents.map(json)
        var refused = 0
        for _ in 0..<1000 {
            var content = try #require(starts.randomElement(using: &random))
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                content = TwoReadingsTests.changed(content, using: &random)
            }
            guard case .object(let object) = content else { continue }
            let daemon = ContentRules.problems(in: object, now: Bench.start.wall)
            let shape = Shape.content.violations(of: content, at: "content", now: Bench.start.wall)
            let emulator = shape.isEmpty ? Template.violations(of: object, at: "content") : shape
            refused += emulator.isEmpty ? 0 : 1
            #expect(daemon.isEmpty == emulator.isEmpty, "seed \(seed): \(content) \(daemon) \(emulator)")
        }
        // With fewer of either kind this would show nothing.
        #expect((150...850).contains(refused), "seed \(seed)")
    }

    /// The value with one thing in it removed, replaced or added.
    private static func changed(_ value: JSONValue, using random: inout SplitMix) -> JSONValue {
        let oddity = oddities.randomElement(using: &random) ?? .null
        switch value {
        case .object(var object):
            guard let (key, inner) = object.randomElement(using: &random) else { return oddity }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: object[key] = nil
            case 1: object[["bogus", "value", "level", "method"].randomElement(using: &random) ?? ""] = oddity
            default: object[key] = changed(inner, using: &random)
            }
            return .object(object)
        case .array(var elements):
            guard let index = elements.indices.randomElement(using: &random) else { return oddity }
            elements[index] = changed(elements[index], using: &random)
            return .array(elements)
        default:
            return oddity
        }
    }

}
