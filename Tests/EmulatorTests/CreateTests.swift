import Testing
import Widgets

@testable import Emulator

@Suite("POST /widgets") struct CreateTests {
    @Test("a widget is created and answered in full")
    func create() throws {
        var bench = Bench()
        let response = try bench.post(
            #"{"slug":"power","name":"Power","push_throttle":30,"stale_after":900,"content":{"template":"status"}}"#
        )
        #expect(response.status == 201)
        #expect(response[header: "X-Resource-Action"] == "created")
        #expect(response[header: "Content-Type"] == "application/json")
        let expected = """
            {"slug":"power","name":"Power","push_throttle":30,"stale_after":900,"content":{"template":"status"},
             "created_at":"2026-03-19T11:00:15Z","updated_at":"2026-03-19T11:00:15Z"}
            """
        #expect(try response.body == json(expected))
        #expect(try bench.send("GET", "/widgets/power").body == json(expected))
    }

    @Test("a second POST replaces all of the widget but the date of its creation")
    func upsert() throws {
        var bench = Bench()
        _ = try bench.post(
            #"{"slug":"power","name":"Power","stale_after":900,"content":{"template":"status","label":"Old"}}"#
        )
        bench.wait(.seconds(60))
        let response = try bench.post(#"{"slug":"power","name":"New","content":{"template":"value","value":1}}"#)
        #expect(response.status == 201)
        #expect(response[header: "X-Resource-Action"] == "updated")
        let expected = """
            {"slug":"power","name":"New","content":{"template":"value","value":1},
             "created_at":"2026-03-19T11:00:15Z","updated_at":"2026-03-19T11:01:15Z"}
            """
        #expect(try response.body == json(expected))
    }

    @Test("slugs differ by case")
    func slugsByBytes() throws {
        var bench = try Bench.holding(#"{"template":"status"}"#)
        let response = try bench.post(#"{"slug":"Power","name":"P","content":{"template":"status"}}"#)
        #expect(response[header: "X-Resource-Action"] == "created")
    }

    @Test("a list may be null, and is then not there")
    func nullLists() throws {
        var bench = Bench()
        let response = try bench.post(
            """
            {"slug":"power","name":"P","content":
             {"template":"flow","stat_rows":null,"flow":{"inputs":null,"output":{"rate":1}}}}
            """
        )
        #expect(response.status == 201)
        #expect(try response["content"] == json(#"{"template":"flow","flow":{"output":{"rate":1}}}"#))
    }

    @Test(
        "a body that is no object is malformed",
        arguments: ["{", "nonsense", "[]", "1", #""text""#, "null", #"{"slug":"power",}"#, #"{"a":NaN}"#, "  "]
    )
    func malformed(body: String) throws {
        var bench = Bench()
        let response = try bench.post(body)
        #expect(response.status == 400)
        #expect(response["code"] == nil)
        #expect(response["detail"] == "validation failed")
        #expect(response.locations == ["body"])
    }

    @Test("a body is required")
    func noBody() throws {
        var bench = Bench()
        let response = try bench.post("")
        #expect(response.status == 400)
        #expect(response["code"] == "request.body_required")
    }

    @Test(
        "any other media type is refused",
        arguments: [nil, "text/plain", "application/merge-patch+json", "application/x-www-form-urlencoded"]
    )
    func mediaType(type: String?) throws {
        var bench = Bench()
        let body = #"{"slug":"power","name":"P","content":{"template":"status"}}"#
        #expect(try bench.send("POST", "/widgets", body, type: type).status == 415)
        #expect(try bench.send("POST", "/widgets", body, type: "Application/JSON; charset=utf-8").status == 201)
    }

    @Test("a body beyond 256 KiB is refused")
    func tooLarge() throws {
        var bench = Bench()
        let padding = String(repeating: " ", count: Request.largestBody)
        let fits = #"{"slug":"power","name":"P","content":{"template":"status"}}"#
        #expect(try bench.post(padding + fits).status == 413)
        #expect(try bench.post(padding.dropFirst(fits.utf8.count) + fits).status == 201)
    }

    @Test(
        "what a widget must be",
        arguments: [
            (#"{"name":"P","content":{"template":"status"}}"#, "body"),
            (#"{"slug":"power","content":{"template":"status"}}"#, "body"),
            (#"{"slug":"power","name":"P"}"#, "body"),
            (#"{"slug":"","name":"P","content":{"template":"status"}}"#, "body.slug"),
            (#"{"slug":"-a","name":"P","content":{"template":"status"}}"#, "body.slug"),
            (#"{"slug":"a b","name":"P","content":{"template":"status"}}"#, "body.slug"),
            (#"{"slug":7,"name":"P","content":{"template":"status"}}"#, "body.slug"),
            (#"{"slug":"power","name":"","content":{"template":"status"}}"#, "body.name"),
            (#"{"slug":"power","name":null,"content":{"template":"status"}}"#, "body.name"),
            (#"{"slug":"power","name":"P","content":null}"#, "body.content"),
            (#"{"slug":"power","name":"P","content":[]}"#, "body.content"),
            (#"{"slug":"power","name":"P","content":{}}"#, "body.content"),
            (#"{"slug":"power","name":"P","content":{"template":"pie"}}"#, "body.content.template"),
            (#"{"slug":"power","name":"P","content":{"template":null}}"#, "body.content.template"),
            (#"{"slug":"power","name":"P","content":{"template":"status","label":null}}"#, "body.content.label"),
            (#"{"slug":"power","name":"P","content":{"template":"status","flow":null}}"#, "body.content.flow"),
            (#"{"slug":"power","name":"P","push_throttle":0,"content":{"template":"status"}}"#, "body.push_throttle"),
            (
                #"{"slug":"power","name":"P","push_throttle":3601,"content":{"template":"status"}}"#,
                "body.push_throttle"
            ),
            (#"{"slug":"power","name":"P","push_throttle":1.5,"content":{"template":"status"}}"#, "body.push_throttle"),
            (
                #"{"slug":"power","name":"P","push_throttle":null,"content":{"template":"status"}}"#,
                "body.push_throttle"
            ),
            (
                #"{"slug":"power","name":"P","push_throttle":"15","content":{"template":"status"}}"#,
                "body.push_throttle"
            ),
            (#"{"slug":"power","name":"P","stale_after":59,"content":{"template":"status"}}"#, "body.stale_after"),
            (#"{"slug":"power","name":"P","stale_after":604801,"content":{"template":"status"}}"#, "body.stale_after"),
            (#"{"slug":"power","name":"P","stale_after":null,"content":{"template":"status"}}"#, "body.stale_after"),
            (#"{"slug":"power","name":"P","created_at":"x","content":{"template":"status"}}"#, "body.created_at"),
            (#"{"slug":"power","name":"P","content":{"template":"status","bogus":1}}"#, "body.content.bogus"),
        ]
    )
    func refusals(body: String, location: String) throws {
        var bench = Bench()
        let response = try bench.post(body)
        #expect(response.status == 422)
        #expect(response["code"] == nil)
        #expect(response["detail"] == "validation failed")
        #expect(response.locations == [location])
        #expect(try bench.send("GET", "/widgets")["items"] == .null)
    }

    @Test("the bounds themselves are accepted")
    func bounds() throws {
        var bench = Bench()
        let name = String(repeating: "n", count: 256)
        for (throttle, stale) in [(1, 60), (3600, 604_800)] {
            let body = """
                {"slug":"power","name":"\(name)","push_throttle":\(throttle),"stale_after":\(stale),
                 "content":{"template":"status"}}
                """
            #expect(try bench.post(body).status == 201)
        }
        let tooLong = #"{"slug":"power","name":"\#(name)n","content":{"template":"status"}}"#
        #expect(try bench.post(tooLong).locations == ["body.name"])
    }

    @Test("an error says what stands there")
    func value() throws {
        var bench = Bench()
        let response = try bench.post(#"{"slug":"power","name":"P","content":{"template":"status","label":7}}"#)
        let expected = #"[{"message":"expected string","location":"body.content.label","value":7}]"#
        #expect(try response["errors"] == json(expected))
    }

    @Test("content that has the right shape and cannot be drawn has a code")
    func content() throws {
        var bench = Bench()
        let response = try bench.post(#"{"slug":"power","name":"P","content":{"template":"progress"}}"#)
        #expect(response.status == 422)
        #expect(response["code"] == "widget.content_invalid")
        #expect(response["detail"] == "value is required for progress widget template")
        #expect(response["type"] == "https://pushward.app/errors/unprocessable-entity")
        #expect(response.locations == ["body.content.value"])
    }

    @Test("an account has at most 50 widgets, and keeps those that it has")
    func cap() throws {
        var bench = Bench()
        for number in 1...50 {
            let body = #"{"slug":"w\#(number)","name":"P","content":{"template":"status"}}"#
            #expect(try bench.post(body).status == 201)
        }
        let response = try bench.post(#"{"slug":"w51","name":"P","content":{"template":"status"}}"#)
        #expect(response.status == 429)
        #expect(response["code"] == "widget.limit_exceeded")
        #expect(response[header: "Retry-After"] == nil)
        #expect(try bench.post(#"{"slug":"w50","name":"Q","content":{"template":"status"}}"#).status == 201)
        _ = try bench.send("DELETE", "/widgets/w1")
        #expect(try bench.post(#"{"slug":"w51","name":"P","content":{"template":"status"}}"#).status == 201)
    }
}
