import Testing
import Widgets

@testable import Emulator

@Suite("Content") struct ContentTests {
    /// Where content is refused, and nothing where it is not.
    private func locations(_ content: String) throws -> [String] {
        var bench = Bench()
        let response = try bench.post(#"{"slug":"power","name":"P","content":\#(content)}"#)
        #expect(response.status == 201 || response.status == 422)
        return response.locations.map { $0.replacing("body.content.", with: "") }
    }

    @Test(
        "each template has what it needs",
        arguments: [
            (#"{"template":"value"}"#, []),
            (#"{"template":"status","severity":"warning"}"#, []),
            (#"{"template":"progress","value":0}"#, []),
            (#"{"template":"progress","value":1}"#, []),
            (#"{"template":"progress"}"#, ["value"]),
            (#"{"template":"progress","end_date":"2026-03-19T14:00:00Z"}"#, ["value"]),
            (
                #"{"template":"progress","start_date":"2026-03-19T12:00:00Z","end_date":"2026-03-19T14:00:00Z"}"#, []
            ),
            (#"{"template":"progress","value":1.0001}"#, ["value"]),
            (#"{"template":"progress","value":-0.1}"#, ["value"]),
            (#"{"template":"value","value":42}"#, []),
            (#"{"template":"gauge","value":5,"min_value":0,"max_value":10}"#, []),
            (#"{"template":"gauge","value":5}"#, ["min_value", "max_value"]),
            (#"{"template":"gauge","value":11,"min_value":0,"max_value":10}"#, ["value"]),
            (#"{"template":"gauge","value":5,"min_value":5,"max_value":5}"#, ["min_value"]),
            (#"{"template":"stat_list","stat_rows":[{"label":"L","value":"V"}]}"#, []),
            (#"{"template":"stat_list"}"#, ["stat_rows"]),
            (#"{"template":"stat_list","stat_rows":[]}"#, ["stat_rows"]),
            (#"{"template":"value","stat_rows":[]}"#, []),
            (#"{"template":"trend","value":1,"points":[1,2]}"#, []),
            (#"{"template":"trend","value":1}"#, ["points"]),
            (#"{"template":"trend","value":1,"points":[1]}"#, ["points"]),
            (#"{"template":"countdown","end_date":"2026-03-19T14:00:00+01:00","expired_text":"Done"}"#, []),
            (#"{"template":"countdown"}"#, ["end_date"]),
            (#"{"template":"battery","devices":[{"name":"Vacuum","level":68,"charging":true}]}"#, []),
            (#"{"template":"battery","devices":[]}"#, ["devices"]),
            (#"{"template":"schedule","periods":[{"start":"2026-03-19T14:00:00Z","value":1,"level":"low"}]}"#, []),
            (#"{"template":"schedule"}"#, ["periods"]),
            (#"{"template":"flow","flow":{"inputs":[{"rate":1}]}}"#, []),
            (#"{"template":"flow","flow":{"output":{"rate":-3.5}}}"#, []),
            (#"{"template":"flow"}"#, ["flow"]),
            (#"{"template":"flow","flow":{}}"#, ["flow"]),
            (#"{"template":"flow","flow":{"inputs":[]}}"#, ["flow"]),
            (#"{"template":"flow","flow":{"inputs":null}}"#, ["flow"]),
        ] as [(String, [String])]
    )
    func templates(content: String, expected: [String]) throws {
        #expect(try locations(content) == expected)
    }

    @Test(
        "a node of a flow",
        arguments: [
            (#"{"rate":0,"name":"N","total":0,"level":0,"icon":"sun.max.fill","color":"yellow"}"#, nil),
            (##"{"rate":-1e9,"level":100,"color":"#A0b0C0"}"##, nil),
            (##"{"rate":1,"color":"#A0b0C0ff"}"##, nil),
            (#"{"name":"N"}"#, ""),
            (#"{"rate":null}"#, ".rate"),
            (#"{"rate":true}"#, ".rate"),
            (#"{"rate":"5"}"#, ".rate"),
            (#"{"rate":1,"total":-0.1}"#, ".total"),
            (#"{"rate":1,"level":-1}"#, ".level"),
            (#"{"rate":1,"level":100.1}"#, ".level"),
            (#"{"rate":1,"color":"Yellow"}"#, ".color"),
            (##"{"rate":1,"color":"#fff"}"##, ".color"),
            (#"{"rate":1,"color":"A0B0C0"}"#, ".color"),
            (##"{"rate":1,"color":"#A0B0G0"}"##, ".color"),
            (#"{"rate":1,"color":""}"#, ".color"),
            (#"{"rate":1,"unit":"W"}"#, ".unit"),
            (#"7"#, ""),
            (#"[]"#, ""),
        ] as [(String, String?)]
    )
    func nodes(node: String, expected: String?) throws {
        for slot in ["output", "storage", "exchange"] {
            let found = try locations(#"{"template":"flow","flow":{"\#(slot)":\#(node)}}"#)
            #expect(found == (expected.map { ["flow.\(slot)\($0)"] } ?? []))
        }
        let found = try locations(#"{"template":"flow","flow":{"inputs":[{"rate":1},\#(node)]}}"#)
        #expect(found == (expected.map { ["flow.inputs[1]\($0)"] } ?? []))
    }

    @Test("a flow has at most 3 inputs, and a widget at most 6 rows")
    func counts() throws {
        func flow(_ count: Int) -> String {
            let inputs = Array(repeating: #"{"rate":1}"#, count: count).joined(separator: ",")
            return #"{"template":"flow","flow":{"inputs":[\#(inputs)]}}"#
        }
        func rows(_ count: Int) -> String {
            let rows = Array(repeating: #"{"label":"L","value":"V"}"#, count: count).joined(separator: ",")
            return #"{"template":"value","stat_rows":[\#(rows)]}"#
        }
        #expect(try locations(flow(3)) == [])
        #expect(try locations(flow(4)) == ["flow.inputs"])
        #expect(try locations(rows(6)) == [])
        #expect(try locations(rows(7)) == ["stat_rows"])
    }

    @Test(
        "texts are as long as they may be in code points",
        arguments: [
            ("label", 256), ("subtitle", 256), ("unit", 32), ("icon", 128), ("expired_text", 64),
        ]
    )
    func texts(key: String, limit: Int) throws {
        // A family emoji of seven code points is one character, so a count of characters would let all of these pass.
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        for (text, fits) in [
            (String(repeating: "x", count: limit), true), (String(repeating: "x", count: limit + 1), false),
            (String(repeating: family, count: limit / 7), true),
            (String(repeating: family, count: limit / 7 + 1), false),
            (String(repeating: "\u{1F468}", count: limit), true), ("", true),
        ] {
            #expect(try locations(#"{"template":"value","\#(key)":"\#(text)"}"#) == (fits ? [] : [key]))
        }
    }

    @Test(
        "what any template may carry",
        arguments: [
            (#""severity":"critical""#, nil), (#""severity":"fatal""#, "severity"), (#""severity":"Info""#, "severity"),
            (#""trend":"flat""#, nil), (#""trend":"sideways""#, "trend"), (#""trend":1"#, "trend"),
            (#""accent_color":"mint""#, nil), (#""accent_color":"magenta""#, "accent_color"),
            (##""background_color":"#00000080""##, nil), (##""background_color":"#12345""##, "background_color"),
            (##""text_color":"#FFFFFF""##, nil), (#""text_color":16777215"#, "text_color"),
            (#""value":"5""#, "value"), (#""value":false"#, "value"), (#""label":5"#, "label"),
            (#""flow":{"output":{}}"#, "flow.output"), (#""flow":{}"#, "flow"), (#""flow":{"grid":{}}"#, "flow.grid"),
            (#""start_date":"2026-03-19""#, "start_date"), (#""end_date":1773918015"#, "end_date"),
            (#""stat_rows":[{"label":"L","value":5}]"#, "stat_rows[0].value"),
            (#""stat_rows":[{"label":"","value":"V"}]"#, "stat_rows[0].label"),
            (#""stat_rows":[{"label":"L","value":""}]"#, "stat_rows[0].value"),
            (#""stat_rows":[{"label":"L","value":"V","unit":"seventeen letters"}]"#, "stat_rows[0].unit"),
            (#""stat_rows":[{"label":"L","value":"V","timer":{}}]"#, "stat_rows[0].timer"),
            (#""stat_rows":[{"label":"L","value":"V","timer":{"date":"2026-03-19T11:00:00Z"}}]"#, nil),
            (#""subtitle_timer":{"date":"2026-03-19T11:00:00.123Z","style":"relative"}"#, nil),
            (#""subtitle_timer":{"style":"relative"}"#, "subtitle_timer"),
            (#""subtitle_timer":{"date":"2026-03-19T11:00:00Z","style":"coarse"}"#, "subtitle_timer.style"),
            (#""subtitle_timer":{"date":"2026-03-19T11:00:00"}"#, "subtitle_timer.date"),
            (#""points":[1,null]"#, "points[1]"),
            (#""min_value":2,"max_value":1"#, "min_value"),
            (#""device_sort":[{"field":"level"}]"#, "device_sort"),
            (#""devices":[{"name":"D","level":101}]"#, "devices[0].level"),
            (
                #""periods":[{"start":"2026-03-19T14:00:00Z","value":1},{"start":"2026-03-19T15:00:00+01:00","value":1}]"#,
                "periods"
            ),
        ] as [(String, String?)]
    )
    func shared(member: String, expected: String?) throws {
        #expect(try locations(#"{"template":"value",\#(member)}"#) == (expected.map { [$0] } ?? []))
    }

    @Test(
        "dates lie after 1999 and at most 366 days ahead, by the clock of the service",
        arguments: [
            ("2000-01-01T00:00:00Z", false), ("2000-01-01T00:00:01Z", true), ("1999-12-31T23:59:59Z", false),
            ("1970-01-21T12:45:18Z", false), ("2027-03-20T11:00:15Z", true), ("2027-03-20T11:00:16Z", false),
            ("2027-03-20T13:00:15+02:00", true), ("2027-03-20T13:00:16+02:00", false),
            ("2026-03-19T12:00:00", false), ("2026-03-19 12:00", false), ("2026-02-29T12:00:00Z", false), ("", false),
        ]
    )
    func dates(date: String, fits: Bool) throws {
        for key in ["start_date", "end_date"] {
            #expect(try locations(#"{"template":"value","\#(key)":"\#(date)"}"#) == (fits ? [] : [key]))
        }
        #expect(
            try locations(#"{"template":"countdown","end_date":"\#(date)"}"#) == (fits ? [] : ["end_date"])
        )
    }

    @Test(
        "a window starts before it ends",
        arguments: [
            ("2026-03-19T12:00:00Z", "2026-03-19T12:00:01Z", true),
            ("2026-03-19T12:00:00Z", "2026-03-19T12:00:00Z", false),
            ("2026-03-19T12:00:00Z", "2026-03-19T13:00:00+01:00", false),
            ("2026-03-19T12:00:00+01:00", "2026-03-19T11:30:00Z", true),
        ]
    )
    func windows(start: String, end: String, fits: Bool) throws {
        let found = try locations(#"{"template":"value","start_date":"\#(start)","end_date":"\#(end)"}"#)
        #expect(found == (fits ? [] : ["start_date"]))
    }

    @Test(
        "what an action may do",
        arguments: [
            (#"{"url":"https://example.com/x","method":"POST","headers":{"A":"b"},"body":"{}","title":"T"}"#, nil),
            (#"{"url":"HTTP://user@example.com:8123","foreground":true,"icon":"bolt"}"#, nil),
            (#"{"url":"homeassistant://navigate/energy"}"#, nil),
            (#"{"url":"tel:112"}"#, nil),
            (#"{"title":"T"}"#, ""),
            (#"{"url":""}"#, ".url"),
            (#"{"url":"/path"}"#, ".url"),
            (#"{"url":"example.com"}"#, ".url"),
            (#"{"url":"1http://example.com"}"#, ".url"),
            (#"{"url":"JavaScript:alert(1)"}"#, ".url"),
            (#"{"url":"data:text/html,x"}"#, ".url"),
            (#"{"url":"file:///etc/passwd"}"#, ".url"),
            (#"{"url":"vbscript:x"}"#, ".url"),
            (#"{"url":"https://"}"#, ".url"),
            (#"{"url":"https:///path"}"#, ".url"),
            (#"{"url":"https:example.com"}"#, ".url"),
            (#"{"url":"https://user@:80/"}"#, ".url"),
            (#"{"url":"app://x","method":"GET"}"#, ".method"),
            (#"{"url":"app://x","headers":{}}"#, ".headers"),
            (#"{"url":"app://x","body":""}"#, ".body"),
            (#"{"url":"https://example.com","method":"TRACE"}"#, ".method"),
            (#"{"url":"https://example.com","method":"get"}"#, ".method"),
            (#"{"url":"https://example.com","headers":{"A":1}}"#, ".headers.A"),
            (#"{"url":"https://example.com","headers":[]}"#, ".headers"),
            (#"{"url":"https://example.com","foreground":"yes"}"#, ".foreground"),
            (#"{"url":"https://example.com","bogus":1}"#, ".bogus"),
        ] as [(String, String?)]
    )
    func actions(action: String, expected: String?) throws {
        for key in ["tap_action", "url_action", "secondary_url_action"] {
            let found = try locations(#"{"template":"value","\#(key)":\#(action)}"#)
            #expect(found == (expected.map { ["\(key)\($0)"] } ?? []))
        }
    }

    @Test("the bounds of an action")
    func actionBounds() throws {
        func action(_ key: String, _ value: String) -> String {
            #"{"template":"value","tap_action":{"url":"https://example.com","\#(key)":"\#(value)"}}"#
        }
        for (key, limit) in [("title", 64), ("icon", 64), ("body", 1024)] {
            #expect(try locations(action(key, String(repeating: "\u{E9}", count: limit))) == [])
            #expect(try locations(action(key, String(repeating: "x", count: limit + 1))) == ["tap_action.\(key)"])
        }
        for (length, fits) in [(2048, true), (2049, false)] {
            let url = "https://example.com/" + String(repeating: "x", count: length - 20)
            let found = try locations(#"{"template":"value","tap_action":{"url":"\#(url)"}}"#)
            #expect(found == (fits ? [] : ["tap_action.url"]))
        }
        // Headers alone are counted in bytes: 4 for the name, 2 for each of these letters.
        for (count, fits) in [(510, true), (511, false)] {
            let value = String(repeating: "\u{E9}", count: count)
            let found = try locations(
                #"{"template":"value","tap_action":{"url":"https://example.com","headers":{"Name":"\#(value)"}}}"#
            )
            #expect(found == (fits ? [] : ["tap_action.headers"]))
        }
    }

    @Test("everything that is wrong is named at once")
    func several() throws {
        let found = try locations(#"{"template":"value","label":1,"bogus":2,"flow":{"output":{"level":101}}}"#)
        #expect(found == ["label", "bogus", "flow.output", "flow.output.level"])
    }
}
