import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("Contents that move by themselves")
struct MovingContentTests {
    /// 2026-03-19T12:00:00Z.
    private static let now = Duration.seconds(1_773_921_600)
    private let hour = WidgetDates(start: now, end: now + .seconds(3600), now: now)

    @Test(
        "a value is a fraction to the hundredth, within 0 and 1",
        arguments: [
            (0.42, 0.42), (0, 0), (1, 1), (1.0001, 1), (42, 1), (-0.1, 0), (0.4249, 0.42), (0.425, 0.43), (-0.0, 0),
        ] as [(Double, Double)]
    )
    func value(value: Double, expected: Double) throws {
        let content = ProgressContent.content(state: ProgressState(value: value), rows: [], shared: SharedContent())
        let fraction = try #require(JSONValue(expected))
        #expect(content == ["template": "progress", "value": fraction])
    }

    @Test("a progress with nothing to show is none", arguments: [nil, Double.nan, .infinity])
    func nothing(value: Double?) throws {
        #expect(ProgressContent.content(state: ProgressState(value: value), rows: [], shared: SharedContent()) == nil)
        let onlyEnd = try #require(WidgetDates(start: nil, end: Self.now, now: Self.now))
        let state = ProgressState(value: value, window: onlyEnd)
        #expect(ProgressContent.content(state: state, rows: [], shared: SharedContent()) == nil)
    }

    @Test("a window goes with the value, and without one that is not known")
    func window() throws {
        func content(_ value: Double?) -> JSONObject? {
            ProgressContent.content(
                state: ProgressState(value: value, window: hour, trend: .up),
                rows: [],
                shared: SharedContent()
            )
        }
        let dates: JSONObject = [
            "template": "progress", "start_date": "2026-03-19T12:00:00Z", "end_date": "2026-03-19T13:00:00Z",
            "trend": "up",
        ]
        var whole = dates
        whole["value"] = 0.5
        #expect(content(0.5) == whole)
        #expect(content(nil) == dates)
        for content in [content(0.5), content(nil)] {
            let content = try #require(content)
            #expect(ContentRules.problems(in: content, now: Self.now).isEmpty)
        }
    }

