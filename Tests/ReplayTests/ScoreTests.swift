import Delivery
import Readings
import Replay
import Testing
import Widgets

@Suite("Score")
struct ScoreTests {
    /// Three minutes in which 0 = input + exchange − storage − output.
    private static let table = """
        unix,solar_w,house_w,battery_w_charging_positive,grid_w_import_positive,soc_pct
        1000,100,200,0,100,50
        1060,200,100,50,-50,50
        1120,0,100,0,100,50

        """

    @Test("Mean, percentile and relative error are those that a hand computes")
    func errors() throws {
        let frames = [
            ShownError.Frame(
                at: .seconds(1030),
                power: PowerBySlot(input: 100, storage: 0, exchange: 100, output: 200)
            ),
            ShownError.Frame(
                at: .seconds(1090),
                power: PowerBySlot(input: 200, storage: 50, exchange: -50, output: 100)
            ),
        ]
        let error = try ShownError(of: frames, against: TruthTable(csv: ScoreTests.table))
        // In W·s: 100·30 + 100·30 + 200·60, 50·30 + 50·60, 100·30 + 150·30 + 150·60, 200·30 + 100·30, in 180 s.
        #expect(error.mean.slots.close(to: [100, 25, 16_500.0 / 180, 50]))
        #expect(error.percentile95 == PowerBySlot(input: 200, storage: 50, exchange: 150, output: 200))
        // 18,000 + 4,500 + 16,500 + 9,000 of (400 + 400 + 200) · 60.
        #expect(abs(error.relative - 0.8) < 1e-12)
    }

    @Test("The percentile leaves out the worst 5 % of the time", arguments: [(5, 1.0), (6, 1000.0)])
    func percentile(worst: Int, expected: Double) throws {
        let rows = (0..<100).map { minute in
            let watts = minute < worst ? 1000.0 : 1
            return TruthTable.Row(
                at: .seconds(60 * minute),
                power: PowerBySlot(input: watts, storage: 0, exchange: 0, output: 0)
            )
        }
        let error = try ShownError(of: [], against: #require(TruthTable(rows: rows)))
        #expect(error.percentile95.slots[0] == expected)
    }

    @Test("A widget's line has its requests, bytes and errors")
    func line() throws {
        var score = Score()
        let content: JSONObject = [
            "unit": "kW",
            "flow": ["inputs": [["rate": 0.06], ["rate": 0.04]], "exchange": ["rate": 0.1], "output": ["rate": 0.2]],
        ]
        let creation: JSONObject = ["slug": "power", "content": .object(content)]
        let patches: [JSONObject] = [
            ["content": ["flow": ["inputs": [["rate": 0.2]], "storage": ["rate": 0.05], "exchange": ["rate": -0.05]]]],
            ["name": "x"],
        ]
        score.take(.write(at: .seconds(990), request(.post, "/widgets", creation)))
        score.take(.write(at: .seconds(1060), request(.patch, "/widgets/power", patches[0])))
        score.take(.write(at: .seconds(1100), request(.patch, "/widgets/power", patches[1])))
        let sizes = [creation, patches[0], patches[1]].map { $0.description.utf8.count }
        // Right for a minute; then the output is off by 100 W; then input 200, storage 50, exchange 150, output 100.
        let expected: JSONObject = [
            "slug": "power", "requests": 3, "bytes": JSONValue(sizes.reduce(0, +)),
            "patch": ["median": JSONValue(sizes[1]), "largest": JSONValue(sizes[1])],
            "error": [
                "input": ["mean": 66.7, "of_peak": 0.33333, "p95": 200],
                "storage": ["mean": 16.7, "of_peak": 0.33333, "p95": 50],
                "exchange": ["mean": 50, "of_peak": 0.5, "p95": 150],
                "output": ["mean": 66.7, "of_peak": 0.33333, "p95": 100],
            ],
            "r": 0.6,
        ]
        #expect(try score.lines(against: TruthTable(csv: ScoreTests.table)) == [expected.description])
    }

    @Test("A widget that shows no power has no errors")
    func noPower() throws {
        var score = Score()
        let content: JSONValue = ["unit": "L/min", "flow": ["output": ["rate": 3]]]
        score.take(.write(at: .seconds(990), request(.post, "/widgets", ["slug": "water", "content": content])))
        let size = #"{"slug":"water","content":{"unit":"L/min","flow":{"output":{"rate":3}}}}"#.utf8.count
        #expect(
            try score.lines(against: TruthTable(csv: ScoreTests.table))
                == [#"{"slug":"water","requests":1,"bytes":\#(size)}"#]
        )
    }

    @Test("Columns of a truth may stand in any order, with others between them")
    func columns() throws {
        let text =
            "house_w,x,unix,grid_w_import_positive,solar_w,battery_w_charging_positive\r\n4,y,0,3,1,2\r\n8,,60,7,5,6\r\n"
        let table = try TruthTable(csv: text)
        #expect(table.rows.map(\.at) == [.zero, .seconds(60)])
        #expect(table.rows[1].power == PowerBySlot(input: 5, storage: 6, exchange: 7, output: 8))
        #expect(table.end == .seconds(120))
        #expect(table.peak == PowerBySlot(input: 5, storage: 6, exchange: 7, output: 8))
    }

    @Test(
        "What is no truth is told by line",
        arguments: [
            ("", "The truth's first line names no column 'unix'."),
            ("unix,solar_w,house_w\n", "The truth's first line names no column 'battery_w_charging_positive'."),
            (
                table.replacing(",-50,", with: ",nan,"),
                "Line 3 of the truth has no number in the column 'grid_w_import_positive'."
            ),
            (
                table.replacing("1060,200,100,50,-50,50", with: "1060,200"),
                "Line 3 of the truth has no number in the column 'battery_w_charging_positive'."
            ),
            (table.replacing("1120", with: "1060"), "Line 4 of the truth is not later than the one before it."),
            (String(table.prefix(100)), "The truth needs two rows at least."),
        ]
    )
    func wrongTruth(text: String, sentence: String) {
        let error = #expect(throws: TruthError.self) { try TruthTable(csv: text) }
        #expect(error?.description == sentence)
    }

    private func request(_ method: RequestMethod, _ path: String, _ body: JSONObject) -> WidgetRequest {
        WidgetRequest(id: 1, method: method, path: path, body: .object(body))
    }
}

extension SIMD4<Double> {
    fileprivate func close(to other: Self) -> Bool {
        indices.allSatisfy { abs(self[$0] - other[$0]) < 1e-9 }
    }
}

@Suite("Replay plans")
struct ReplayPlanTests {
    @Test(
        "A plan is a budget in the configuration's words, or an account",
        arguments: [
            ("auto", Budget.auto, nil), ("unlimited", .unlimited, nil), ("72/day", .daily(72), nil),
            ("50/month", .monthly(50), nil), ("paid", .auto, nil), ("free", .auto, 50),
        ] as [(String, Budget, Int?)]
    )
    func words(text: String, budget: Budget, limit: Int?) throws {
        let plan = try #require(ReplayPlan(text))
        #expect(plan.budget == budget)
        #expect(plan.monthlyLimit == limit)
    }

