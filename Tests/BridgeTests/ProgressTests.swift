import Bridge
import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("Progress")
struct ProgressTests {
    private var level: TemplatePlan {
        .progress(ProgressDefinition(value: .level(ReadingSum([TemplateBench.level]))), [])
    }

    private func window(value: Bool) -> TemplatePlan {
        .progress(
            ProgressDefinition(
                value: value ? .level(ReadingSum([TemplateBench.level])) : nil,
                window: .readings(start: .elapsed(TemplateBench.passed), end: .remaining(TemplateBench.left))
            ),
            []
        )
    }

    @Test(
        "a percentage becomes a fraction",
        arguments: [("42", 0.42), ("100", 1), ("100.4", 1), ("0", 0), ("99.6", 1), ("0.42", 0)]
            as [(String, Double)]
    )
    func percentage(payload: String, expected: Double) throws {
        var bench = try TemplateBench(level)
        bench.send("level", payload)
        bench.pass(60)
        #expect(bench.content?["value"]?.asNumber == expected)
        #expect(bench.refusals == [])
    }

    @Test("a level that cannot be leaves the widget as it was", arguments: ["-1", "4873", "NaN", "", "unavailable"])
    func unknown(payload: String) throws {
        var bench = try TemplateBench(level)
        bench.send("level", payload)
        bench.pass(120)
        #expect(bench.writes == [])
        bench.send("level", "42")
        bench.pass(120)
        bench.send("level", payload)
        bench.pass(120)
        #expect(bench.content == ["template": "progress", "label": "Car", "value": 0.42])
        #expect(bench.writes.count == 1)
    }

    @Test("a total of today is a share of its goal, clamped, and falls to nothing at midnight by time alone")
    func goal() throws {
        var bench = try TemplateBench(
            .progress(ProgressDefinition(value: .share(ReadingSum([TemplateBench.today]), goal: 30)), [])
        )
        bench.send("today", "12000")
        bench.pass(4 * 3600)
        #expect(bench.content?["value"] == 0.4)
        bench.send("today", "31000")
        bench.pass(120)
        #expect(bench.content?["value"] == 1)
        bench.pass(8 * 3600)
        #expect(bench.content?["value"] == 0)
        #expect(bench.refusals == [])
    }

    @Test("a window goes with the value; a value that is lost is nulled, a window that is left nulls both dates")
    func windows() throws {
        var bench = try TemplateBench(window(value: true))
        bench.send("passed", "600")
        bench.send("left", "3600")
        bench.send("level", "42")
        bench.pass(60)
        let whole: JSONObject = [
            "template": "progress", "label": "Car", "value": 0.42, "start_date": "2026-03-19T11:50:00Z",
            "end_date": "2026-03-19T13:00:00Z",
        ]
        #expect(bench.content == whole)
        bench.send("level", "unavailable")
        bench.pass(120)
        #expect(bench.writes.last == ["content": ["value": .null]])
        bench.send("level", "45")
        bench.send("left", "0")
        bench.pass(180)
        #expect(bench.content == ["template": "progress", "label": "Car", "value": 0.45])
        #expect(bench.refusals == [])
    }

    @Test("a window alone costs an update when it begins and one when it is over")
    func windowAlone() throws {
        var bench = try TemplateBench(window(value: false))
        bench.send("passed", "1")
        bench.send("left", "7200")
        bench.pass(3600)
        #expect(bench.content?["value"] == 0)
        #expect(bench.writes.count == 1)
        bench.pass(3720)
        #expect(bench.content?["value"] == 1)
        #expect(bench.writes.count == 2)
        bench.pass(86_400)
        #expect(bench.writes.count == 2)
    }

