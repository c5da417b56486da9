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
        #expect(Significance(from: shown, to: wanted, band: .standard(unit: "W")) == expected)
    }

    private func content(total: Double, level: Double) throws -> JSONObject {
        let total = try #require(JSONValue(total))
        let level = try #require(JSONValue(level))
        return ["template": "flow", "flow": ["storage": ["rate": -300, "total": total, "level": level]]]
    }
}
