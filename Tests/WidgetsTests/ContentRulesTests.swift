import Testing
import Widgets

@Suite("Content rules")
struct ContentRulesTests {
    /// 2026-03-19T11:00:15Z.
    private static let now = Duration.seconds(1_773_918_015)
    private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"

    @Test(
        "a text may be as long as its bound and no longer, counted in code points",
        arguments: [
            ("label", 256), ("subtitle", 256), ("unit", 32), ("icon", 128), ("expired_text", 64),
            ("flow.output.name", 32),
            ("flow.output.icon", 128), ("stat_rows.label", 32), ("stat_rows.value", 32), ("stat_rows.unit", 16),
            ("tap_action.title", 64), ("url_action.icon", 64), ("secondary_url_action.body", 1024),
        ]
    )
    func length(path: String, limit: Int) {
        #expect(Self.family.unicodeScalars.count == 7)
        let families = String(repeating: Self.family, count: limit / 7) + String(repeating: "x", count: limit % 7)
        for fitting in [String(repeating: "\u{E9}", count: limit), families] {
            #expect(Self.problems(setting: path, to: .string(fitting)) == [])
            let problems = Self.problems(setting: path, to: .string(fitting + "x"))
            #expect(problems.map(\.message) == ["It has \(limit + 1) code points; \(limit) are allowed."])
        }
    }

    @Test("labels and values of rows must not be empty, other texts may be")
    func emptiness() {
        #expect(Self.problems(setting: "label", to: "") == [])
        #expect(Self.problems(setting: "stat_rows.unit", to: "") == [])
        for path in ["stat_rows.label", "stat_rows.value", "tap_action.url"] {
            #expect(Self.problems(setting: path, to: "").map(\.message) == ["It must not be empty."])
        }
    }

    @Test(
        "a number within its bounds passes",
        arguments: [
            ("flow.output.rate", -1e300), ("flow.exchange.rate", 1e300), ("flow.output.total", 0),
            ("flow.output.total", 1e300),
            ("flow.storage.level", 0), ("flow.storage.level", 100), ("flow.output.level", 100), ("value", 0),
            ("value", 1),
        ] as [(String, JSONValue)]
    )
    func number(path: String, value: JSONValue) {
        #expect(Self.problems(setting: path, to: value) == [])
    }

    @Test(
        "a value beyond its bounds, or of a wrong kind, is named with its place",
        arguments: [
            ("flow.output.total", -0.001, "content.flow.output.total: It must be at least 0."),
            ("flow.storage.level", 100.001, "content.flow.storage.level: It must be within 0...100."),
            ("flow.storage.level", -0.001, "content.flow.storage.level: It must be within 0...100."),
            ("flow.output.rate", .null, "content.flow.output.rate: It must be a number."),
            ("flow.output.rate", true, "content.flow.output.rate: It must be a number."),
            ("flow.output.rate", "5", "content.flow.output.rate: It must be a number."),
            ("flow.output.extra", 1, "content.flow.output.extra: The service knows no such member."),
            ("flow.extra", 1, "content.flow.extra: The service knows no such member."),
            ("extra", 1, "content.extra: The service knows no such member."),
            ("flow.output", 5, "content.flow.output: It must be an object."),
            ("flow.inputs", ["rate": 1], "content.flow.inputs: It must be an array."),
            ("flow.inputs", [["rate": 1], [:]], "content.flow.inputs[1].rate: It is required."),
            ("value", "x", "content.value: It must be a number."),
            ("label", 5, "content.label: It must be a text."),
            ("severity", "fatal", "content.severity: It must be one of info, warning, critical, success."),
            ("trend", "Up", "content.trend: It must be one of up, down, flat."),
            ("stat_rows.value", 5, "content.stat_rows[0].value: It must be a text."),
            ("stat_rows.extra", 5, "content.stat_rows[0].extra: The service knows no such member."),
            ("tap_action.foreground", 1, "content.tap_action.foreground: It must be true or false."),
            (
                "tap_action.method", "get",
                "content.tap_action.method: It must be one of GET, POST, PUT, PATCH, DELETE, HEAD."
            ),
            ("subtitle_timer", ["style": "timer"], "content.subtitle_timer.date: It is required."),
            (
                "subtitle_timer", ["date": "2026-03-19T11:00:15Z", "style": "fast"],
                "content.subtitle_timer.style: It must be one of timer, relative."
            ),
            (
                "subtitle_timer", ["date": "2026-03-19T11:00:15"],
                "content.subtitle_timer.date: It must be a date with time and offset."
            ),
            ("subtitle_timer", ["date": 1_773_918_015], "content.subtitle_timer.date: It must be a text."),
        ] as [(String, JSONValue, String)]
    )
    func wrong(path: String, value: JSONValue, problem: String) {
        #expect(Self.problems(setting: path, to: value).map(\.description) == [problem])
    }

