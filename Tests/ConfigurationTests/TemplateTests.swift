import Bridge
import Configuration
import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

/// Readings of every kind, at lines 4 to 11, and a flow, at line 13.
private let head =
    soundHead + """
        readings:
          power: { topic: t/power }
          level: { topic: t/level, unit: "%" }
          today: { topic: t/today, unit: Wh, counts: today }
          left: { topic: t/left, unit: min }
          ends: { topic: t/ends, unit: timestamp }
          water: { topic: t/water, unit: L/min }
          tank: { topic: t/tank, unit: "%" }
        widgets:
          home: { template: flow, name: Home, storage: { rate: { charging: power }, level: level } }
          well: { template: flow, name: Well, unit: L/min, storage: { rate: { charging: water }, level: tank } }
          bare: { template: flow, name: Bare, storage: { rate: { charging: power } } }

        """

/// What a widget of this template with these keys is read into.
private func template(_ template: String, _ keys: String) throws -> TemplatePlan {
    let result = ConfigurationReader().read(text: head + "  w: { template: \(template), name: W, \(keys) }\n")
    let errors = result.problems.filter { $0.severity == .error }
    let settings = try #require(result.settings, "\(errors)")
    return try #require(settings.bridge.widgets.last?.template)
}

/// The problems of such a widget, without those about readings that are not used here.
private func problems(_ template: String, _ keys: String) -> [String] {
    let text = head + "  w: { template: \(template), name: W,\n    \(keys) }\n"
    return ConfigurationReader().read(text: text).problems
        .filter { !$0.message.contains("is not used by any widget") }
        .map { problem in
            let place = problem.place.map { $0.line == 17 ? "\($0.column)" : "\($0.line):\($0.column)" } ?? ""
            return "\(place): \(problem.message)"
        }
}

/// One slip and what is said of it; columns count from where the keys stand.
struct TemplateSlip: CustomTestStringConvertible, Sendable {
    let template: String
    let keys: String
    let expected: [String]

    init(_ template: String, _ keys: String, _ expected: String...) {
        (self.template, self.keys, self.expected) = (template, keys, expected)
    }

    var testDescription: String { keys }
}

@Suite("Progress and countdown")
struct TemplateTests {
    private let power = 0
    private let level = 1
    private let today = 2
    private let left = 3
    private let ends = 4

