import Readings
import Testing
import Widgets

@testable import Emulator

@Suite("Limits") struct LimitTests {
    private func change(_ bench: inout Bench, _ value: Int) throws -> Response {
        try bench.patch(#"{"content":{"value":\#(value)}}"#)
    }

    @Test("the free plan has 50 updates a month, and then says how long to wait")
    func quota() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#, plan: .free)
        for value in 1...50 {
            #expect(try change(&bench, value).status == 200)
        }
        let response = try change(&bench, 51)
        #expect(response.status == 429)
        #expect(response["code"] == "quota.exceeded")
        #expect(response["kind"] == "widget_updates")
        #expect(response["used"] == 50)
        #expect(response["limit"] == 50)
        #expect(response["reset_at"] == "2026-04-01T00:00:00Z")
        // From 2026-03-19T11:00:15Z: 12 days, 12 hours, 59 minutes and 45 seconds.
        #expect(response[header: "Retry-After"] == "1083585")
        #expect(response["retry_after_ms"] == 1_083_585_000)
        #expect(try bench.stored()["content"]?.asObject?["value"] == 50)
    }

    @Test("the count starts anew with the month, in UTC and not before")
    func monthRoll() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#, plan: .free)
        for value in 1...50 { _ = try change(&bench, value) }
        bench.now.wall = try #require(RFC3339.parse("2026-03-31T23:59:59Z"))
        bench.now.uptime += .seconds(120)
        #expect(try change(&bench, 51).status == 429)
        #expect(try change(&bench, 51)[header: "Retry-After"] == "1")
        bench.now.wall += .seconds(1)
        #expect(try change(&bench, 51).status == 200)
        let user = try bench.send("GET", "/auth/me")
        #expect(user["widget_updates_used"] == 1)
        #expect(user["quota_period_month"] == 202_604)
    }

    @Test("an update that is refused for anything else is not counted")
    func refusedIsFree() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#, plan: .free)
        _ = try bench.patch(#"{"content":{"value":"x"}}"#)
        _ = try bench.patch("{")
        _ = try bench.patch(#"{"content":{"value":1}}"#, slug: "other")
        _ = try bench.post(#"{"slug":"power","name":"P","content":{"template":"value","value":9}}"#)
        _ = try bench.send("GET", "/widgets/power")
        #expect(try bench.send("GET", "/auth/me")["widget_updates_used"] == 0)
    }

    @Test("a patch that changes nothing is free, and refused when nothing is left")
    func noChange() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#, plan: .free)
        for value in 1...49 {
            _ = try change(&bench, value)
            #expect(try bench.patch(#"{"content":{"template":"value"}}"#).status == 200)
        }
        #expect(try bench.send("GET", "/auth/me")["widget_updates_used"] == 49)
        _ = try change(&bench, 50)
        #expect(try bench.patch(#"{"content":{"template":"value"}}"#)["code"] == "quota.exceeded")
        #expect(try bench.post(#"{"slug":"more","name":"P","content":{"template":"value"}}"#).status == 201)
    }

    @Test("the account of the free plan")
    func freeAccount() throws {
        var bench = Bench(plan: .free)
        let expected = """
            {"id":"emulated","nickname":null,"activity_count":0,"subscribed":false,"widget_updates_used":0,
             "widget_updates_limit":50,"quota_period_month":202603,"quota_resets_at":"2026-04-01T00:00:00Z"}
            """
        #expect(try bench.send("GET", "/auth/me").body == json(expected))
    }

    @Test("the account of the paid plan has no limit, and dates of other counters")
    func paidAccount() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#)
        for value in 1...60 { #expect(try change(&bench, value).status == 200) }
        let expected = """
            {"id":"emulated","nickname":null,"activity_count":0,"subscribed":true,"widget_updates_used":60,
             "quota_period_month":202603,"quota_resets_at":"2026-03-20T00:00:00Z",
             "quota_resets_day_at":"2026-03-20T00:00:00Z"}
            """
        #expect(try bench.send("GET", "/auth/me").body == json(expected))
    }

    @Test("an upgrade lifts the limit at once")
    func upgrade() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#, plan: .free)
        for value in 1...50 { _ = try change(&bench, value) }
        #expect(try change(&bench, 51).status == 429)
        #expect(try bench.send("POST", "/_emulator/plan", #"{"plan":"paid"}"#).status == 204)
        #expect(try change(&bench, 51).status == 200)
    }

    @Test("200 requests of a client fit into a rolling minute, whatever they ask")
    func rateLimit() throws {
        var bench = Bench()
        for index in 0..<200 {
            let target = ["/health", "/widgets", "/nowhere", "/widgets/power"][index % 4]
            #expect(try bench.send("GET", target).status != 429)
            bench.wait(.milliseconds(100))
        }
        // 20 s are gone since the first one.
        let response = try bench.send("GET", "/health", authorization: nil)
        #expect(response.status == 429)
        #expect(response["code"] == "rate_limit.exceeded")
        #expect(response["retry_after_ms"] == 60_000)
        #expect(response[header: "Retry-After"] == "60")
        #expect(try bench.send("GET", "/health", client: "127.0.0.2").status == 200)
        bench.wait(.seconds(40) - .milliseconds(1))
        #expect(try bench.send("GET", "/health").status == 429)
        bench.wait(.milliseconds(1))
        #expect(try bench.send("GET", "/health").status == 200)
        #expect(try bench.send("GET", "/health").status == 429)
        bench.wait(.seconds(60))
        #expect(try bench.send("GET", "/health").status == 200)
    }

    @Test("the rate is counted by the monotonic clock")
    func rateLimitClock() throws {
        var bench = Bench()
        for _ in 0..<200 { _ = try bench.send("GET", "/health") }
        bench.now.wall += .seconds(3600)
        #expect(try bench.send("GET", "/health").status == 429)
    }

    @Test(
        "months and their ends",
        arguments: [
            ("2026-03-31T23:59:59Z", 202_603, "2026-04-01T00:00:00Z"),
            ("2026-04-01T00:00:00Z", 202_604, "2026-05-01T00:00:00Z"),
            ("2026-12-31T12:00:00Z", 202_612, "2027-01-01T00:00:00Z"),
            ("2028-02-29T00:00:00Z", 202_802, "2028-03-01T00:00:00Z"),
            ("2100-02-28T23:59:59Z", 210_002, "2100-03-01T00:00:00Z"),
            ("1970-01-01T00:00:00Z", 197_001, "1970-02-01T00:00:00Z"),
            ("1969-12-31T00:00:00Z", 197_001, "1970-02-01T00:00:00Z"),
        ]
    )
    func months(instant: String, number: Int, end: String) throws {
        let month = CalendarMonth(containing: try #require(RFC3339.parse(instant)))
        #expect(month.number == number)
        #expect(month.end == RFC3339.parse(end))
    }
}
