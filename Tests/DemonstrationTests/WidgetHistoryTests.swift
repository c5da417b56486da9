import Demonstration
import Testing
import Widgets

@Suite("The history of a widget in the trace")
struct WidgetHistoryTests {
    private static let created = TraceEntry(
        method: "POST",
        path: "/widgets",
        body: ["slug": "power", "name": "Power", "content": ["template": "flow", "unit": "W", "label": "Now"]],
        status: 201
    )

    @Test("a line of the trace is read")
    func line() throws {
        let line =
            #"{"at":"2026-03-19T11:00:15Z","method":"PATCH","path":"/widgets/power","body":{"content":{}},"status":200}"#
        let entry = try #require(TraceEntry(line: JSONValue(parsing: Array(line.utf8))))
        #expect(entry == TraceEntry(method: "PATCH", path: "/widgets/power", body: ["content": [:]], status: 200))
        #expect(entry.isAccepted)
    }

    @Test(
        "a line without method or path is none",
        arguments: ["3", "{}", #"{"method":"GET"}"#, #"{"path":"/widgets"}"#]
    )
    func noLine(text: String) throws {
        #expect(try TraceEntry(line: JSONValue(parsing: Array(text.utf8))) == nil)
    }

    @Test("a patch is merged into what was created, and measured against the whole content")
    func patch() throws {
        var history = WidgetHistory(slug: "power")
        let first = history.take(WidgetHistoryTests.created)
        #expect(first?.content == ["template": "flow", "unit": "W", "label": "Now"])
        let patch = TraceEntry(
            method: "PATCH",
            path: "/widgets/power",
            body: ["content": ["unit": "kW", "label": .null]],
            status: 200
        )
        let taken = history.take(patch)
        let second = try #require(taken)
        #expect(second.content == ["template": "flow", "unit": "kW"])
        #expect(second.size == #"{"content":{"unit":"kW","label":null}}"#.utf8.count)
        #expect(second.fullSize == #"{"content":{"template":"flow","unit":"kW"}}"#.utf8.count)
        #expect(history.patches == 1)
        #expect(history.bytes == (second.size, second.fullSize))
    }

    @Test(
        "what was refused, only read or about another widget changes nothing",
        arguments: [
            TraceEntry(method: "PATCH", path: "/widgets/power", body: ["content": ["unit": "kW"]], status: 422),
            TraceEntry(method: "PATCH", path: "/widgets/power", body: ["content": ["unit": "kW"]], status: 0),
            TraceEntry(method: "GET", path: "/widgets/power", status: 200),
            TraceEntry(method: "PATCH", path: "/widgets/water", body: ["content": ["unit": "l"]], status: 200),
            TraceEntry(
                method: "POST",
                path: "/widgets",
                body: ["slug": "water", "content": ["unit": "l"]],
                status: 201
            ),
        ]
    )
    func ignored(entry: TraceEntry) {
        var history = WidgetHistory(slug: "power")
        _ = history.take(WidgetHistoryTests.created)
        let update = history.take(entry)
        #expect(update == nil)
        #expect(history.patches == 0)
    }

    @Test(
        "a patch is told by what it says of the flow, if that is all",
        arguments: [
            (#"{"content":{"flow":{"output":{"rate":5}}}}"#, #"{"output":{"rate":5}}"#),
            (
                #"{"content":{"flow":{"output":{"rate":5}},"label":"A"}}"#,
                #"{"flow":{"output":{"rate":5}},"label":"A"}"#
            ),
            (#"{"content":{"template":"flow"}}"#, #"{"template":"flow"}"#),
            (#"{"name":"A","content":{"template":"flow"}}"#, #"{"name":"A","content":{"template":"flow"}}"#),
        ]
    )
    func change(body: String, change: String) throws {
        let body = try JSONValue(parsing: Array(body.utf8))
        #expect(WidgetHistory.Update(method: "PATCH", body: body, content: [:]).change.description == change)
    }

    @Test("a write is told with its size, and a patch with the share that it is of the whole")
    func summary() {
        var update = WidgetHistory.Update(
            method: "PATCH",
            body: ["content": ["unit": "kW"]],
            content: ["template": "flow", "unit": "kW"]
        )
        #expect(update.summary == "PATCH   25 of 43 bytes,  58 %")
        update.method = "POST"
        #expect(update.summary == "POST    25 bytes, everything")
    }
}
