import Readings
import Testing
import Widgets

@testable import Emulator

@Suite("PATCH /widgets/{slug}") struct PatchTests {
    static let flow = """
        {"template":"flow","label":"Power","unit":"W","flow":{"inputs":[{"rate":3200,"name":"Solar"}],
         "storage":{"rate":800,"level":76},"exchange":{"rate":-1400,"total":2.5},"output":{"rate":1000}}}
        """

    @Test("a rate is changed, and the merged widget is answered in full")
    func rate() throws {
        var bench = try Bench.holding(PatchTests.flow)
        bench.wait(.seconds(15))
        let response = try bench.patch(#"{"content":{"flow":{"exchange":{"rate":-900}}}}"#)
        #expect(response.status == 200)
        #expect(response[header: "X-Resource-Action"] == nil)
        let expected = """
            {"slug":"power","name":"Power","created_at":"2026-03-19T11:00:15Z","updated_at":"2026-03-19T11:00:30Z",
             "content":{"template":"flow","label":"Power","unit":"W","flow":{"inputs":[{"rate":3200,"name":"Solar"}],
             "storage":{"rate":800,"level":76},"exchange":{"rate":-900,"total":2.5},"output":{"rate":1000}}}}
            """
        #expect(try response.body == json(expected))
        #expect(try .object(bench.stored()) == json(expected))
    }

    @Test("null removes a member, and on one that is not there it does nothing")
    func null() throws {
        var bench = try Bench.holding(PatchTests.flow)
        let response = try bench.patch(#"{"content":{"label":null,"subtitle":null,"flow":{"storage":null}}}"#)
        #expect(response.status == 200)
        let expected = """
            {"template":"flow","unit":"W","flow":{"inputs":[{"rate":3200,"name":"Solar"}],
             "exchange":{"rate":-1400,"total":2.5},"output":{"rate":1000}}}
            """
        #expect(try response["content"] == json(expected))
    }

    @Test("a slot that was cleared needs the whole node again")
    func readding() throws {
        var bench = try Bench.holding(PatchTests.flow)
        _ = try bench.patch(#"{"content":{"flow":{"storage":null}}}"#)
        let partial = try bench.patch(#"{"content":{"flow":{"storage":{"level":50}}}}"#)
        #expect(partial.status == 422)
        #expect(partial.locations == ["body.content.flow.storage"])
        #expect(try bench.patch(#"{"content":{"flow":{"storage":{"rate":0,"level":50}}}}"#).status == 200)
    }

    @Test("a list is replaced as a whole")
    func list() throws {
        var bench = try Bench.holding(PatchTests.flow)
        let response = try bench.patch(#"{"content":{"flow":{"inputs":[{"rate":1},{"rate":2}]}}}"#)
        let inputs = response["content"]?.asObject?["flow"]?.asObject?["inputs"]
        #expect(try inputs == json(#"[{"rate":1},{"rate":2}]"#))
    }

    @Test("null in an element of a list is no removal")
    func nullInList() throws {
        var bench = try Bench.holding(PatchTests.flow)
        let response = try bench.patch(#"{"content":{"flow":{"inputs":[{"rate":1,"name":null}]}}}"#)
        #expect(response.status == 422)
        #expect(response.locations == ["body.content.flow.inputs[0].name"])
    }

    @Test("a template is switched in one patch")
    func switchTemplate() throws {
        var bench = try Bench.holding(PatchTests.flow)
        let response = try bench.patch(
            #"{"content":{"template":"progress","value":0.5,"flow":null,"unit":null,"label":null}}"#
        )
        #expect(try response["content"] == json(#"{"template":"progress","value":0.5}"#))
    }

    @Test("name, push_throttle and stale_after can be patched along, and stale_after be cleared")
    func widgetLevel() throws {
        var bench = try Bench.holding(PatchTests.flow)
        var response = try bench.patch(
            #"{"name":"N","push_throttle":60,"stale_after":900,"content":{"template":"flow"}}"#
        )
        #expect(response["name"] == "N")
        #expect(response["push_throttle"] == 60)
        #expect(response["stale_after"] == 900)
        response = try bench.patch(#"{"stale_after":null,"content":{"template":"flow"}}"#)
        #expect(response.status == 200)
        #expect(response["stale_after"] == nil)
        #expect(response["push_throttle"] == 60)
    }

    @Test("a patch that changes nothing renews the date and pushes nothing")
    func noChange() throws {
        var bench = try Bench.holding(PatchTests.flow)
        bench.wait(.seconds(3600))
        for body in [
            #"{"content":{"template":"flow"}}"#, #"{"content":{"flow":{"storage":{"level":76.0,"rate":8e2}}}}"#,
            #"{"content":{"subtitle":null}}"#,
        ] {
            bench.wait(.seconds(60))
            #expect(try bench.patch(body).status == 200)
        }
        #expect(try bench.stored()["updated_at"] == "2026-03-19T12:03:15Z")
        let state = try bench.state()
        #expect(state["updates"] == 0)
        #expect(state["updates_this_month"] == 0)
        #expect(state["pushes"] == 1)
    }

    @Test("texts that look alike are two texts")
    func canonicalEquivalence() throws {
        var bench = try Bench.holding(#"{"template":"status","label":"caf\u00e9"}"#)
        _ = try bench.patch(#"{"content":{"label":"cafe\u0301"}}"#)
        #expect(try bench.state()["updates"] == 1)
    }

    @Test("a body is required, and so is something in it", arguments: ["", "{}", " { } "])
    func empty(body: String) throws {
        var bench = try Bench.holding(PatchTests.flow)
        let response = try bench.patch(body)
        #expect(response.status == 400)
        #expect(response["code"] == "request.body_required")
    }

    @Test(
        "a body that is no object is malformed",
        arguments: ["{", "[]", "7", "null", #"{"content":{"value":1e999}}"#, #"{"content":{"value":Infinity}}"#]
    )
    func malformed(body: String) throws {
        var bench = try Bench.holding(PatchTests.flow)
        let response = try bench.patch(body)
        #expect(response.status == 400)
        #expect(response["code"] == "widget.content_invalid")
    }

    @Test("any other media type is refused", arguments: [nil, "application/json", "text/plain"])
    func mediaType(type: String?) throws {
        var bench = try Bench.holding(PatchTests.flow)
        let body = #"{"content":{"label":"New"}}"#
        #expect(try bench.send("PATCH", "/widgets/power", body, type: type).status == 415)
        #expect(try bench.stored()["content"]?.asObject?["label"] == "Power")
    }

    @Test(
        "what a patch may not say",
        arguments: [
            (#"{"name":"N"}"#, "body"),
            (#"{"content":{}}"#, "body.content"),
            (#"{"content":null}"#, "body.content"),
            (#"{"content":[1]}"#, "body.content"),
            (#"{"slug":"other","content":{"template":"flow"}}"#, "body.slug"),
            (#"{"updated_at":"2026-03-19T11:00:15Z","content":{"template":"flow"}}"#, "body.updated_at"),
            (#"{"name":null,"content":{"template":"flow"}}"#, "body.name"),
            (#"{"name":"","content":{"template":"flow"}}"#, "body.name"),
            (#"{"push_throttle":null,"content":{"template":"flow"}}"#, "body.push_throttle"),
            (#"{"push_throttle":0,"content":{"template":"flow"}}"#, "body.push_throttle"),
            (#"{"stale_after":59,"content":{"template":"flow"}}"#, "body.stale_after"),
            (#"{"content":{"template":null}}"#, "body.content"),
            (#"{"content":{"bogus":null}}"#, "body.content.bogus"),
            (#"{"content":{"flow":{"storage":{"bogus":null}}}}"#, "body.content.flow.storage.bogus"),
            (#"{"content":{"flow":{"exchange":{"rate":null}}}}"#, "body.content.flow.exchange"),
            (#"{"content":{"flow":{"exchange":{"rate":true}}}}"#, "body.content.flow.exchange.rate"),
            (#"{"content":{"flow":null}}"#, "body.content.flow"),
            (
                #"{"content":{"flow":{"inputs":null,"storage":null,"exchange":null,"output":null}}}"#,
                "body.content.flow"
            ),
            (
                #"{"content":{"flow":{"inputs":[],"storage":null,"exchange":null,"output":null}}}"#,
                "body.content.flow"
            ),
            (#"{"content":{"template":"countdown"}}"#, "body.content.end_date"),
        ]
    )
    func refusals(body: String, location: String) throws {
        var bench = try Bench.holding(PatchTests.flow)
        let before = try bench.stored()
        let response = try bench.patch(body)
        #expect(response.status == 422)
        #expect(response["code"] == "widget.content_invalid")
        #expect(response.locations == [location])
        #expect(try bench.stored() == before)
        #expect(try bench.state()["updates_this_month"] == 0)
    }

    @Test("moving one date across the stored other one is refused")
    func crossingDates() throws {
        let window = #"{"start_date":"2026-03-19T12:00:00Z","end_date":"2026-03-19T14:00:00Z"}"#
        var bench = try Bench.holding(#"{"template":"countdown","expired_text":"Done","# + window.dropFirst())
        let response = try bench.patch(#"{"content":{"end_date":"2026-03-19T13:00:00+02:00"}}"#)
        #expect(response.status == 422)
        #expect(response.locations == ["body.content.start_date"])
        let together = #"{"content":{"start_date":null,"end_date":"2026-03-19T13:00:00+02:00"}}"#
        #expect(try bench.patch(together).status == 200)
    }

    @Test("a date that was near enough once is judged anew by the clock of each patch")
    func agedDates() throws {
        var bench = try Bench.holding(#"{"template":"countdown","end_date":"2026-03-20T00:00:00Z"}"#)
        bench.wait(.seconds(400 * 86_400))
        #expect(try bench.patch(#"{"content":{"label":"Still there"}}"#).status == 200)
        // Set back: the stored date is now too far ahead, though the patch does not touch it.
        bench.now.wall -= .seconds(800 * 86_400)
        let response = try bench.patch(#"{"content":{"label":"Again"}}"#)
        #expect(response.locations == ["body.content.end_date"])
    }

    @Test("what another template left behind can be in the way")
    func leftovers() throws {
        var bench = try Bench.holding(
            #"{"template":"progress","start_date":"2026-03-19T12:00:00Z","end_date":"2026-03-19T14:00:00Z"}"#
        )
        #expect(try bench.patch(#"{"content":{"template":"status"}}"#).status == 200)
        let response = try bench.patch(#"{"content":{"start_date":"2026-03-19T15:00:00Z"}}"#)
        #expect(response.status == 422)
    }
}
