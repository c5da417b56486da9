import Testing
import Widgets

@testable import Emulator

@Suite("Faults") struct FaultTests {
    private let post = Request(
        method: "POST",
        target: "/widgets",
        authorization: "Bearer \(Bench.key)",
        contentType: "application/json",
        body: Array(#"{"slug":"power","name":"P","content":{"template":"status"}}"#.utf8)
    )

    @Test(
        "words of the command line",
        arguments: [
            ("503", Fault(.refuse(status: 503, code: "service.unavailable", retryAfter: .seconds(1)))),
            ("500:3", Fault(.refuse(status: 500, code: nil, retryAfter: nil), count: 3)),
            ("429", Fault(.refuse(status: 429, code: "rate_limit.exceeded", retryAfter: .seconds(60)))),
            ("401:2", Fault(.refuse(status: 401, code: "token.invalid", retryAfter: nil), count: 2)),
            ("301", Fault(.refuse(status: 301, code: nil, retryAfter: nil))),
            ("timeout", Fault(.silence(isApplied: true))),
            ("timeout-before:9", Fault(.silence(isApplied: false), count: 9)),
            ("reset:1", Fault(.reset(isApplied: true))),
            ("reset-before", Fault(.reset(isApplied: false))),
        ]
    )
    func arguments(argument: String, expected: Fault) throws {
        #expect(try Fault(argument: argument) == expected)
    }

    @Test(
        "words that are none",
        arguments: [
            "", "200", "299", "600", "-1", "503:", "503:0", "503:-1", "503:x", "503:1:1", "Timeout", "timeout:1.5",
            ":1",
        ]
    )
    func badArguments(argument: String) {
        #expect(throws: FaultError.self) { try Fault(argument: argument) }
    }

    @Test("faults come in order, each as often as asked, and are not applied")
    func order() throws {
        var bench = Bench(faults: [try Fault(argument: "503:2"), try Fault(argument: "500")])
        #expect((0..<4).map { _ in bench.take(post).status } == [503, 503, 500, 201])
    }

    @Test(
        "a request without an answer is applied or not, as asked",
        arguments: [
            ("timeout", Outcome.silence, true), ("timeout-before", .silence, false), ("reset", .reset, true),
            ("reset-before", .reset, false),
        ]
    )
    func unanswered(word: String, outcome: Outcome, isApplied: Bool) throws {
        var bench = Bench(faults: [try Fault(argument: word)])
        #expect(bench.take(post) == outcome)
        #expect(try bench.send("GET", "/widgets/power").status == (isApplied ? 200 : 404))
    }

    @Test("a fault is asked for while it runs")
    func control() throws {
        var bench = Bench()
        let body = #"{"status":503,"count":2,"retry_after":0.25}"#
        #expect(try bench.send("POST", "/_emulator/fail", body, authorization: nil).status == 204)
        #expect(try bench.state()["faults"] == 2)
        let response = try bench.send("GET", "/widgets")
        #expect(response.status == 503)
        #expect(response["code"] == "service.unavailable")
        #expect(response["retry_after_ms"] == 250)
        #expect(response[header: "Retry-After"] == "1")
        #expect(try bench.send("GET", "/widgets").status == 503)
        #expect(try bench.send("GET", "/widgets").status == 200)
    }

    @Test("a code of one's own, and the members that go with a used-up month")
    func codes() throws {
        var bench = Bench(plan: .free)
        _ = try bench.send("POST", "/_emulator/fail", #"{"status":403,"code":"subscription.required"}"#)
        _ = try bench.send("POST", "/_emulator/fail", #"{"status":429,"code":"quota.exceeded"}"#)
        #expect(try bench.send("GET", "/widgets")["code"] == "subscription.required")
        let response = try bench.send("GET", "/widgets")
        #expect(response["code"] == "quota.exceeded")
        #expect(response["reset_at"] == "2026-04-01T00:00:00Z")
        #expect(response[header: "Retry-After"] == "1083585")
    }

    @Test("what is still to fail can be forgotten")
    func forget() throws {
        var bench = Bench(faults: [try Fault(argument: "500:1000")])
        #expect(try bench.send("GET", "/widgets").status == 500)
        #expect(try bench.send("DELETE", "/_emulator/fail").status == 204)
        #expect(try bench.send("GET", "/widgets").status == 200)
    }

    @Test(
        "a fault that cannot be is refused",
        arguments: [
            "", "{", "[]", "{}", #"{"status":200}"#, #"{"status":503.5}"#, #"{"status":"sleep"}"#,
            #"{"status":503,"count":0}"#, #"{"status":503,"count":1.5}"#, #"{"status":503,"count":"2"}"#,
            #"{"status":503,"retry_after":-1}"#, #"{"status":503,"retry_after":"2"}"#, #"{"status":503,"code":5}"#,
            #"{"status":503,"after":2}"#,
        ]
    )
    func badControl(body: String) throws {
        var bench = Bench()
        let response = try bench.send("POST", "/_emulator/fail", body)
        #expect(response.status == 400)
        #expect(response["error"]?.asString?.hasSuffix(".") == true)
        #expect(try bench.state()["faults"] == 0)
    }

    @Test("a plan that cannot be is refused", arguments: ["{}", #"{"plan":"gold"}"#, #"{"plan":"free","x":1}"#])
    func badPlan(body: String) throws {
        var bench = Bench()
        #expect(try bench.send("POST", "/_emulator/plan", body).status == 400)
        #expect(try bench.state()["plan"] == "paid")
    }

    @Test("controls are neither counted nor traced nor made to fail")
    func uncounted() throws {
        var bench = Bench(faults: [try Fault(argument: "500")])
        for _ in 0..<300 { #expect(try bench.state()["requests"] == 0) }
        let request = Request(method: "GET", target: "/_emulator/state")
        #expect(bench.service.answer(request, at: bench.now).trace == nil)
        #expect(try bench.send("GET", "/_emulator/nothing").status == 404)
        #expect(try bench.send("GET", "/widgets").status == 500)
    }
}