    @Test("three inputs and six rows pass, four and seven do not")
    func counts() {
        func inputs(_ count: Int) -> JSONValue { .array(Array(repeating: ["rate": 1], count: count)) }
        func rows(_ count: Int) -> JSONValue { .array(Array(repeating: ["label": "a", "value": "1"], count: count)) }
        #expect(Self.problems(setting: "flow.inputs", to: inputs(3)) == [])
        #expect(
            Self.problems(setting: "flow.inputs", to: inputs(4)).map(\.message) == ["It has 4 elements; 3 are allowed."]
        )
        #expect(Self.problems(setting: "stat_rows", to: rows(0)) == [])
        #expect(Self.problems(setting: "stat_rows", to: rows(6)) == [])
        #expect(
            Self.problems(setting: "stat_rows", to: rows(7)).map(\.message) == ["It has 7 elements; 6 are allowed."]
        )
    }

    @Test(
        "colours are lower-case names or six or eight digits behind #",
        arguments: [
            ("red", true), ("mint", true), ("brown", true), ("#FF8000", true), ("#ff800080", true), ("Red", false),
            ("FF8000", false), ("#FFF", false), ("#FF80008", false), ("#GG8000", false), ("magenta", false),
            ("", false),
        ]
    )
    func colors(color: String, passes: Bool) {
        for path in ["accent_color", "background_color", "text_color", "flow.output.color"] {
            #expect(Self.problems(setting: path, to: .string(color)).isEmpty == passes)
        }
    }

    @Test(
        "a flow needs one slot",
        arguments: [
            (#"{"template":"flow","flow":{}}"#, "content.flow: A flow needs at least one slot."),
            (#"{"template":"flow","flow":{"inputs":[]}}"#, "content.flow: A flow needs at least one slot."),
            (#"{"template":"flow"}"#, "content.flow: The template flow requires it."),
            (#"{"template":"flow","flow":{"inputs":[{"rate":1}]}}"#, nil),
            (#"{"template":"flow","flow":{"exchange":{"rate":0}}}"#, nil),
        ] as [(String, String?)]
    )
    func slots(content: String, problem: String?) throws {
        #expect(try Self.problems(content) == (problem.map { [$0] } ?? []))
    }

    @Test(
        "each template has its requirements",
        arguments: [
            (#"{}"#, "content.template: It is required."),
            (
                #"{"template":"pie"}"#,
                "content.template: It must be one of value, progress, status, gauge, stat_list, trend, countdown, battery, schedule, flow."
            ),
            (#"{"template":"status","label":"x"}"#, nil),
            (#"{"template":"stat_list","stat_rows":[{"label":"a","value":"1"}]}"#, nil),
            (#"{"template":"stat_list"}"#, "content.stat_rows: The template stat_list requires at least one."),
            (
                #"{"template":"stat_list","stat_rows":[]}"#,
                "content.stat_rows: The template stat_list requires at least one."
            ),
            (#"{"template":"progress","value":0}"#, nil),
            (#"{"template":"progress","value":1}"#, nil),
            (
                #"{"template":"progress","value":1.0001}"#,
                "content.value: In the template progress it must be within 0...1."
            ),
            (
                #"{"template":"progress","value":-0.0001}"#,
                "content.value: In the template progress it must be within 0...1."
            ),
            (#"{"template":"progress"}"#, "content.value: The template progress requires it, or both dates."),
            (
                #"{"template":"progress","end_date":"2026-03-19T12:00:00Z"}"#,
                "content.value: The template progress requires it, or both dates."
            ),
            (
                #"{"template":"progress","start_date":"2026-03-19T11:00:00Z","end_date":"2026-03-19T12:00:00Z"}"#, nil
            ),
            (#"{"template":"countdown"}"#, "content.end_date: The template countdown requires it."),
            (#"{"template":"countdown","end_date":"2026-03-19T12:00:00+01:00","expired_text":"Done"}"#, nil),
        ] as [(String, String?)]
    )
    func templates(content: String, problem: String?) throws {
        #expect(try Self.problems(content) == (problem.map { [$0] } ?? []))
    }

    @Test("a member left over from another template must keep its bounds")
    func leftovers() {
        #expect(Self.problems(setting: "end_date", to: "2026-03-19T12:00:00Z") == [])
        #expect(Self.problems(setting: "end_date", to: "1999-03-19T12:00:00Z").count == 1)
    }

    @Test(
        "dates lie after the year 2000 began and at most 366 days ahead",
        arguments: [
            ("2000-01-01T00:00:01Z", nil), ("2000-01-01T00:00:00Z", "It must be after 2000-01-01T00:00:00Z."),
            ("2000-01-01T00:30:00+01:00", "It must be after 2000-01-01T00:00:00Z."), ("2027-03-20T11:00:15Z", nil),
            ("2027-03-20T11:00:15.001Z", "It must be at most 366 days ahead."),
            ("2026-03-19T12:00:00", "It must be a date with time and offset."),
            ("tomorrow", "It must be a date with time and offset."),
        ] as [(String, String?)]
    )
    func window(date: String, message: String?) {
        for path in ["start_date", "end_date"] {
            #expect(Self.problems(setting: path, to: .string(date)).map(\.message) == (message.map { [$0] } ?? []))
        }
    }

    @Test("the start comes before the end")
    func order() throws {
        func problems(_ start: String, _ end: String) throws -> [String] {
            try Self.problems(#"{"template":"countdown","start_date":"\#(start)","end_date":"\#(end)"}"#)
        }
        #expect(try problems("2026-03-19T11:00:00Z", "2026-03-19T11:00:01Z") == [])
        let refusal = ["content.start_date: It must be before end_date."]
        #expect(try problems("2026-03-19T11:00:00Z", "2026-03-19T11:00:00Z") == refusal)
        #expect(try problems("2026-03-19T11:00:00Z", "2026-03-19T11:30:00+01:00") == refusal)
    }

    @Test(
        "an action's address has an allowed scheme, and a host on the web",
        arguments: [
            ("https://example.org", true), ("HTTP://user:pw@[::1]:8080/x", true), ("homeassistant://navigate/x", true),
            ("tel:123", true), ("shortcuts://run?name=x", true), ("javascript:alert(1)", false),
            ("JavaScript:x", false),
            ("data:text/plain,x", false), ("file:///etc/passwd", false), ("vbscript:x", false), ("https://", false),
            ("https:example.org", false), ("https:///path", false), ("http://user@/x", false), ("http://:80", false),
            ("example.org", false), ("//example.org", false), (":x", false), ("1a:x", false),
        ]
    )
    func urls(url: String, passes: Bool) {
        #expect(Self.problems(setting: "tap_action", to: ["url": .string(url)]).isEmpty == passes)
    }

    @Test("an action's address may have 2048 code points and no more")
    func longURL() {
        let longest = "https://example.org/" + String(repeating: "x", count: 2028)
        #expect(Self.problems(setting: "tap_action.url", to: .string(longest)) == [])
        #expect(Self.problems(setting: "tap_action.url", to: .string(longest + "x")).count == 1)
    }

    @Test("method, headers and body are for the web only")
    func actionMatrix() {
        for (member, value) in [("method", "GET"), ("headers", [:]), ("body", "x")] as [(String, JSONValue)] {
            var action: JSONObject = ["url": "https://example.org"]
            action[member] = value
            #expect(Self.problems(setting: "tap_action", to: .object(action)) == [])
            action["url"] = "myapp://x"
            #expect(
                Self.problems(setting: "tap_action", to: .object(action)).map(\.description)
                    == ["content.tap_action.\(member): It is allowed with http and https only."]
            )
        }
    }

    @Test("headers are texts of 1024 bytes in all, whatever their names")
    func headers() {
        func problems(_ headers: JSONValue) -> [String] {
            Self.problems(setting: "tap_action.headers", to: headers).map(\.description)
        }
        #expect(problems(["X-A": .string(String(repeating: "\u{E9}", count: 510) + "x")]) == [])
        #expect(
            problems(["X-A": .string(String(repeating: "\u{E9}", count: 511))])
                == ["content.tap_action.headers: They have 1025 bytes; 1024 are allowed."]
        )
        #expect(problems(["X-A": 5]) == ["content.tap_action.headers.X-A: It must be a text."])
        #expect(problems([]) == ["content.tap_action.headers: It must be an object."])
    }

    // MARK: - Helpers

    private static func problems(_ content: String) throws -> [String] {
        let object = try #require(json(content).asObject)
        return ContentRules.problems(in: object, now: now).map(\.description)
    }

    /// What is wrong with a content that is right but for one member. Rows are reached by `stat_rows.member`.
    private static func problems(setting path: String, to value: JSONValue) -> [ContentProblem] {
        var content: JSONObject = ["template": "flow", "flow": ["storage": ["rate": 1]]]
        let parts = path.split(separator: ".").map(String.init)
        switch (parts.first, parts.count) {
        case ("stat_rows", 2):
            var row: JSONObject = ["label": "a", "value": "1"]
            row[parts[1]] = value
            content["stat_rows"] = [.object(row)]
        case ("flow", 3): content["flow"] = .object(object(["rate": 1], parts[1...], value))
        case ("flow", _): content["flow"] = ["storage": ["rate": 1], parts[1]: value]
        case (_, 2):
            var action: JSONObject = ["url": "https://example.org"]
            action[parts[1]] = value
            content[parts[0]] = .object(action)
        default: content[path] = value
        }
        return ContentRules.problems(in: content, now: now)
    }

    private static func object(_ node: JSONObject, _ path: ArraySlice<String>, _ value: JSONValue) -> JSONObject {
        var node = node
        node[path.last ?? ""] = value
        var flow = JSONObject()
        flow[path.first ?? ""] = .object(node)
        return flow
    }
}