    @Test("every form of a progress arrives")
    func progress() throws {
        #expect(
            try template("progress", "value: level")
                == .progress(ProgressDefinition(value: .level(ReadingSum([level]))), [])
        )
        let row = StatRow(
            label: try #require(BoundedText("Power")),
            unit: BoundedText("kW"),
            factor: 0.001,
            decimals: 1
        )
        let plain = StatRow(label: try #require(BoundedText("Today")), unit: BoundedText("kWh"))
        #expect(
            try template(
                "progress",
                "value: { of: today, goal: 30000 Wh }, window: { start: left, end: ends }, trend: 1h, "
                    + "stat_rows: [{ label: Power, value: power, unit: kW, decimals: 1 }, { label: Today, value: today }]"
            )
                == .progress(
                    ProgressDefinition(
                        value: .share(ReadingSum([today]), goal: 30),
                        window: .readings(start: .elapsed(left), end: .timestamp(ends)),
                        trend: .seconds(3600),
                        rows: [ReadingSum([power]), ReadingSum([today])]
                    ),
                    [row, plain]
                )
        )
        let evening = try #require(TimeOfDay(hour: 22, minute: 0))
        let morning = try #require(TimeOfDay(hour: 6, minute: 30))
        #expect(
            try template("progress", "window: { start: \"22:00\", end: 6:30 }")
                == .progress(ProgressDefinition(window: .daily(start: evening, end: morning)), [])
        )
    }

    @Test("every form of a countdown arrives")
    func countdown() throws {
        let text = BoundedText<ExpiredTextBound>("Done")
        let evening = try #require(TimeOfDay(hour: 22, minute: 0))
        let flow = FlowDefinition(
            storage: SlotDefinition(rate: .signed(ReadingSum([power]), reversed: false), level: ReadingSum([level]))
        )
        let forms: [(String, CountdownDefinition)] = [
            ("end: ends", .reading(start: nil, end: .timestamp(ends))),
            ("end: left, start: left", .reading(start: .elapsed(left), end: .remaining(left))),
            ("end: \"22:00\"", .daily(start: nil, end: evening)),
            (
                "end: { when: full, of: home, capacity: 10 kWh }",
                .estimate(start: nil, StorageEstimate(.full, capacity: 10), of: flow)
            ),
            (
                "start: ends, end: { when: empty, of: home, capacity: 9500 Wh, efficiency: 90 % }",
                .estimate(
                    start: .timestamp(ends),
                    StorageEstimate(.empty, capacity: 9.5, efficiency: 0.9),
                    of: flow
                )
            ),
            (
                "end: { when: 80 %, of: { rate: { charging: power }, level: level }, capacity: 10kWh }",
                .estimate(start: nil, StorageEstimate(.level(80), capacity: 10), of: flow)
            ),
        ]
        for (keys, definition) in forms {
            #expect(try template("countdown", keys + ", expired_text: Done") == .countdown(definition, text), "\(keys)")
        }
        #expect(try template("countdown", "end: ends") == .countdown(forms[0].1, nil))
        guard
            case .countdown(.estimate(_, let estimate, _), _) = try template(
                "countdown",
                "end: { when: empty, of: well, capacity: 500 L }"
            )
        else {
            Issue.record("no estimate")
            return
        }
        #expect(estimate == StorageEstimate(.empty, capacity: 500))
    }

    @Test("a countdown may name a flow that stands below it")
    func order() {
        let text =
            soundHead + """
                readings:
                  power: { topic: t/power }
                  level: { topic: t/level, unit: "%" }
                widgets:
                  full: { template: countdown, name: F, end: { when: full, of: home, capacity: 10 kWh } }
                  home: { template: flow, name: H, storage: { rate: { charging: power }, level: level } }

                """
        let result = ConfigurationReader().read(text: text)
        #expect(result.problems == [])
        #expect(result.settings?.bridge.widgets.map(\.widget.slug.description) == ["full", "home"])
    }

    @Test("severity and actions arrive")
    func shared() throws {
        let text =
            head + "  w: { template: progress, name: W, value: level, severity: critical, "
            + "tap_action: { url: \"https://example.org\", foreground: true }, "
            + "url_action: { url: \"https://example.org\", method: POST, body: \"on\", title: On } }\n"
        let shared = try #require(ConfigurationReader().read(text: text).settings?.bridge.widgets.last?.widget.shared)
        #expect(shared.severity == .critical)
        #expect(shared.tapAction == WidgetAction(["url": "https://example.org", "foreground": true]))
        #expect(
            shared.urlAction
                == WidgetAction(["url": "https://example.org", "method": "POST", "body": "on", "title": "On"])
        )
    }

    @Test(
        "slips are each reported where they stand",
        arguments: [
            TemplateSlip("progress", "label: x", "16:3: widgets.w has nothing to show; give it a value or a window"),
            TemplateSlip("progress", "valeu: level", "5: unknown key 'valeu' in widgets.w (did you mean 'value'?)"),
            TemplateSlip(
                "progress",
                "value: level, end: ends",
                "19: 'end' in widgets.w belongs to the template countdown"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, inputs: []",
                "16: 'inputs' in widgets.w belongs to the template flow"
            ),
            TemplateSlip("countdown", "end: ends, unit: W", "16: 'unit' in widgets.w belongs to the template flow"),
            TemplateSlip("countdown", "start: ends", "16:3: missing key 'end' in widgets.w"),
            TemplateSlip(
                "progress",
                "value: today",
                "12: widgets.w.value needs a reading in % or as a fraction, and 'today' is in 'Wh'; write { of: today, goal: "
                    + "30 Wh } for its share of a goal"
            ),
            TemplateSlip(
                "progress",
                "value: { sum: [level, tank] }",
                "12: widgets.w.value cannot be a sum: levels do not add up; write { of: { sum: [a, b] }, goal: 30 kWh }"
            ),
            TemplateSlip(
                "progress",
                "value: { of: today, goal: 30 kW }",
                "31: widgets.w.value.goal is in 'kW', and 'today' is in 'Wh'"
            ),
            TemplateSlip(
                "progress",
                "value: { of: today, goal: 30 kwh }",
                "31: widgets.w.value.goal is in no unit: 'kwh' (did you mean 'kWh'?)"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: 80 percent, of: home, capacity: 10 KWh }",
                "18: widgets.w.end.when is in no unit: 'percent' (did you mean '%'?)",
                "50: widgets.w.end.capacity is in no unit: 'KWh' (did you mean 'kWh'?)"
            ),
            TemplateSlip(
                "progress",
                "value: { of: today, goal: 30 }",
                "31: widgets.w.value.goal must be a number and its unit, such as 30 kWh, not '30'"
            ),
            TemplateSlip(
                "progress",
                "value: { of: today, goal: 0 kWh }",
                "31: widgets.w.value.goal must be more than 0"
            ),
            TemplateSlip(
                "progress",
                "value: { of: today, goal: -3 kWh }",
                "31: widgets.w.value.goal must be more than 0"
            ),
            TemplateSlip("progress", "value: { of: today }", "12: missing key 'goal' in widgets.w.value"),
            TemplateSlip("progress", "window: { start: ends }", "5: missing key 'end' in widgets.w.window"),
            TemplateSlip(
                "progress",
                "window: { start: \"22:00\", end: ends }",
                "5: widgets.w.window needs two readings or two times of the day, not one of each"
            ),
            TemplateSlip(
                "progress",
                "window: { start: \"22:00\", end: \"22:00\" }",
                "5: widgets.w.window begins and ends at 22:00, and would never be over"
            ),
            TemplateSlip(
                "progress",
                "window: { start: \"24:00\", end: \"06:0\" }",
                "22: widgets.w.window.start is no time of the day: '24:00' (write 06:30 or 22:00)",
                "36: widgets.w.window.end is no time of the day: '06:0' (write 06:30 or 22:00)"
            ),
            TemplateSlip(
                "progress",
                "window: { start: power, end: ends }",
                "22: widgets.w.window.start needs a reading of a point in time (unit: timestamp) or of the time that has "
                    + "passed (unit: s, min or h), and 'power' is in 'W'"
            ),
            TemplateSlip(
                "progress",
                "window: { start: ends, end: ends }, trend: true",
                "41: widgets.w.trend needs widgets.w.value: a window knows only one way"
            ),
            TemplateSlip("progress", "value: level, trend: 5s", "26: widgets.w.trend must be between 1m and 1d"),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: [{ label: A, value: ends }]",
                "50: widgets.w.stat_rows[0].value cannot be a point in time, and 'ends' is one"
            ),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: [{ label: A, value: power, unit: kWh }]",
                "63: widgets.w.stat_rows[0].unit is 'kWh', and the value is in 'W'"
            ),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: [{ label: A, value: { sum: [power, level] } }]",
                "65: widgets.w.stat_rows[0].value adds readings of different kinds"
            ),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: [{ label: A, value: power, decimals: 7 }]",
                "67: widgets.w.stat_rows[0].decimals must be a whole number from 0 to 6"
            ),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: [{ label: 123456789012345678901234567890123x, value: power }]",
                "40: widgets.w.stat_rows[0].label has 34 characters; the service takes at most 32"
            ),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: [{ value: power, unit: 12345678901234567x }]",
                "31: missing key 'label' in widgets.w.stat_rows[0]",
                "53: widgets.w.stat_rows[0].unit has 18 characters; the service takes at most 16"
            ),
            TemplateSlip(
                "progress",
                "value: level, stat_rows: "
                    + "[\(String(repeating: "{ label: A, value: power }, ", count: 6)){ label: A, value: level }]",
                "199: widgets.w.stat_rows has 7 entries; the service takes at most 6"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, start: \"22:00\"",
                "16: widgets.w.start and widgets.w.end must both be times of the day, or neither"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: full, of: home, capacity: 10 kWh }, start: \"22:00\"",
                "54: widgets.w.start and widgets.w.end must both be times of the day, or neither"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: ful, of: hone, capacity: 10 }",
                "18: widgets.w.end.when cannot be 'ful' (did you mean 'full'?)",
                "27: widgets.w.end.of: there is no widget 'hone' with the template flow (did you mean 'home'?)",
                "43: widgets.w.end.capacity must be a number and its unit, such as 10 kWh, not '10'"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: 80, of: home, capacity: 10 kWh }",
                "18: widgets.w.end.when must be a number and its unit, such as 80 %, not '80'"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: 120 %, of: home, capacity: 10 kWh }",
                "18: widgets.w.end.when must be a percentage up to 100 %, such as 80 %"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: full, of: bare, capacity: 10 kWh }",
                "28: widgets.w.end.of: the widget 'bare' has no storage with a level"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: full, of: home, capacity: 10 kW }",
                "44: widgets.w.end.capacity is in 'kW', and 'power' is in 'W'"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: full, of: well, capacity: 10 kWh }",
                "44: widgets.w.end.capacity is in 'kWh', and 'water' is in 'L/min'"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: full, of: home, capacity: 10 kWh, efficiency: 120 % }",
                "64: widgets.w.end.efficiency must be a percentage up to 100 %, such as 80 %"
            ),
            TemplateSlip(
                "countdown",
                "end: { when: full, of: { rate: power, level: power }, capacity: 10 kWh }",
                "36: widgets.w.end.of.rate needs a word for its sign: write { charging: NAME } when positive values are "
                    + "charging, { discharging: NAME } when they are discharging, or both for two readings that are never "
                    + "negative",
                "50: widgets.w.end.of.level needs a reading in % or as a fraction, and 'power' is in 'W'"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, expired_text: \(String(repeating: "x", count: 65))",
                "30: widgets.w.expired_text has 65 characters; the service takes at most 64"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, subtitle_timer: { since: left, until: ends }",
                "16: widgets.w.subtitle_timer needs one of { since: READING } for what has begun and { until: READING } for "
                    + "what is to come"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, subtitle_timer: { style: clock }",
                "16: widgets.w.subtitle_timer needs one of { since: READING } for what has begun and { until: READING } for "
                    + "what is to come",
                "41: widgets.w.subtitle_timer.style cannot be 'clock' (it is 'timer' or 'relative')"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, subtitle_timer: { since: power }",
                "41: widgets.w.subtitle_timer.since needs a reading of a point in time (unit: timestamp) or of the time that "
                    + "has passed (unit: s, min or h), and 'power' is in 'W'"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, subtitle_timer: { until: \"22:00\" }",
                "41: widgets.w.subtitle_timer.until must be a reading: a countdown takes times of the day"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, freshness: timer, subtitle_timer: { until: ends }",
                "34: widgets.w.subtitle_timer cannot stand beside freshness: timer, which shows the age of the data in its "
                    + "place"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, severity: fatal",
                "26: widgets.w.severity cannot be 'fatal' (it is 'info', 'warning', 'critical' or 'success')"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, tap_action: { url: \"javascript:alert(1)\" }",
                "35: widgets.w.tap_action.url: the scheme javascript is refused"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, tap_action: { url: \"example.org\", foreground: yes }",
                "35: widgets.w.tap_action.url: it must begin with a scheme, as in https://",
                "62: widgets.w.tap_action.foreground must be true or false"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, url_action: { url: \"shortcuts://x\", method: post, body: \"1\" }",
                "60: widgets.w.url_action.method cannot be 'post' (did you mean 'POST'?)",
                "72: widgets.w.url_action.body: it is allowed with http and https only"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, tap_action: { url: \"https://a.b\", title: T, headers: { A: b }, method: GET }",
                "50: widgets.w.tap_action.title is not shown; only buttons have titles",
                "60: widgets.w.tap_action.headers is stored by the service, where whoever has the key can read it; put no "
                    + "secret there"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, tap_action: { url: \"https://a.b\" }",
                "16: widgets.w.tap_action does nothing on the phone: a web address needs foreground: true to be opened, or a "
                    + "method to be requested"
            ),
            TemplateSlip(
                "countdown",
                "end: ends, tap_action: { url: \"https://a.b\", method: GET, headers: { A: \(String(repeating: "s", count: 1024)) } }",
                "72: widgets.w.tap_action.headers: they have 1025 bytes; 1024 are allowed"
            ),
        ]
    )
    func slips(slip: TemplateSlip) {
        #expect(problems(slip.template, slip.keys) == slip.expected)
    }

    @Test("check says once what the widgets ask of a phone")
    func appRequirement() throws {
        func sentence(_ widgets: String) throws -> String? {
            let text = soundHead + "readings:\n  level: { topic: t, unit: \"%\" }\n" + "widgets:\n" + widgets
            return AppRequirement.sentence(for: try #require(ConfigurationReader().read(text: text).settings))
        }
        let bar = "  bar: { template: progress, name: B, value: level }\n"
        let night = "  night: { template: progress, name: N, window: { start: \"22:00\", end: \"06:00\" } }\n"
        let end = "  end: { template: countdown, name: E, end: \"06:00\" }\n"
        #expect(try sentence(bar) == nil)
        let timed = "  bar: { template: progress, name: B, value: level, freshness: timer }\n"
        #expect(try sentence(timed)?.contains("the widget 'bar' makes") == true)
        #expect(
            try sentence(bar + end)
                == "Every phone of the account needs iOS 26 and the PushWard app 1.6 or newer. On an older app the widget "
                + "'end' makes the whole list of widgets fail; 'flowbridge widget delete' takes it away again."
        )
        #expect(
            try sentence(bar + night + end)
                == "Every phone of the account needs iOS 26 and the PushWard app 1.6 or newer. On an older app each of the "
                + "widgets 'night', 'end' makes the whole list of widgets fail; 'flowbridge widget delete' takes it away "
                + "again."
        )
    }
}