    @Test("the end of a window that a source reckons may be off by a sixth of the time left")
    func reckoned() throws {
        let window = ProgressDefinition.Window.readings(
            start: .elapsed(TemplateBench.passed),
            end: .remaining(TemplateBench.left)
        )
        var bench = try TemplateBench(.progress(ProgressDefinition(window: window), []))
        bench.send("passed", "600")
        bench.send("left", "7200")
        bench.pass(120)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(7200))
        bench.send("left", "6200")
        bench.pass(120)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(7200))
        bench.send("left", "5000")
        bench.pass(120)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(5240))
        #expect(bench.refusals == [])
    }

    @Test("a daily window comes round by itself")
    func daily() throws {
        let evening = try #require(TimeOfDay(hour: 22, minute: 0))
        let morning = try #require(TimeOfDay(hour: 6, minute: 0))
        var bench = try TemplateBench(
            .progress(ProgressDefinition(window: .daily(start: evening, end: morning)), [])
        )
        bench.pass(10 * 86_400)
        // The window that is over at the start, then one update at each beginning and one at each end.
        #expect(bench.writes.count == 21)
        #expect(bench.content?["value"] == 1)
        #expect(bench.refusals == [])
    }

    @Test("the trend follows the level, and rests with it, by time alone")
    func trend() throws {
        var bench = try TemplateBench(
            .progress(ProgressDefinition(value: .level(ReadingSum([TemplateBench.level])), trend: .seconds(1800)), [])
        )
        bench.send("level", "50")
        bench.pass(60)
        #expect(bench.content?["trend"] == "flat")
        for step in 1...10 {
            bench.send("level", "\(50 + step)")
            bench.pass(300)
        }
        #expect(bench.content?["trend"] == "up")
        bench.pass(3 * 3600)
        #expect(bench.content?["trend"] == "flat")
        for step in 1...10 {
            bench.send("level", "\(60 - step)")
            bench.pass(300)
        }
        #expect(bench.content?["trend"] == "down")
    }

    private func battery(trend: Duration? = nil) throws -> TemplatePlan {
        let row = StatRow(
            label: try #require(BoundedText("Power")),
            unit: BoundedText("kW"),
            factor: 0.001,
            decimals: 1
        )
        let definition = ProgressDefinition(
            value: .level(ReadingSum([TemplateBench.level])),
            trend: trend,
            rows: [ReadingSum([TemplateBench.battery])]
        )
        return .progress(definition, [row])
    }

    private func row(_ value: String) -> JSONValue {
        [["label": "Power", "value": .string(value), "unit": "kW"]]
    }

    @Test("rows go along with the bar, and alone every half hour at most; one that is lost is seen to be at once")
    func rows() throws {
        var bench = try TemplateBench(try battery())
        bench.send("level", "50")
        bench.send("battery", "1000")
        bench.pass(60)
        #expect(bench.content?["stat_rows"] == row("1.0"))
        for second in 1...360 {
            bench.send("battery", "\(1000 + second * 10)")
            bench.pass(10)
        }
        #expect(bench.writes.count == 3)
        bench.send("battery", "5000")
        bench.send("level", "53")
        bench.pass(60)
        #expect(bench.content?["stat_rows"] == row("5.0"))
        bench.send("battery", "")
        bench.pass(120)
        #expect(bench.content?["stat_rows"] == row("–"))
        #expect(bench.refusals == [])
    }

    @Test("a window alone with rows costs an update each half hour")
    func windowWithRows() throws {
        let row = StatRow(label: try #require(BoundedText("Power")))
        var bench = try TemplateBench(
            .progress(
                ProgressDefinition(
                    window: .readings(start: .elapsed(TemplateBench.passed), end: .remaining(TemplateBench.left)),
                    rows: [ReadingSum([TemplateBench.battery])]
                ),
                [row]
            )
        )
        bench.send("passed", "1")
        bench.send("left", "7200")
        for second in 0..<710 {
            bench.send("battery", "\(second)")
            bench.pass(10)
        }
        #expect(bench.writes.count == 4)
        #expect(bench.refusals == [])
    }

    @Test("a level that trembles costs nothing, and one that rises slowly is followed to within two points")
    func calm() throws {
        var bench = try TemplateBench(level)
        for second in 0..<240 {
            bench.send("level", second % 2 == 0 ? "42.4" : "42.6")
            bench.pass(30)
        }
        #expect(bench.writes.count == 1)
        for step in 0..<540 {
            bench.send("level", "\(Double(430 + step) / 10)")
            bench.pass(120)
            let shown = try #require(bench.content?["value"]?.asNumber) * 100
            #expect((shown - Double(430 + step) / 10).magnitude <= 2.6)
        }
        #expect(bench.writes.count < 30)
        bench.send("level", "100")
        bench.pass(120)
        #expect(bench.content?["value"] == 1)
        #expect(bench.refusals == [])
    }

    @Test("a level that is lost keeps the bar, renews the rows, ends the trend, and lets the widget go stale")
    func lost() throws {
        var bench = try TemplateBench(try battery(trend: .seconds(1800)), staleAfter: 600)
        bench.send("level", "42")
        bench.send("battery", "1000")
        bench.pass(10)
        for _ in 0..<20 {
            bench.pass(60)
            bench.send("level", "42")
            bench.send("battery", "1000")
        }
        #expect(bench.writes.count == 5 && bench.heartbeats == 4)
        bench.send("level", "unavailable")
        for _ in 0..<60 {
            bench.send("battery", "0")
            bench.pass(60)
        }
        #expect(
            bench.content
                == ["template": "progress", "label": "Car", "value": 0.42, "stat_rows": row("0.0")]
        )
        #expect(bench.writes.count == 6 && bench.heartbeats == 4)
        bench.send("level", "42")
        bench.pass(600)
        #expect(bench.content?["trend"] == "flat")
        #expect(bench.refusals == [])
    }

    @Test("a source that falls silent lets the widget go stale, however lively its rows are")
    func silent() throws {
        var bench = try TemplateBench(try battery(), staleAfter: 600)
        bench.send("level", "42")
        for _ in 0..<120 {
            bench.send("battery", "1000")
            bench.pass(60)
        }
        #expect(bench.heartbeats <= 2)
    }

    @Test("a level that is not there at a start leaves the rows that the service holds until it is known")
    func startWithoutLevel() throws {
        var bench = try TemplateBench(try battery())
        bench.send("level", "42")
        bench.send("battery", "1000")
        bench.pass(60)
        try bench.restart(try battery())
        bench.send("battery", "0")
        bench.pass(600)
        #expect(bench.writes.count == 1)
    }

    @Test("what lives on times of day alone is its own source of life")
    func timesOfDay() throws {
        let evening = try #require(TimeOfDay(hour: 22, minute: 0))
        let morning = try #require(TimeOfDay(hour: 6, minute: 0))
        let templates: [TemplatePlan] = [
            .progress(ProgressDefinition(window: .daily(start: evening, end: morning)), []),
            .countdown(.daily(start: evening, end: morning), nil),
        ]
        for template in templates {
            var bench = try TemplateBench(template, staleAfter: 3600)
            bench.pass(36 * 3600)
            // One each half hour, but for those that a change came in the place of.
            #expect((66...72).contains(bench.heartbeats))
            #expect(bench.refusals == [])
        }
    }
}

