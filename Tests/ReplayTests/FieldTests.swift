import Testing
import Widgets

/// A template with keys of its configuration.
struct Keys: CustomTestStringConvertible, Sendable {
    let template: String
    let keys: String

    init(_ template: String, _ keys: String) {
        (self.template, self.keys) = (template, keys)
    }

    /// Each template, with as little as it takes.
    static let flow = Keys("flow", "inputs: [{ rate: power }]")
    static let progress = Keys("progress", "value: level")
    static let countdown = Keys("countdown", "end: ends")
    static let all = [flow, progress, countdown]

    /// With more keys.
    func with(_ more: String) -> Keys { Keys(template, more.isEmpty ? keys : "\(keys), \(more)") }

    var testDescription: String { String("\(template): \(keys)".prefix(120)) }

    /// The widget that the service holds once all readings have come.
    func widget(slug: String = "w", name: String? = "W") throws -> JSONObject {
        let name = name.map { "name: \"\($0)\", " } ?? ""
        var stand = try Stand(slug: slug, template, name + "push: { budget: unlimited }, " + keys)
        for (reading, payload) in [
            ("power", "1500"), ("grid", "-900"), ("water", "12"), ("level", "42"), ("today", "12000"),
            ("passed", "10"), ("left", "120"), ("begins", "2026-03-19T11:00:00Z"), ("ends", "2026-03-19T15:00:00Z"),
        ] {
            stand.send(reading, payload)
        }
        stand.pass(.seconds(120))
        let (widget, refusals, lines) = (stand.widget, stand.refusals, stand.lines)
        #expect(refusals == [])
        return try #require(widget, "\(lines)")
    }

    func content() throws -> JSONObject {
        try #require(try widget()["content"]?.asObject)
    }

    /// What `check` says of it.
    var errors: [String] { Stand.check(template, "name: W, " + keys).errors }
}

/// Each field of the widget service for the three templates, from the configuration to a service that judges it.
@Suite("The service's fields, from the configuration to the service")
struct FieldTests {
    private static func json(_ text: String) throws -> JSONObject {
        try #require(try JSONValue(parsing: Array(text.utf8)).asObject)
    }

    // MARK: - What can be said

