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

    @Test(
        "A bar keeps to the band for levels, and its last point costs nothing; what is full or empty always shows",
        arguments: [
            (0.42, 0.42, 2, .none), (0.42, 0.43, 2, .none), (0.42, 0.41, 2, .none), (0.42, 0.44, 2, .minor),
            (0.42, 0.40, 2, .minor), (0.42, 0.45, 2, .ordinary), (0.42, 0.39, 2, .ordinary), (0.42, 0.47, 5, .minor),
            (0.42, 0.48, 5, .ordinary), (0.42, 0.43, 0, .ordinary), (0.99, 1, 2, .ordinary), (1, 0.99, 2, .none),
            (0.01, 0, 2, .ordinary), (0, 0.01, 2, .none), (0, 0.02, 5, .minor),
        ] as [(Double, Double, Double, Significance)]
    )
    func bar(shown: Double, actual: Double, level: Double, expected: Significance) throws {
        var band = Deadband.standard(unit: "W")
        band.level = level
        let stored: JSONObject = ["template": "progress", "label": "Car", "value": try #require(JSONValue(shown))]
        var wanted = stored
        wanted["value"] = JSONValue(actual)
        #expect(Significance(from: stored, to: wanted, band: band, at: .zero) == expected)
    }

    @Test(
        "A bar that the phone moves between two dates is minor until it is full or empty",
        arguments: [(0.42, 0.43, .none), (0.42, 0.9, .minor), (0.42, 1, .ordinary), (0.42, 0, .ordinary)]
            as [(Double, Double, Significance)]
    )
    func window(shown: Double, actual: Double, expected: Significance) throws {
        let stored: JSONObject = [
            "template": "progress", "value": try #require(JSONValue(shown)), "start_date": "2026-03-19T11:00:00Z",
            "end_date": "2026-03-19T12:00:00Z",
        ]
        var wanted = stored
        wanted["value"] = JSONValue(actual)
        #expect(Significance(from: stored, to: wanted, band: .standard(unit: "W"), at: .zero) == expected)
    }

    @Test("Rows wait with what is minor, unless one comes, goes or is lost; what others set is no change")
    func rows() {
        func judge(_ rows: JSONValue, _ others: JSONObject = [:]) -> Significance {
            let rest: JSONObject = ["template": "progress", "value": 0.4]
            let stored = MergePatch.apply(
                ["stat_rows": [["label": "P", "value": "1.0", "unit": "kW"]]],
                to: MergePatch.apply(others, to: rest)
            )
            return Significance(
                from: stored,
                to: MergePatch.apply(["stat_rows": rows], to: rest),
                band: .standard(unit: "W"),
                at: .zero
            )
        }
        #expect(judge([["label": "P", "value": "1.0", "unit": "kW"]], ["background_color": "red"]) == .none)
        #expect(judge([["label": "P", "value": "1.3", "unit": "kW"]]) == .minor)
        #expect(judge([["label": "P", "value": "–", "unit": "kW"]]) == .ordinary)
        #expect(judge([["label": "P", "value": "1.0", "unit": "W"]]) == .ordinary)
        #expect(judge([["label": "Q", "value": "1.0", "unit": "kW"]]) == .ordinary)
        #expect(judge([]) == .ordinary)
        #expect(judge(.null) == .ordinary)
        #expect(judge([["label": "P", "value": "1.3", "unit": "kW"]], ["trend": "up"]) == .ordinary)
    }

    private func content(total: Double, level: Double) throws -> JSONObject {
        let total = try #require(JSONValue(total))
        let level = try #require(JSONValue(level))
        return ["template": "flow", "flow": ["storage": ["rate": -300, "total": total, "level": level]]]
    }
}