@Suite("A change of template")
struct TemplateChangeTests {
    @Test("leaves exactly the document that a fresh create would give, whatever follows whatever")
    func templates() throws {
        let appearance = FlowAppearance(unit: try #require(BoundedText("W")))
        let templates: [TemplatePlan] = [
            .flow(TemplateBench.flow, appearance),
            .progress(
                ProgressDefinition(
                    value: .level(ReadingSum([TemplateBench.level])),
                    window: .readings(start: .elapsed(TemplateBench.passed), end: .remaining(TemplateBench.left)),
                    trend: .seconds(1800),
                    rows: [ReadingSum([TemplateBench.battery])]
                ),
                [StatRow(label: try #require(BoundedText("Power")))]
            ),
            .progress(ProgressDefinition(value: .level(ReadingSum([TemplateBench.level]))), []),
            .countdown(
                .reading(start: .elapsed(TemplateBench.passed), end: .remaining(TemplateBench.left)),
                BoundedText("Done")
            ),
            .countdown(.estimate(start: nil, StorageEstimate(.full, capacity: 10), of: TemplateBench.flow), nil),
        ]
        func feed(_ bench: inout TemplateBench) {
            bench.send("level", "50")
            bench.send("battery", "2000")
            bench.send("passed", "600")
            bench.send("left", "3600")
            bench.pass(60)
        }
        for first in templates {
            for second in templates where second != first {
                var switched = try TemplateBench(first)
                feed(&switched)
                #expect(switched.writes.count == 1)
                var fresh = switched
                try switched.restart(second)
                try fresh.restart(second, forgetting: true)
                feed(&switched)
                feed(&fresh)
                #expect(switched.content == fresh.content)
                #expect(switched.writes.count == 2)
                #expect(switched.refusals == [] && fresh.refusals == [])
                try switched.restart(first)
                feed(&switched)
                var original = try TemplateBench(first, at: switched.wall - .seconds(60))
                feed(&original)
                #expect(switched.content == original.content)
            }
        }
    }

    @Test(
        "shared members that leave the configuration leave the widget, with the same template too; what others set stays"
    )
    func shared() throws {
        let action = try #require(WidgetAction(["url": "https://example.org", "foreground": true]))
        let full = SharedContent(
            label: BoundedText("Car"),
            subtitle: BoundedText("Garage"),
            icon: BoundedText("car"),
            accentColor: WidgetColor("green"),
            severity: .warning,
            tapAction: action
        )
        let plain = TemplatePlan.progress(ProgressDefinition(value: .level(ReadingSum([TemplateBench.level]))), [])
        var bench = try TemplateBench(plain)
        bench.send("level", "50")
        bench.pass(60)
        try bench.restart(plain, full)
        bench.send("level", "50")
        bench.pass(60)
        #expect(bench.content?["subtitle"] == "Garage" && bench.content?["tap_action"] != nil)
        bench.meddle(["background_color": "red"])
        try bench.restart(plain)
        bench.send("level", "50")
        bench.pass(60)
        #expect(
            bench.content == ["template": "progress", "label": "Car", "value": 0.5, "background_color": "red"]
        )
        #expect(bench.writes.count == 3)
        // What was somebody else's at the first sight of it stays so.
        bench.meddle(["subtitle": "Mine"])
        try bench.restart(plain)
        bench.send("level", "50")
        bench.pass(60)
        #expect(bench.content?["subtitle"] == "Mine")
        #expect(bench.writes.count == 3 && bench.refusals == [])
    }

    @Test("what was set seconds before a power cut is known to be ours after it")
    func cut() throws {
        let plain = TemplatePlan.progress(ProgressDefinition(value: .level(ReadingSum([TemplateBench.level]))), [])
        var bench = try TemplateBench(plain)
        bench.send("level", "50")
        bench.pass(60)
        try bench.restart(plain, SharedContent(label: BoundedText("Car"), subtitle: BoundedText("Garage")))
        bench.send("level", "50")
        bench.pass(5)
        #expect(bench.content?["subtitle"] == "Garage")
        try bench.restart(plain, afterCut: true)
        bench.send("level", "50")
        bench.pass(120)
        #expect(bench.content?["subtitle"] == nil)
    }

    @Test("a widget that has left the configuration is named once, and not deleted")
    func departed() throws {
        let definition = try HomeBench.home()
        let now = Moment(uptime: .seconds(100), wall: HomeBench.noon)
        var bridge = Bridge(definition, calendar: .utc, notes: ["widgets": "car power"], seed: 1, at: now)
        let actions = bridge.advance(to: now)
        let lines = actions.compactMap { if case .log(let line) = $0 { line.message } else { nil } }
        #expect(
            lines == [
                "The widget 'car' is no longer in the configuration. It stays as it is; 'flowbridge widget delete car' "
                    + "deletes it."
            ]
        )
        let sent = actions.compactMap { if case .send(let request) = $0 { request } else { nil } }
        #expect(!sent.contains { $0.method == .delete })
        let kept = bridge.finish(at: now).compactMap {
            if case .keep(_, let notes, _) = $0 { notes["widgets"] } else { nil }
        }
        #expect(kept == ["power"])
    }
}
