import Testing
import Widgets

@testable import Delivery

@Suite("Significance")
struct SignificanceTests {
    @Test(
        "A total that falls has begun a new day, while a level may fall within its band",
        arguments: [
            ((0.4, 50), Significance.none), ((0.9, 50), .minor), ((0.91, 50), .ordinary), ((0.39, 50), .ordinary),
            ((0.4, 48), .minor), ((0.4, 47), .ordinary), ((0.4, 52), .minor), ((0.4, 53), .ordinary),
        ] as [((total: Double, level: Double), Significance)]
    )
    func falling(actual: (total: Double, level: Double), expected: Significance) throws {
        let shown = try content(total: 0.4, level: 50)
        let wanted = try content(total: actual.total, level: actual.level)
        #expect(Significance(from: shown, to: wanted, band: .standard(unit: "W"), at: .zero) == expected)
    }

    @Test("An end that comes, goes or turns out to be past is urgent, what else moves is ordinary")
    func dates() throws {
        let now = try #require(RFC3339.parse("2026-03-19T11:30:00Z"))
        func judge(_ change: JSONObject, shown end: JSONValue = "2026-03-19T12:00:00Z") -> Significance {
            let shown: JSONObject = ["template": "progress", "value": 0.4, "end_date": end]
            let wanted = MergePatch.apply(change, to: shown)
            return Significance(from: shown, to: wanted, band: .standard(unit: "W"), at: now)
        }
        #expect(judge([:]) == .none)
        #expect(judge(["value": 0.5]) == .ordinary)
        #expect(judge(["end_date": "2026-03-19T13:00:00Z"]) == .ordinary)
        #expect(judge(["start_date": "2026-03-19T11:00:00Z"]) == .ordinary)
        #expect(judge(["end_date": "2026-03-19T11:30:00Z"]) == .urgent)
        #expect(judge(["end_date": "2026-03-19T12:00:00Z"], shown: "2026-03-19T11:00:00Z") == .urgent)
        #expect(judge(["end_date": "2026-03-19T11:20:00Z"], shown: "2026-03-19T11:00:00Z") == .ordinary)
        #expect(judge(["end_date": .null]) == .urgent)
        #expect(judge(["template": "flow"]) == .urgent)
    }

    private func content(total: Double, level: Double) throws -> JSONObject {
        let total = try #require(JSONValue(total))
        let level = try #require(JSONValue(level))
        return ["template": "flow", "flow": ["storage": ["rate": -300, "total": total, "level": level]]]
    }
}
