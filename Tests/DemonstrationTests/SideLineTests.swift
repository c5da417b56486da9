import Demonstration
import Testing
import Widgets

@Suite("A line beside the flow")
struct SideLineTests {
    /// 2026-03-19T12:00:00Z.
    private static let noon = Duration.seconds(1_773_921_600)

    @Test("a progress is a bar with its share, trend and rows")
    func progress() {
        let content: JSONObject = [
            "template": "progress", "label": "Battery", "value": 0.61, "trend": "up",
            "stat_rows": [["label": "Power", "value": "2.1", "unit": "kW"], ["label": "Mode", "value": "Eco"]],
        ]
        let line = SideLine(content: content, patches: 12)
        #expect(
            line.text(at: SideLineTests.noon)
                == "  Battery     ██████░░░░  61 % ▲   Power 2.1 kW   Mode Eco            12 patches"
        )
        #expect(line.sentence(at: SideLineTests.noon) == "Battery 61 %, up, Power 2.1 kW, Mode Eco")
    }

    @Test("a progress with a window moves by itself, whatever its value says")
    func window() {
        let content: JSONObject = [
            "template": "progress", "label": "Night", "value": 0, "start_date": "2026-03-19T11:00:00Z",
            "end_date": "2026-03-19T15:00:00Z",
        ]
        #expect(SideLine(content: content).sentence(at: SideLineTests.noon) == "Night 25 %")
    }

    @Test(
        "a countdown says what is left, and its text or what is over once it is past",
        arguments: [
            ("2026-03-19T12:01:05Z", nil, "in 0:01:05"), ("2026-03-20T13:00:00Z", nil, "in 25:00:00"),
            ("2026-03-19T12:00:00Z", "Over", "Over"), ("2026-03-19T11:59:00Z", nil, "0:01:00"),
            ("2026-03-19T12:00:01Z", "Over", "in 0:00:01"),
        ] as [(String, String?, String)]
    )
    func countdown(end: String, expired: String?, expected: String) {
        var content: JSONObject = ["template": "countdown", "label": "End", "end_date": .string(end)]
        content["expired_text"] = expired.map(JSONValue.string)
        let line = SideLine(content: content, patches: 1)
        #expect(line.sentence(at: SideLineTests.noon) == "End \(expected)")
        #expect(line.text(at: SideLineTests.noon).hasPrefix("  End         \(expected)  "))
        #expect(line.text(at: SideLineTests.noon).hasSuffix(" 1 patch"))
    }

    @Test("what is not there yet is a dash, and no line is wider than 80 columns")
    func bounds() {
        #expect(SideLine().text(at: SideLineTests.noon).contains("–"))
        #expect(SideLine(patches: 999).text(at: SideLineTests.noon).count == 80)
    }
}
