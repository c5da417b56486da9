import Demonstration
import Testing
import Widgets

@Suite("The widget beside the truth")
struct VerdictTests {
    private static let header =
        "unix,solar_w,house_w,battery_w_charging_positive,grid_w_import_positive,soc_pct,solar_kwh"
    private static let truth = FlowState(solar: 0, home: 1320, battery: 0, level: 10.4, grid: 1322.6)

    @Test("the truth is the last row, and panels that take a little at night give nothing")
    func lastRow() throws {
        let table = "\(VerdictTests.header)\n1,5,6,7,8,9,0\n2,-2.6,1320.0,0.0,1322.6,10.0,35.5\n"
        #expect(
            try Truth(table: table).state == FlowState(solar: 0, home: 1320, battery: 0, level: 10, grid: 1322.6)
        )
    }

    @Test("a truth that lacks something says what")
    func broken() {
        let column = "The truth's last row has no number in the column 'soc_pct'."
        #expect(failure("\(VerdictTests.header)\n2,1,1,1,1\n") == column)
        #expect(failure("\(VerdictTests.header)\n2,1,1,1,1,nan,3\n") == column)
        #expect(failure(VerdictTests.header) == "The truth has no rows.")
    }

    private func failure(_ table: String) -> String? {
        #expect(throws: Truth.Failure.self) { try Truth(table: table) }?.description
    }

    @Test(
        "rates may be off by 1 W, the level by 1 % and the house by 4 W, and no more",
        arguments: [
            (FlowState(solar: 1, home: 1324, battery: -1, level: 11.4, grid: 1323.6), true),
            (FlowState(solar: 1.1, home: 1320, battery: 0, level: 10, grid: 1323), false),
            (FlowState(solar: 0, home: 1324.1, battery: 0, level: 10, grid: 1323), false),
            (FlowState(solar: 0, home: 1320, battery: 1.1, level: 10, grid: 1323), false),
            (FlowState(solar: 0, home: 1320, battery: 0, level: 9.3, grid: 1323), false),
            (FlowState(solar: 0, home: 1320, battery: 0, level: 10, grid: -1323), false),
            (FlowState(solar: 0, home: 1320, battery: 0, level: nil, grid: 1323), false),
            (FlowState(), false),
        ]
    )
    func tolerance(widget: FlowState, isRight: Bool) {
        #expect(Verdict(widget: widget, truth: VerdictTests.truth).isRight == isRight)
    }

    @Test("the table has a line a slot, and names what is wrong")
    func table() {
        let widget = FlowState(solar: 0, home: 1325, battery: -250, grid: 1323)
        #expect(
            Verdict(widget: widget, truth: VerdictTests.truth).table == [
                "  slot        widget       truth",
                "  Solar          0 W       0.0 W   right",
                "  Battery     −250 W       0.0 W   WRONG",
                "  Level            –      10.4 %   WRONG",
                "  Grid        1323 W    1322.6 W   right",
                "  Home        1325 W    1320.0 W   WRONG",
            ]
        )
    }
}

@Suite("What stands beside the flow, beside the truth")
struct SideVerdictTests {
    private let state = FlowState(solar: 0, home: 1320, battery: 0, level: 10.4, grid: 1322.6)
    private let start = Duration.seconds(1_773_921_600)

    private func isRight(progress change: JSONObject = [:], countdown other: JSONObject = [:]) -> Bool {
        let progress: JSONObject = [
            "template": "progress", "value": 0.1, "trend": "flat",
            "stat_rows": [
                ["label": "Solar", "value": "0.0", "unit": "kW"], ["label": "Grid", "value": "1.3", "unit": "kW"],
            ],
        ]
        let countdown: JSONObject = [
            "template": "countdown", "start_date": "2026-03-19T12:00:00Z", "end_date": "2026-03-19T12:01:00Z",
            "expired_text": "Over",
        ]
        var verdict = Verdict(widget: state, truth: state)
        verdict.add(progress: MergePatch.apply(change, to: progress), truth: state)
        verdict.add(countdown: MergePatch.apply(other, to: countdown), from: start, to: start + .seconds(60))
        #expect(verdict.rows.count == 9)
        return verdict.isRight
    }

    @Test("a progress shows the level to a hundredth, with its rows and trend")
    func progress() {
        #expect(isRight())
        #expect(isRight(progress: ["value": 0.11]))
        for change in [["value": 0.12], ["value": .null], ["trend": .null], ["stat_rows": .null], ["stat_rows": []]]
            as [JSONObject]
        {
            #expect(!isRight(progress: change))
        }
    }

    @Test(
        "each row of a progress is judged: its value to the decimal, its unit, its label, its presence",
        arguments: [
            ("0.0", "1.3", "kW", "Grid", true), ("-0.0", "1.3", "kW", "Grid", true),
            ("0.1", "1.3", "kW", "Grid", false),
            ("0.0", "1.4", "kW", "Grid", false), ("0.0", "1.2", "kW", "Grid", false),
            ("0.0", "-1.3", "kW", "Grid", false), ("0.0", "–", "kW", "Grid", false),
            ("0.0", "1.3", "W", "Grid", false), ("0.0", "1.3", "kW", "Home", false),
            ("9.9", "9.9", "kW", "Grid", false),
        ] as [(String, String, String, String, Bool)]
    )
    func rows(solar: String, grid: String, unit: String, label: String, isRight: Bool) {
        let rows: JSONValue = [
            ["label": "Solar", "value": .string(solar), "unit": "kW"],
            ["label": .string(label), "value": .string(grid), "unit": .string(unit)],
        ]
        #expect(self.isRight(progress: ["stat_rows": rows]) == isRight)
    }

    @Test("a countdown counts between the two moments, and has a text for the end")
    func countdown() {
        for change in [
            ["end_date": "2026-03-19T12:01:01Z"], ["start_date": "2026-03-19T11:59:59Z"], ["start_date": .null],
            ["end_date": .null], ["expired_text": .null],
        ] as [JSONObject] {
            #expect(!isRight(countdown: change))
        }
    }
}