    @Test("leaving a window nulls both dates")
    func leaving() throws {
        let row = StatRow(label: try #require(BoundedText("Power")))
        let content = try #require(
            ProgressContent.content(
                state: ProgressState(value: 0.5, window: hour, trend: .up, rows: [1]),
                rows: [row],
                shared: SharedContent()
            )
        )
        let stored = WidgetDocument(name: "Car", content: content)
        let plain = WidgetDocument(name: "Car", content: ["template": "progress", "value": 0.5])
        #expect(
            plain.difference(from: stored) == [
                "content": ["start_date": .null, "end_date": .null, "trend": .null, "stat_rows": .null]
            ]
        )
        let window = WidgetDocument(
            name: "Car",
            content: [
                "template": "progress", "start_date": "2026-03-19T12:00:00Z", "end_date": "2026-03-19T13:00:00Z",
                "trend": "up", "stat_rows": content["stat_rows"] ?? .null,
            ]
        )
        #expect(window.difference(from: stored) == ["content": ["value": .null]])
    }

    @Test("both dates are patched together, whichever has moved", arguments: ["start_date", "end_date"])
    func together(member: String) {
        let stored = WidgetDocument(
            name: "Car",
            content: [
                "template": "countdown", "start_date": "2026-03-19T12:00:00Z", "end_date": "2026-03-19T13:00:00Z",
            ]
        )
        var wanted = stored
        wanted.content[member] = "2026-03-19T12:30:00Z"
        #expect(
            wanted.difference(from: stored) == [
                "content": [
                    "start_date": wanted.content["start_date"] ?? .null,
                    "end_date": wanted.content["end_date"] ?? .null,
                ]
            ]
        )
        wanted.content["start_date"] = nil
        wanted.content["end_date"] = "2026-03-19T14:00:00Z"
        #expect(
            wanted.difference(from: stored) == ["content": ["start_date": .null, "end_date": "2026-03-19T14:00:00Z"]]
        )
    }

    @Test("a countdown is its dates and its text")
    func countdown() throws {
        let content = CountdownContent.content(
            dates: try #require(hour),
            expiredText: BoundedText("Done"),
            shared: SharedContent(label: BoundedText("Car"), severity: .success)
        )
        #expect(
            content == [
                "template": "countdown", "label": "Car", "severity": "success", "start_date": "2026-03-19T12:00:00Z",
                "end_date": "2026-03-19T13:00:00Z", "expired_text": "Done",
            ]
        )
        #expect(ContentRules.problems(in: content, now: Self.now).isEmpty)
        #expect(BoundedText<ExpiredTextBound>(String(repeating: "e\u{301}", count: 32)) != nil)
        #expect(BoundedText<ExpiredTextBound>(String(repeating: "e\u{301}", count: 32) + "e") == nil)
    }

    @Test("a countdown that loses its text loses it on the phone")
    func textless() {
        let stored = WidgetDocument(
            name: "Car",
            content: ["template": "countdown", "end_date": "2026-03-19T13:00:00Z", "expired_text": "Done"]
        )
        var wanted = stored
        wanted.content["expired_text"] = nil
        #expect(wanted.difference(from: stored) == ["content": ["expired_text": .null]])
    }

    @Test(
        "a row is text with so many decimals, in its unit",
        arguments: [
            (3200, 1, 0, "3200"), (3200, 0.001, 1, "3.2"), (3250, 0.001, 1, "3.3"), (-3250, 0.001, 1, "-3.3"),
            (0, 1, 2, "0.00"), (-0.001, 1, 2, "0.00"), (1.005, 1, 3, "1.005"), (9.994, 1, nil, "9.99"),
            (9.995, 1, nil, "10.0"),
            (99.94, 1, nil, "99.9"), (99.95, 1, nil, "100"), (12.3456789, 1, 6, "12.345679"),
            (1e14, 1, 0, "100000000000000"),
            (0.999_999_9, 1, 6, "1.000000"), (1e15, 1, 0, "–"),
        ] as [(Double, Double, Int?, String)]
    )
    func rows(value: Double, factor: Double, decimals: Int?, expected: String) throws {
        let row = StatRow(label: try #require(BoundedText("Power")), factor: factor, decimals: decimals)
        #expect(row.text(value) == expected)
    }

    @Test("a row whose value is not known shows a dash, and keeps its place", arguments: [nil, Double.nan, .infinity])
    func unknownRow(value: Double?) throws {
        let rows = [
            StatRow(label: try #require(BoundedText("A")), unit: BoundedText("kW")),
            StatRow(label: try #require(BoundedText("B"))),
        ]
        let content = ProgressContent.content(
            state: ProgressState(value: 1, rows: [value, 2]),
            rows: rows,
            shared: SharedContent()
        )
        #expect(
            content?["stat_rows"] == [
                ["label": "A", "value": "–", "unit": "kW"], ["label": "B", "value": "2.00"],
            ]
        )
    }

    @Test(
        "no row is longer than the service takes",
        arguments: [1e14, -1e14, 123_456_789_012_345, .leastNonzeroMagnitude]
    )
    func rowLength(value: Double) throws {
        for decimals in 0...6 {
            let row = StatRow(label: try #require(BoundedText("A")), decimals: decimals)
            #expect((1...32).contains(row.text(value).unicodeScalars.count))
        }
    }

    @Test(
        "bounds of a row's label and unit",
        arguments: [("", false), (String(repeating: "x", count: 32), true), (String(repeating: "x", count: 33), false)]
    )
    func labels(text: String, fits: Bool) {
        #expect((BoundedText<RowLabelBound>(text) != nil) == fits)
        #expect(BoundedText<RowUnitBound>(String(repeating: "x", count: 16)) != nil)
        #expect(BoundedText<RowUnitBound>(String(repeating: "x", count: 17)) == nil)
    }
}

@Suite("Actions")
struct WidgetActionTests {
    @Test(
        "keep the service's bounds",
        arguments: [
            (["url": "https://example.org"], nil),
            (["url": "homeassistant://navigate/energy", "title": "Energy", "icon": "bolt"], nil),
            (["url": "https://example.org", "method": "POST", "headers": ["Accept": "text/plain"], "body": "on"], nil),
            ([:], ".url"),
            (["url": "javascript:alert(1)"], ".url"),
            (["url": "https://"], ".url"),
            (["url": "example.org"], ".url"),
            (["url": "homeassistant://x", "method": "POST"], ".method"),
            (["url": "https://example.org", "method": "FETCH"], ".method"),
            (["url": "https://example.org", "title": .string(String(repeating: "x", count: 65))], ".title"),
            (["url": "https://example.org", "body": .string(String(repeating: "x", count: 1025))], ".body"),
            (["url": .string("https://" + String(repeating: "x", count: 2041))], ".url"),
        ] as [(JSONObject, String?)]
    )
    func bounds(members: JSONObject, location: String?) {
        #expect(WidgetAction.problems(in: members).first?.location == location)
        #expect((WidgetAction(members) != nil) == (location == nil))
    }

    @Test("stand in the content under their names")
    func content() throws {
        let action = try #require(WidgetAction(["url": "https://example.org", "foreground": true]))
        let shared = SharedContent(tapAction: action, urlAction: action, secondaryURLAction: action)
        let content = ProgressContent.content(state: ProgressState(value: 0), rows: [], shared: shared)
        #expect(
            content == [
                "template": "progress", "value": 0, "tap_action": .object(action.members),
                "url_action": .object(action.members), "secondary_url_action": .object(action.members),
            ]
        )
    }

    @Test("that do nothing are known")
    func idle() {
        #expect(WidgetAction(["url": "https://example.org"])?.isIdle == true)
        #expect(WidgetAction(["url": "https://example.org", "foreground": true])?.isIdle == false)
        #expect(WidgetAction(["url": "https://example.org", "method": "GET"])?.isIdle == false)
        #expect(WidgetAction(["url": "tel:110"])?.isIdle == false)
    }
}
