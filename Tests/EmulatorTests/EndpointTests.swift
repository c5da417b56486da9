import Testing
import Widgets

@testable import Emulator

@Suite("Endpoints") struct EndpointTests {
    @Test("health needs no key")
    func health() throws {
        var bench = Bench()
        let response = try bench.send("GET", "/health", authorization: nil)
        #expect(response.status == 200)
        #expect(try response.body == json(#"{"status":"ok"}"#))
    }

    @Test(
        "a request without a good key is refused",
        arguments: [
            nil, "", "Bearer ", "Bearer hlk_short", "hlk_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
            "Bearer hlk_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234-", "Bearer xlk_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
            "Bearer hlk_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456",
        ]
    )
    func unauthorized(authorization: String?) throws {
        for (method, target) in [("GET", "/auth/me"), ("GET", "/widgets"), ("PATCH", "/widgets/power")] {
            var bench = Bench()
            let response = try bench.send(method, target, authorization: authorization)
            #expect(response.status == 401)
            #expect(response["code"] == "token.invalid")
            #expect(response[header: "content-type"] == "application/problem+json")
        }
    }

    @Test("with a key of its own, any other key is refused")
    func onlyKey() throws {
        var bench = Bench(key: "hlk_00000000000000000000000000000000")
        #expect(try bench.send("GET", "/widgets").status == 401)
        let authorization = "Bearer hlk_00000000000000000000000000000000"
        #expect(try bench.send("GET", "/widgets", authorization: authorization).status == 200)
    }

    @Test(
        "there is nothing else",
        arguments: ["/", "", "/widget", "/widgets/power/more", "/widgets/power/", "/auth", "/auth/you", "/health/"]
    )
    func unknown(target: String) throws {
        var bench = Bench()
        let response = try bench.send("GET", target)
        #expect(response.status == 404)
        #expect(response["code"] == nil)
        #expect(response["type"] == "about:blank")
        #expect(response["title"] == "Not Found")
        #expect(response["instance"] == "/requests/1")
    }

    @Test(
        "a method that an endpoint lacks is refused, and the others are named",
        arguments: [
            ("POST", "/health", "GET"), ("PUT", "/auth/me", "GET"), ("DELETE", "/widgets", "GET, POST"),
            ("PUT", "/widgets/power", "GET, PATCH, DELETE"), ("POST", "/widgets/power", "GET, PATCH, DELETE"),
            ("HEAD", "/widgets/power", "GET, PATCH, DELETE"),
        ]
    )
    func wrongMethod(method: String, target: String, allowed: String) throws {
        var bench = Bench()
        let response = try bench.send(method, target)
        #expect(response.status == 405)
        #expect(response[header: "Allow"] == allowed)
    }

    @Test("a query is no part of the path")
    func query() throws {
        var bench = try Bench.holding(#"{"template":"status"}"#)
        #expect(try bench.send("GET", "/widgets/power?x=/y").status == 200)
    }

    @Test(
        "a slug that cannot be is told from one that is not there",
        arguments: [
            ("/widgets/", 400, "slug.invalid"), ("/widgets/-power", 400, "slug.invalid"),
            ("/widgets/po.wer", 400, "slug.invalid"), ("/widgets/a%2Fb", 400, "slug.invalid"),
            ("/widgets/a%zz", 400, "slug.invalid"), ("/widgets/a%2", 400, "slug.invalid"),
            ("/widgets/" + String(repeating: "a", count: 129), 400, "slug.invalid"),
            ("/widgets/%ff", 400, "slug.invalid"),
            ("/widgets/" + String(repeating: "a", count: 128), 404, "widget.not_found"),
            ("/widgets/power", 404, "widget.not_found"),
        ]
    )
    func slugs(target: String, status: Int, code: String) throws {
        for method in ["GET", "PATCH", "DELETE"] {
            var bench = Bench()
            let response = try bench.send(method, target)
            #expect(response.status == status)
            #expect(try response["code"] == json(#""\#(code)""#))
        }
    }

    @Test("percent escapes in a slug are undone")
    func escapedSlug() throws {
        var bench = try Bench.holding(#"{"template":"status"}"#)
        #expect(try bench.send("GET", "/widgets/%70owe%72").status == 200)
    }

    @Test("the list is null while there is no widget")
    func list() throws {
        var bench = Bench()
        #expect(try bench.send("GET", "/widgets").body == json(#"{"items":null}"#))
        _ = try bench.post(#"{"slug":"a","name":"A","content":{"template":"status"}}"#)
        _ = try bench.post(#"{"slug":"b","name":"B","content":{"template":"status"}}"#)
        let items = try #require(try bench.send("GET", "/widgets")["items"]?.asArray)
        #expect(items.compactMap { $0.asObject?["slug"] } == ["a", "b"])
    }

    @Test("a deleted widget is gone")
    func delete() throws {
        var bench = try Bench.holding(#"{"template":"status"}"#)
        let response = try bench.send("DELETE", "/widgets/power")
        #expect(response.status == 204)
        #expect(response.body == nil)
        #expect(response.headers.isEmpty)
        #expect(try bench.send("GET", "/widgets/power").status == 404)
        #expect(try bench.send("DELETE", "/widgets/power").status == 404)
    }
}