    @Test(
        "every field of a template is produced",
        arguments: [
            (Keys.flow, #"{"flow":{"inputs":[{"rate":1500}]},"unit":"W"}"#),
            (
                Keys(
                    "flow",
                    "inputs: [{ rate: power, name: Roof, icon: sun.max, color: yellow, total: today }, { rate: grid }, "
                        + "{ rate: { sum: [power, grid] } }]"
                ),
                """
                {"flow":{"inputs":[{"rate":1500,"name":"Roof","icon":"sun.max","color":"yellow","total":12},{"rate":0},
                {"rate":600}]},"unit":"W"}
                """
            ),
            (
                Keys(
                    "flow",
                    "storage: { rate: { charging: grid }, level: level, name: Battery, color: \"#00FF0080\" }"
                ),
                ##"{"flow":{"storage":{"rate":-900,"level":42,"name":"Battery","color":"#00FF0080"}},"unit":"W"}"##
            ),
            (
                Keys("flow", "exchange: { rate: { export: grid }, total: today, icon: bolt }, unit: kW"),
                #"{"flow":{"exchange":{"rate":0.9,"total":12,"icon":"bolt"}},"unit":"kW"}"#
            ),
            (
                Keys("flow", "output: { rate: water, name: Tap, color: blue }, unit: L/min"),
                #"{"flow":{"output":{"rate":12,"name":"Tap","color":"blue"}},"unit":"L/min"}"#
            ),
            (Keys.progress, #"{"value":0.42}"#),
            (Keys("progress", "value: { of: today, goal: 30 kWh }"), #"{"value":0.4}"#),
            (
                Keys("progress", "value: level, trend: true, window: { start: begins, end: ends }"),
                """
                {"value":0.42,"trend":"flat","start_date":"2026-03-19T11:00:00Z","end_date":"2026-03-19T15:00:00Z"}
                """
            ),
            (
                Keys("progress", "window: { start: passed, end: left }"),
                #"{"value":0.08,"start_date":"2026-03-19T11:50:00Z","end_date":"2026-03-19T14:00:00Z"}"#
            ),
            (
                Keys(
                    "progress",
                    "value: level, stat_rows: [{ label: Power, value: power, unit: kW, decimals: 1 }, "
                        + "{ label: Today, value: today }, { label: A, value: { sum: [power, grid] }, decimals: 0 }, "
                        + "{ label: B, value: level }, { label: C, value: water }, { label: D, value: left }]"
                ),
                """
                {"value":0.42,"stat_rows":[{"label":"Power","value":"1.5","unit":"kW"},
                {"label":"Today","value":"12.0","unit":"kWh"},{"label":"A","value":"600","unit":"W"},
                {"label":"B","value":"42","unit":"%"},{"label":"C","value":"12.0","unit":"L/min"},
                {"label":"D","value":"120","unit":"min"}]}
                """
            ),
            (Keys.countdown, #"{"end_date":"2026-03-19T15:00:00Z"}"#),
            (
                Keys("countdown", "end: ends, start: begins, expired_text: Done"),
                """
                {"start_date":"2026-03-19T11:00:00Z","end_date":"2026-03-19T15:00:00Z","expired_text":"Done"}
                """
            ),
            (
                Keys("countdown", "end: left, start: passed"),
                #"{"start_date":"2026-03-19T11:50:00Z","end_date":"2026-03-19T14:00:00Z"}"#
            ),
            (
                Keys("countdown", "end: \"15:30\", start: \"06:00\""),
                #"{"start_date":"2026-03-19T06:00:00Z","end_date":"2026-03-19T15:30:00Z"}"#
            ),
            (
                // 5.8 kWh at 1.5 kW, and a second for the frame to settle.
                Keys(
                    "countdown",
                    "end: { when: full, of: { rate: { charging: power }, level: level }, capacity: 10 kWh, efficiency: 100 % }"
                ),
                #"{"end_date":"2026-03-19T15:52:01Z"}"#
            ),
        ]
    )
    func fields(keys: Keys, expected: String) throws {
        var expected = try FieldTests.json(expected)
        expected["template"] = .string(keys.template)
        let content = try keys.content()
        #expect(content == expected, "\(content)")
    }

    @Test(
        "every shared field is produced by each template",
        arguments: Keys.all,
        [
            (#"label: "Power""#, #"{"label":"Power"}"#), (#"subtitle: "Roof""#, #"{"subtitle":"Roof"}"#),
            (
                "subtitle_timer: { until: ends }", #"{"subtitle_timer":{"date":"2026-03-19T15:00:00Z"}}"#
            ),
            (
                "subtitle_timer: { since: passed, style: relative }",
                #"{"subtitle_timer":{"date":"2026-03-19T11:50:00Z","style":"relative"}}"#
            ),
            (
                "subtitle_timer: { until: left, style: timer }",
                #"{"subtitle_timer":{"date":"2026-03-19T14:00:00Z","style":"timer"}}"#
            ),
            ("icon: bolt.fill", #"{"icon":"bolt.fill"}"#), (#"icon: "mdi:flash""#, #"{"icon":"mdi:flash"}"#),
            ("accent_color: Mint", #"{"accent_color":"mint"}"#),
            (##"background_color: "#102030""##, ##"{"background_color":"#102030"}"##),
            (##"text_color: "#10203040""##, ##"{"text_color":"#10203040"}"##),
            ("severity: info", #"{"severity":"info"}"#), ("severity: warning", #"{"severity":"warning"}"#),
            ("severity: critical", #"{"severity":"critical"}"#), ("severity: success", #"{"severity":"success"}"#),
            (
                #"tap_action: { url: "https://a.b/c", foreground: true, icon: i }"#,
                #"{"tap_action":{"url":"https://a.b/c","foreground":true,"icon":"i"}}"#
            ),
            (
                #"url_action: { url: "http://a.b", method: PUT, headers: { A: b, C: d }, body: x, title: T, icon: i }"#,
                """
                {"url_action":{"url":"http://a.b","method":"PUT","headers":{"A":"b","C":"d"},"body":"x","title":"T",
                "icon":"i"}}
                """
            ),
            (
                #"secondary_url_action: { url: "homeassistant://navigate/x", title: Home, foreground: false }"#,
                #"{"secondary_url_action":{"url":"homeassistant://navigate/x","title":"Home","foreground":false}}"#
            ),
        ]
    )
    func shared(keys: Keys, field: (yaml: String, json: String)) throws {
        let expected = MergePatch.apply(try FieldTests.json(field.json), to: try keys.content())
        #expect(try keys.with(field.yaml).content() == expected)
    }

    @Test("every colour, every method", arguments: Keys.all)
    func words(keys: Keys) throws {
        for color in [
            "red", "orange", "yellow", "green", "blue", "purple", "pink", "indigo", "teal", "cyan", "mint", "brown",
        ] {
            #expect(try keys.with("accent_color: \(color)").content()["accent_color"] == .string(color))
        }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] {
            let content = try keys.with("tap_action: { url: \"https://a.b\", method: \(method) }").content()
            #expect(content["tap_action"] == ["url": "https://a.b", "method": .string(method)])
        }
    }

    @Test("the age of the data is a timer that the phone counts", arguments: Keys.all)
    func age(keys: Keys) throws {
        let timer = try #require(try keys.with("freshness: timer").content()["subtitle_timer"]?.asObject)
        #expect(timer["style"] == "relative")
        #expect(timer["date"]?.asString?.hasPrefix("2026-03-19T12:0") == true)
    }

    @Test("the fields beside the content are produced by each template", arguments: Keys.all)
    func beside(keys: Keys) throws {
        for (throttle, seconds) in [("1s", 1), ("1h", 3600)] as [(String, JSONValue)] {
            #expect(try keys.with("push_throttle: \(throttle)").widget()["push_throttle"] == seconds)
        }
        for (stale, seconds) in [("60s", 60), ("7d", 604_800)] as [(String, JSONValue)] {
            #expect(try keys.with("stale_after: \(stale)").widget()["stale_after"] == seconds)
        }
        let widget = try keys.widget()
        #expect(widget["push_throttle"] == nil && widget["stale_after"] == nil)
        for slug in ["a", "0-_Z", String(repeating: "x", count: 128)] {
            #expect(try keys.widget(slug: slug)["slug"] == .string(slug))
        }
    }

    // MARK: - Bounds

    /// Where a text stands, with `$` for the text, and how long it may be.
    private static let texts: [(keys: Keys, limit: Int, place: String)] =
        Keys.all.flatMap { keys -> [(Keys, Int, String)] in
            [
                (keys.with("label: \"$\""), 256, "label"), (keys.with("subtitle: \"$\""), 256, "subtitle"),
                (keys.with("icon: \"$\""), 128, "icon"),
                (keys.with("url_action: { url: \"a://$\" }"), 2044, "url_action.url"),
                (keys.with("tap_action: { url: \"https://a.b\", method: GET, body: \"$\" }"), 1024, "tap_action.body"),
                (keys.with("url_action: { url: \"a:b\", title: \"$\" }"), 64, "url_action.title"),
                (keys.with("tap_action: { url: \"a:b\", icon: \"$\" }"), 64, "tap_action.icon"),
                (keys.with("secondary_url_action: { url: \"a:b\", title: \"$\" }"), 64, "secondary_url_action.title"),
            ]
        } + [
            (Keys("flow", "inputs: [{ rate: power, name: \"$\" }]"), 32, "inputs[0].name"),
            (Keys("flow", "inputs: [{ rate: power, icon: \"$\" }]"), 128, "inputs[0].icon"),
            (Keys("flow", "storage: { rate: { charging: power }, name: \"$\" }"), 32, "storage.name"),
            (Keys("flow", "exchange: { rate: { import: power }, icon: \"$\" }"), 128, "exchange.icon"),
            (Keys("flow", "output: { rate: power, name: \"$\" }"), 32, "output.name"),
            (Keys("progress", "value: level, stat_rows: [{ label: \"$\", value: power }]"), 32, "stat_rows[0].label"),
            (Keys("countdown", "end: ends, expired_text: \"$\""), 64, "expired_text"),
        ]

    @Test("a text may be as long as the service takes, in code points, and is refused by check when it is longer")
    func lengths() throws {
        // One to a reader, seven to the service.
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        for (keys, limit, place) in FieldTests.texts {
            func filled(_ text: String) -> Keys { Keys(keys.template, keys.keys.replacing("$", with: text)) }
            let isURL = place.hasSuffix("url")
            let families = String(repeating: family, count: limit / 7) + String(repeating: "x", count: limit % 7)
            let longest = isURL ? String(repeating: "x", count: limit) : families
            _ = try filled(longest).content()
            let errors = filled(longest + "x").errors
            #expect(errors.count == 1 && errors[0].hasPrefix("widgets.w.\(place)"), "\(place): \(errors)")
        }
    }

    @Test("a name has 1 to 256 characters")
    func names() throws {
        let longest = String(repeating: "\u{E9}", count: 256)
        #expect(try Keys.progress.widget(name: longest)["name"] == .string(longest))
        #expect(
            Stand.check("progress", "name: \"\(longest)x\", value: level").errors
                == ["widgets.w.name has 257 characters; the service takes at most 256"]
        )
        #expect(Stand.check("progress", "name: \"\", value: level").errors == ["widgets.w.name is empty"])
        #expect(Stand.check("progress", "value: level").errors == ["missing key 'name' in widgets.w"])
    }

    @Test(
        "a slug is letters, digits, - and _, and begins with a letter or digit",
        arguments: ["-a", "_a", "a b", "a/b", "\u{E9}", "a.b", String(repeating: "x", count: 129)]
    )
    func slugs(slug: String) {
        let errors = Stand.check(slug: slug, "progress", "name: W, value: level").errors
        #expect(errors.count == 1 && errors[0].contains("is no slug"))
    }

    @Test(
        "what the service would refuse is refused by check, for each template",
        arguments: Keys.all,
        [
            ("push_throttle: 0s", "push_throttle"), ("push_throttle: 3601s", "push_throttle"),
            ("stale_after: 59s", "stale_after"), ("stale_after: 604801s", "stale_after"),
            ("severity: Info", "severity"), ("severity: \"\"", "severity"), ("accent_color: magenta", "accent_color"),
            ("text_color: \"#FFF\"", "text_color"),
            ("background_color: \"#12345G\"", "background_color"), ("background_color: \"\"", "background_color"),
            ("label: 5", "label"), ("label: [a]", "label"), ("icon: true", "icon"), ("freshness: date", "freshness"),
            ("tap_action: {}", "tap_action"), ("tap_action: { url: \"\" }", "tap_action.url"),
            ("tap_action: { url: example.org }", "tap_action.url"),
            ("tap_action: { url: \"https://\" }", "tap_action.url"),
            ("tap_action: { url: \"https:///path\" }", "tap_action.url"),
            ("tap_action: { url: \"javascript:x\" }", "tap_action.url"),
            ("url_action: { url: \"data:text/plain,x\" }", "url_action.url"),
            ("url_action: { url: \"file:///etc\" }", "url_action.url"),
            ("secondary_url_action: { url: \"VBScript:x\" }", "secondary_url_action.url"),
            ("tap_action: { url: \"a:b\", method: GET }", "tap_action.method"),
            ("tap_action: { url: \"a:b\", headers: { A: b } }", "tap_action.headers"),
            ("tap_action: { url: \"a:b\", body: x }", "tap_action.body"),
            ("tap_action: { url: \"https://a.b\", method: get }", "tap_action.method"),
            ("tap_action: { url: \"https://a.b\", method: TRACE }", "tap_action.method"),
            ("tap_action: { url: \"https://a.b\", method: GET, headers: { A: [b] } }", "tap_action.headers.A"),
            ("tap_action: { url: \"https://a.b\", foreground: 1 }", "tap_action.foreground"),
            ("tap_action: { url: \"https://a.b\", colour: red }", "tap_action"),
            ("flavour: x", "flavour"),
        ]
    )
    func refused(keys: Keys, slip: (yaml: String, place: String)) {
        let errors = keys.with(slip.yaml).errors
        #expect(errors.count == 1, "\(errors)")
        let isUnknown = errors.first?.contains("unknown key '\(slip.place)' in widgets.w") == true
        #expect(errors.first?.contains("widgets.w.\(slip.place)") == true || isUnknown, "\(errors)")
    }

    @Test("headers have 1024 bytes in all, keys and values, whatever they are called")
    func headers() throws {
        func keys(_ value: String) -> Keys {
            Keys.countdown.with("tap_action: { url: \"https://a.b\", method: POST, headers: { X-A: \"\(value)\" } }")
        }
        let longest = String(repeating: "\u{E9}", count: 510) + "x"
        _ = try keys(longest).content()
        #expect(keys(longest + "x").errors == ["widgets.w.tap_action.headers: they have 1025 bytes; 1024 are allowed"])
    }

    // MARK: - What only a reading can break

    @Test(
        "what a reading brings is made to fit, or left out, before anything is sent",
        arguments: [
            // A source's noise below zero is no flow backwards.
            (Keys.flow, "power", "-3.2", #"{"flow":{"inputs":[{"rate":0}]},"unit":"W"}"#),
            (Keys.flow, "power", "nan", nil), (Keys.flow, "power", "inf", nil), (Keys.flow, "power", "1e400", nil),
            (Keys.flow, "power", "null", nil), (Keys.flow, "power", "true", nil), (Keys.flow, "power", "on", nil),
            (
                Keys("flow", "storage: { rate: { charging: power }, level: level }"), "level", "100.4",
                #"{"flow":{"storage":{"rate":1500,"level":100}},"unit":"W"}"#
            ),
            (
                Keys("flow", "storage: { rate: { charging: power }, level: level }"), "level", "4873",
                #"{"flow":{"storage":{"rate":1500}},"unit":"W"}"#
            ),
            (
                Keys("flow", "storage: { rate: { charging: power }, level: level }"), "level", "-1",
                #"{"flow":{"storage":{"rate":1500}},"unit":"W"}"#
            ),
            (
                Keys("flow", "inputs: [{ rate: power, total: today }]"), "today", "-5",
                #"{"flow":{"inputs":[{"rate":1500}]},"unit":"W"}"#
            ),
            (Keys.progress, "level", "42", #"{"value":0.42}"#), (Keys.progress, "level", "100.4", #"{"value":1}"#),
            (Keys.progress, "level", "0.42", #"{"value":0}"#), (Keys.progress, "level", "-1", nil),
            (Keys.progress, "level", "4873", nil), (Keys.progress, "level", "NaN", nil),
            (Keys.progress, "level", "101.1", nil),
            (Keys("progress", "value: { of: today, goal: 30 kWh }"), "today", "45000", #"{"value":1}"#),
            (Keys("progress", "value: { of: power, goal: 3 kW }"), "power", "-900", #"{"value":0}"#),
            (
                Keys("progress", "value: level, stat_rows: [{ label: P, value: power, decimals: 6 }]"), "power", "1e14",
                #"{"value":0.42,"stat_rows":[{"label":"P","value":"–","unit":"W"}]}"#
            ),
            (
                Keys("progress", "value: level, stat_rows: [{ label: P, value: power }]"), "power", "nan",
                #"{"value":0.42,"stat_rows":[{"label":"P","value":"–","unit":"W"}]}"#
            ),
            // A window that is none, or that the service would refuse, is left out.
            (
                Keys("progress", "value: level, window: { start: begins, end: ends }"), "begins",
                "2026-03-19T15:00:00Z", #"{"value":0.42}"#
            ),
            (
                Keys("progress", "value: level, window: { start: begins, end: ends }"), "ends", "2027-04-23T12:00:00Z",
                #"{"value":0.42}"#
            ),
            (
                Keys("progress", "value: level, window: { start: begins, end: ends }"), "begins", "0",
                #"{"value":0.42}"#
            ),
            (Keys.countdown, "ends", "1773932400", #"{"end_date":"2026-03-19T15:00:00Z"}"#),
            (Keys.countdown, "ends", "1773932400000", #"{"end_date":"2026-03-19T15:00:00Z"}"#),
            (Keys.countdown, "ends", "2026-03-19T16:00:00+01:00", #"{"end_date":"2026-03-19T15:00:00Z"}"#),
            (Keys.countdown, "ends", "2026-03-01T00:00:00Z", #"{"end_date":"2026-03-01T00:00:00Z"}"#),
            // 400 days ahead is nothing to count to; the end is past since the first look.
            (Keys.countdown, "ends", "2027-04-23T12:00:00Z", #"{"end_date":"2026-03-19T12:00:01Z"}"#),
            (Keys.countdown, "ends", "soon", nil),
            (
                Keys.countdown.with("start: begins"), "begins", "2026-03-19T15:00:00Z",
                #"{"end_date":"2026-03-19T15:00:00Z"}"#
            ),
            (Keys("countdown", "end: left"), "left", "02:00:00", #"{"end_date":"2026-03-19T14:00:00Z"}"#),
        ] as [(Keys, String, String, String?)]
    )
    func readings(keys: Keys, reading: String, payload: String, expected: String?) throws {
        var stand = try Stand(keys.template, "name: W, push: { budget: unlimited }, " + keys.keys)
        for (name, usual) in [
            ("power", "1500"), ("level", "42"), ("today", "12000"), ("begins", "2026-03-19T11:00:00Z"),
            ("ends", "2026-03-19T15:00:00Z"), ("left", "120"),
        ] {
            stand.send(name, name == reading ? payload : usual)
        }
        // A window that cannot be is waited for like one that is not known yet.
        stand.pass(.seconds(keys.keys.contains("window") ? 130 : 50))
        var content = try expected.map(FieldTests.json)
        content?["template"] = .string(keys.template)
        let (held, refusals) = (stand.content, stand.refusals)
        #expect(held == content)
        #expect(refusals == [])
    }

    @Test("a timer below the heading goes when its reading does, for each template", arguments: Keys.all)
    func timer(keys: Keys) throws {
        var stand = try Stand(
            keys.template,
            "name: W, push: { budget: unlimited }, subtitle_timer: { until: left }, " + keys.keys
        )
        func send(_ left: String) {
            for (name, payload) in [
                ("power", "1500"), ("level", "42"), ("ends", "2026-03-19T15:00:00Z"), ("left", left),
            ] {
                stand.send(name, payload)
            }
            stand.pass(.seconds(120))
        }
        send("120")
        let shown = stand.content?["subtitle_timer"]
        #expect(shown == ["date": "2026-03-19T14:00:00Z"])
        // Two minutes have passed: what is left says the same.
        send("118")
        let same = stand.content?["subtitle_timer"]
        #expect(same == shown)
        send("30")
        let moved = stand.content?["subtitle_timer"]
        #expect(moved == ["date": "2026-03-19T12:34:00Z"])
        send("0")
        let over = stand.content
        #expect(over?["subtitle_timer"] == nil && over?["template"] == .string(keys.template))
        send("60")
        send("unavailable")
        let (lost, refusals) = (stand.content, stand.refusals)
        #expect(lost?["subtitle_timer"] == nil && lost?["template"] == .string(keys.template))
        #expect(refusals == [])
    }
}
