import ProcessSupport
import Testing
import Widgets

/// What the daemon does about one kind of answer.
struct AnswerRow: Sendable, CustomTestStringConvertible {
    let status: JSONValue
    var code: String?
    /// What the log says of it, once.
    let sentence: String
    /// Whether the whole process waits, or only the widget.
    var stopsAll = false

    var testDescription: String { [status.description, code].compactMap { $0 }.joined(separator: " ") }

    static let all = [
        AnswerRow(status: 400, sentence: "The service refuses a PATCH for the widget 'power'"),
        AnswerRow(status: 405, sentence: "The service refuses a PATCH for the widget 'power'"),
        AnswerRow(status: 415, sentence: "The service refuses a PATCH for the widget 'power'"),
        AnswerRow(status: 403, code: "subscription.required", sentence: "The key may not write the widget 'power'"),
        AnswerRow(
            status: 409,
            code: "widget.limit_exceeded",
            sentence: "The account has no room for the widget 'power'"
        ),
        AnswerRow(
            status: 429,
            code: "widget.limit_exceeded",
            sentence: "The account has no room for the widget 'power'"
        ),
        AnswerRow(status: 301, sentence: "The service answered with a redirect (301)"),
        AnswerRow(status: 401, code: "token.invalid", sentence: "The service refuses the key", stopsAll: true),
        AnswerRow(
            status: 429,
            code: "rate_limit.exceeded",
            sentence: "The service limits this address",
            stopsAll: true
        ),
        AnswerRow(status: 429, sentence: "The service limits this address", stopsAll: true),
        AnswerRow(status: 429, code: "quota.exceeded", sentence: "The account's updates are used up", stopsAll: true),
    ]
}

@Suite("Each answer of the widget service", .timeLimit(.minutes(3)))
struct AnswerTests {
    @Test("has its own behaviour: what waits, what goes on, and one line of the log", arguments: AnswerRow.all)
    func behaviour(row: AnswerRow) async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try home.publish("home/fence", "1")
            try await home.awaitRates([100])
            try await home.awaitRates([1], of: "fence")
            try home.fail(row.status, code: row.code)
            try home.publish("home/grid", "150")
            try await home.awaitLog(row.sentence)
            let before = try (power: home.requests("power").count, fence: home.requests("fence").count)
            try home.publish("home/grid", "200")
            try home.publish("home/fence", "2")
            if row.stopsAll {
                #expect(try home.endDaemon().ending == .code(0))
                #expect(try home.requests("fence").count == before.fence)
            } else {
                try await home.awaitRates([2], of: "fence")
            }
            #expect(try home.requests("power").count == before.power)
            #expect(try home.logLines.count { $0.contains(row.sentence) } == 1)
        }
    }

    @Test("a refused content is sent again without what may be at fault, and the rates go on")
    func refusedContent() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            try home.fail(422, code: "widget.content_invalid")
            try home.publish("home/grid", "150")
            try await home.awaitLog("it is sent without everything but the values.")
            try await home.awaitRates([150])
        }
    }
}
