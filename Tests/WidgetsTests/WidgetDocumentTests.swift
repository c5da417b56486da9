import Testing
import Widgets

@Suite("Widget documents")
struct WidgetDocumentTests {
    private let wanted = WidgetDocument(
        name: "Home",
        content: ["template": "flow", "label": "Power", "flow": ["exchange": ["rate": -900]]],
        pushThrottle: 15,
        staleAfter: 900
    )

    @Test("a creation holds the slug and everything that is set, and nothing that is null")
    func creation() throws {
        let slug = try #require(Slug("power"))
        #expect(
            wanted.creation(slug: slug).description == """
                {"slug":"power","name":"Home","content":{"template":"flow","label":"Power",\
                "flow":{"exchange":{"rate":-900}}},"push_throttle":15,"stale_after":900}
                """
        )
        let plain = WidgetDocument(name: "Home", content: ["template": "flow"])
        #expect(plain.creation(slug: slug) == ["slug": "power", "name": "Home", "content": ["template": "flow"]])
    }

    @Test("an answer of the service is read without its slug and dates")
    func answer() throws {
        let answer = try json(
            """
            {"slug":"power","name":"Home","created_at":"2026-03-19T11:00:15Z","updated_at":"2026-03-19T11:00:15Z",
            "content":{"flow":{"exchange":{"rate":-900.0}},"template":"flow","label":"Power"},
            "push_throttle":15,"stale_after":900,"new_member":[]}
            """
        )
        #expect(WidgetDocument(widget: answer) == wanted)
    }

    @Test("members of a wrong type count as absent")
    func lenient() throws {
        let answer = try json(#"{"name":5,"content":{},"push_throttle":"15","stale_after":1.5}"#)
        #expect(WidgetDocument(widget: answer) == WidgetDocument(name: "", content: [:]))
    }

    @Test("what has no content object is no widget", arguments: ["[]", "null", "{}", #"{"content":[]}"#])
    func noWidget(text: String) throws {
        #expect(try WidgetDocument(widget: json(text)) == nil)
    }

    @Test("a changed rate is a patch of 47 bytes")
    func smallest() throws {
        var stored = wanted
        stored.content["flow"] = ["exchange": ["rate": -890]]
        let difference = try #require(wanted.difference(from: stored))
        #expect(wanted.patch(difference).description == #"{"content":{"flow":{"exchange":{"rate":-900}}}}"#)
        #expect(wanted.patch(difference).description.utf8.count == 47)
    }

    @Test("nothing to change is no patch")
    func nothing() {
        #expect(wanted.difference(from: wanted) == nil)
        #expect(wanted.heartbeat == ["content": ["template": "flow"]])
    }

    @Test("a patch without a change of content holds the template")
    func contentAlways() throws {
        var stored = wanted
        stored.staleAfter = 60
        let difference = try #require(wanted.difference(from: stored))
        #expect(difference == ["stale_after": 900])
        #expect(wanted.patch(difference) == ["stale_after": 900, "content": ["template": "flow"]])
    }

    @Test("stale_after is cleared by null, push_throttle is never")
    func clearing() {
        var plain = wanted
        plain.staleAfter = nil
        plain.pushThrottle = nil
        #expect(plain.difference(from: wanted) == ["stale_after": .null])
        #expect(wanted.difference(from: plain) == ["push_throttle": 15, "stale_after": 900])
    }

    @Test("a new name goes along")
    func name() {
        var stored = wanted
        stored.name = "House"
        #expect(wanted.difference(from: stored) == ["name": "Home"])
    }

    @Test("everything inside flow is the bridge's")
    func insideFlow() {
        var stored = wanted
        stored.content["flow"] = ["exchange": ["rate": -900, "level": 5], "storage": ["rate": 1]]
        #expect(
            wanted.difference(from: stored) == ["content": ["flow": ["exchange": ["level": .null], "storage": .null]]]
        )
    }

    @Test("members of the content that the bridge does not set are left alone")
    func others() {
        var stored = wanted
        stored.content["tap_action"] = ["url": "https://example.org"]
        stored.content["subtitle"] = "Hello"
        #expect(wanted.difference(from: stored) == nil)
        #expect(ContentOwnership.owned(stored: stored.content, wanted: wanted.content) == wanted.content)
    }

    @Test("what an earlier configuration set and this one does not is removed, and nothing else")
    func abandoned() {
        var stored = wanted
        stored.content["tap_action"] = ["url": "https://example.org"]
        stored.content["subtitle"] = "Hello"
        #expect(
            wanted.difference(from: stored, abandoning: ["subtitle", "icon", "label"])
                == ["content": ["subtitle": .null]]
        )
    }

    @Test("merging a patch gives what the service then holds")
    func merging() throws {
        var stored = wanted
        stored.content["flow"] = ["storage": ["rate": 5]]
        stored.staleAfter = nil
        stored.name = "House"
        let difference = try #require(wanted.difference(from: stored))
        #expect(stored.merging(wanted.patch(difference)) == wanted)
        #expect(wanted.merging(["stale_after": .null]).staleAfter == nil)
        #expect(wanted.merging(wanted.heartbeat) == wanted)
        #expect(wanted.merging(["content": .null]) == wanted)
    }

    @Test("a change of template removes all that is left of the old one")
    func templateSwitch() {
        var stored = wanted
        stored.content = [
            "template": "progress", "value": 0.5, "label": "Power", "tap_action": ["url": "https://example.org"],
        ]
        #expect(
            wanted.difference(from: stored) == [
                "content": [
                    "template": "flow", "flow": ["exchange": ["rate": -900]], "value": .null, "tap_action": .null,
                ]
            ]
        )
    }
}
