import Readings
import Testing
import Widgets

@testable import Emulator

/// A service and a clock that tests turn by hand.
struct Bench {
    /// A key that looks right.
    static let key = "hlk_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345"
    /// 2026-03-19T11:00:15Z.
    static let start = Moment(uptime: .seconds(1000), wall: .seconds(1_773_918_015))

    var service: WidgetService
    var now = Bench.start

    init(plan: Plan = .paid, key: String? = nil, faults: [Fault] = [], from start: Moment = Bench.start) {
        service = WidgetService(plan: plan, key: key, faults: faults, at: start)
        now = start
    }

    /// A service with one widget named `power`, of this content.
    static func holding(_ content: String, plan: Plan = .paid) throws -> Bench {
        var bench = Bench(plan: plan)
        let response = try bench.post(#"{"slug":"power","name":"Power","content":\#(content)}"#)
        try #require(response.status == 201)
        return bench
    }

    mutating func wait(_ span: Duration) {
        now = now.advanced(by: span)
    }

    mutating func take(_ request: Request) -> Outcome {
        service.answer(request, at: now).outcome
    }

    mutating func send(
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String? = nil,
        authorization: String? = "Bearer \(Bench.key)",
        client: String = "127.0.0.1"
    ) throws -> Response {
        let request = Request(
            method: method,
            target: target,
            authorization: authorization,
            contentType: type,
            body: Array(body.utf8),
            client: client
        )
        guard case .response(let response) = take(request) else { throw Unanswered() }
        return response
    }

    mutating func post(_ body: String) throws -> Response {
        try send("POST", "/widgets", body, type: "application/json")
    }

    mutating func patch(_ body: String, slug: String = "power") throws -> Response {
        try send("PATCH", "/widgets/\(slug)", body, type: "application/merge-patch+json")
    }

    /// What the service holds of the widget `power`.
    mutating func stored() throws -> JSONObject {
        try #require(try send("GET", "/widgets/power").body?.asObject)
    }

    mutating func state() throws -> JSONObject {
        try #require(try send("GET", "/_emulator/state").body?.asObject)
    }

    struct Unanswered: Error {}
}

extension Response {
    /// A member of the body.
    subscript(member: String) -> JSONValue? { body?.asObject?[member] }

    /// The locations in a problem's `errors`.
    var locations: [String] {
        (self["errors"]?.asArray ?? []).compactMap { $0.asObject?["location"]?.asString }
    }
}

/// JSON that stands in a test.
func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
}