    @Test("Anything else is none", arguments: ["", "Free", "72", "72/week", "0/day", "-1/day", "free/day"])
    func wrongWords(text: String) {
        #expect(ReplayPlan(text) == nil)
    }

    @Test("An account with a limit refuses more, tells what it has, and begins anew with the month")
    func account() throws {
        var server = VirtualServer(monthlyLimit: 2)
        let end = try #require(RFC3339.parse("2026-03-31T23:59:59Z"))
        #expect(write(&server, .post, at: end) == 201)
        #expect(write(&server, .patch, at: end) == 200)
        #expect(write(&server, .patch, at: end) == 429)
        #expect(try used(&server, at: end) == 2)
        #expect(try used(&server, at: end + .seconds(1)) == 0)
        #expect(write(&server, .patch, at: end + .seconds(1)) == 200)
        #expect(try used(&server, at: end + .seconds(1)) == 1)
    }

    private func write(_ server: inout VirtualServer, _ method: RequestMethod, at wall: Duration) -> Int? {
        let path = method == .post ? "/widgets" : "/widgets/power"
        let request = WidgetRequest(id: 1, method: method, path: path, body: ["slug": "power"])
        guard case .response(let response) = server.answer(request, at: Moment(uptime: .zero, wall: wall)) else {
            return nil
        }
        return response.status
    }

    private func used(_ server: inout VirtualServer, at wall: Duration) throws -> Double? {
        let request = WidgetRequest(id: 1, method: .get, path: "/auth/me")
        guard case .response(let response) = server.answer(request, at: Moment(uptime: .zero, wall: wall)) else {
            return nil
        }
        return try JSONValue(parsing: response.body).asObject?["widget_updates_used"]?.asNumber
    }
}
