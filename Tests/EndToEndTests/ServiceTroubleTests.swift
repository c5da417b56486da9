import ProcessSupport
import Testing
import Widgets

@Suite("Trouble with the widget service", .timeLimit(.minutes(3)))
struct ServiceTroubleTests {
    @Test(
        "the newest state arrives after a failure, without a new message",
        arguments: [500, 503, "reset", "reset-before"] as [JSONValue]
    )
    func failures(status: JSONValue) async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            try home.fail(status, count: 2)
            try home.publish("home/grid", "150")
            try await home.awaitRates([150])
            try await home.awaitLog("notice: The widget 'power' is being updated again.\n")
            #expect(try home.logLines.count { $0.contains("'power'") } == 2)
        }
    }

    @Test("while the service asks for patience nothing is sent, and then the newest state")
    func retryAfter() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            try home.fail(503, retryAfter: 4)
            let start = ContinuousClock.now
            try home.publish("home/grid", "150")
            try await home.wait(for: "the refusal") { try home.requests("power").last?.status == 503 }
            try home.publish("home/grid", "200")
            try await home.awaitRates([200])
            #expect(ContinuousClock.now - start >= .seconds(4))
            #expect(try home.requests("power").suffix(2).map(\.status) == [503, 200])
        }
    }

    @Test(
        "a request that is never answered is given up, and what it may have changed is sent again",
        arguments: ["timeout", "timeout-before"] as [JSONValue]
    )
    func silence(word: JSONValue) async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            try home.fail(word)
            try home.publish("home/grid", "150")
            try await home.wait(for: "a request without an answer") { try home.requests("power").last?.status == 0 }
            try home.publish("home/grid", "200")
            try await home.awaitRates([200])
        }
    }

    @Test("a widget that somebody deleted is created again")
    func deleted() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            try home.ask("DELETE", "/widgets/power")
            try home.publish("home/grid", "150")
            try await home.awaitRates([150])
            #expect(try home.requests("power").suffix(2).map(\.method) == ["PATCH", "POST"])
            #expect(
                try home.log.contains("notice: The widget 'power' is gone from the service; it is created again.\n")
            )
        }
    }

    @Test("a refused key is told of once, and nothing more is sent with it")
    func refusedKey() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            try home.fail(401)
            try home.publish("home/grid", "150")
            try await home.awaitLog(
                "error: The service refuses the key (token.invalid: this failure was asked for). "
                    + "Nothing is sent until it accepts it: check the key under 'pushward'.\n"
            )
            try home.publish("home/grid", "200")
            #expect(try home.endDaemon().ending == .code(0))
            #expect(try home.requests("power").last?.status == 401)
        }
    }
}
