import EnergyFlow
import Readings
import Testing
import Widgets

@testable import Delivery

/// One widget under a delivery, driven by hand.
struct Desk {
    var delivery: Delivery
    var now = Moment(uptime: .zero, wall: .seconds(1_773_874_800))

    /// What the bridge would say of the widget.
    var circumstances = Delivery.Circumstances(isHeld: false, lastSample: nil)
    var staleAfter: Int?

    /// Without a deadband, so that every change counts.
    static let plain = PushPolicy(deadband: Deadband(rate: 0, share: 0, total: 0, level: 0), budget: .unlimited)

    init(policy: PushPolicy = Desk.plain, notes: [String: String] = [:]) throws {
        let slug = try #require(Slug("power"))
        delivery = Delivery(widgets: [(slug, policy)], calendar: .utc, restoring: notes, seed: 1, at: now)
    }

    mutating func pass(_ span: Duration) {
        now = now.advanced(by: span)
    }

    mutating func want(_ content: JSONObject) {
        let document = WidgetDocument(name: "Power", content: content, staleAfter: staleAfter)
        delivery.want(document, forWidget: 0, at: now)
    }

    mutating func requests() -> [WidgetRequest] {
        delivery.requests(at: now, [circumstances])
    }

    var deadline: Duration? {
        delivery.nextDeadline(at: now, [circumstances])
    }

    /// The one request that goes now.
    mutating func request() throws -> WidgetRequest {
        let requests = requests()
        try #require(requests.count == 1)
        return requests[0]
    }

    @discardableResult
    mutating func answer(_ request: WidgetRequest, _ status: Int, _ body: JSONValue = .null) -> [LogEntry] {
        var bytes: [UInt8] = []
        body.write(into: &bytes)
        return delivery.complete(request.id, with: .response(ServiceResponse(status: status, body: bytes)), at: now)
    }

    @discardableResult
    mutating func fail(_ request: WidgetRequest, _ reach: TransportFailure.Reach) -> [LogEntry] {
        let failure = TransportFailure(reach: reach, reason: "The connection was lost.")
        return delivery.complete(request.id, with: .failure(failure), at: now)
    }

    static func content(house: Int, grid: Int = 500) -> JSONObject {
        [
            "template": "flow", "unit": "W",
            "flow": ["exchange": ["rate": JSONValue(grid)], "output": ["rate": JSONValue(house)]],
        ]
    }

    static func widget(_ content: JSONObject) -> JSONValue {
        ["slug": "power", "name": "Power", "content": .object(content), "updated_at": "2026-03-19T00:00:00Z"]
    }

    /// A desk whose widget is on the server already with this content, known and wanted.
    static func settled(_ content: JSONObject, policy: PushPolicy = Desk.plain) throws -> Desk {
        var desk = try Desk(policy: policy)
        desk.want(content)
        let get = try desk.request()
        desk.answer(get, 200, widget(content))
        return desk
    }
}

@Suite("Delivery")
struct DeliveryTests {
    private let first = Desk.content(house: 420)
    private let second = Desk.content(house: 430)

    @Test("A start reads the widget, and creates it when there is none")
    func create() throws {
        var desk = try Desk()
        desk.want(first)
        let get = try desk.request()
        #expect(get.method == .get && get.path == "/widgets/power" && get.body == nil)
        #expect(desk.requests().isEmpty, "one request in flight a widget")
        desk.answer(get, 404, ["code": "widget.not_found"])
        let post = try desk.request()
        #expect(post.method == .post && post.path == "/widgets")
        #expect(post.body == ["slug": "power", "name": "Power", "content": .object(first)])
    }

    @Test("A restart with nothing moved costs no update")
    func adopt() throws {
        var desk = try Desk.settled(first)
        #expect(desk.requests().isEmpty)
        desk.pass(.seconds(3600))
        #expect(desk.requests().isEmpty)
    }

    @Test("A patch holds the one field that changed")
    func minimal() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        #expect(patch.method == .patch && patch.path == "/widgets/power")
        #expect(patch.body == ["content": ["flow": ["output": ["rate": 430]]]])
    }

    @Test("What others set on the widget is left alone")
    func foreign() throws {
        var stored = first
        stored["accent_color"] = "mint"
        var desk = try Desk()
        desk.want(second)
        let get = try desk.request()
        desk.answer(get, 200, Desk.widget(stored))
        #expect(try desk.request().body == ["content": ["flow": ["output": ["rate": 430]]]])
    }

    @Test("Ordinary changes wait for the interval, and then the newest goes")
    func interval() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 200, Desk.widget(second))
        desk.pass(.seconds(5))
        desk.want(Desk.content(house: 900))
        desk.pass(.seconds(5))
        desk.want(Desk.content(house: 500))
        #expect(desk.requests().isEmpty)
        #expect(desk.deadline == .seconds(60))
        desk.pass(.seconds(50))
        #expect(try desk.request().body == ["content": ["flow": ["output": ["rate": 500]]]])
    }

    @Test("A slot that goes and a direction that turns are urgent")
    func urgent() throws {
        for wanted in [Desk.content(house: 420, grid: -500), first.withoutExchange] {
            var desk = try Desk.settled(first)
            desk.want(second)
            let patch = try desk.request()
            desk.answer(patch, 200, Desk.widget(second))
            desk.pass(.seconds(14))
            desk.want(wanted)
            #expect(desk.requests().isEmpty)
            desk.pass(.seconds(1))
            #expect(desk.requests().count == 1)
        }
    }

    @Test("A frame that is about to settle holds back the push of the one before, not the first read")
    func held() throws {
        var desk = try Desk()
        desk.circumstances.isHeld = true
        desk.want(first)
        let get = try desk.request()
        desk.answer(get, 404)
        #expect(desk.requests().isEmpty)
        #expect(desk.deadline == nil)
        desk.circumstances.isHeld = false
        #expect(desk.requests().count == 1)
    }

    @Test("After a failure the newest state goes within one step of the back-off, without a new message")
    func recovery() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        var lines: [LogEntry] = []
        var waits: [Duration] = []
        for _ in 0..<8 {
            let patch = try desk.request()
            lines += desk.fail(patch, .notSent)
            let due = try #require(desk.deadline)
            waits.append(due - desk.now.uptime)
            desk.pass(due - desk.now.uptime)
        }
        for (wait, step) in zip(waits, [1.0, 2, 4, 8, 16, 32, 60, 60]) {
            #expect(wait >= .seconds(step / 2) && wait <= .seconds(step))
        }
        #expect(lines.count == 1, "an outage is told once")
        desk.want(Desk.content(house: 777))
        let patch = try desk.request()
        #expect(patch.body == ["content": ["flow": ["output": ["rate": 777]]]])
        #expect(desk.answer(patch, 200, Desk.widget(Desk.content(house: 777))).map(\.level) == [.notice])
        #expect(desk.requests().isEmpty)
    }

    @Test("Fields of an unanswered patch are sent again even when the wanted value is the old one")
    func uncertain() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.want(first)
        desk.fail(patch, .unanswered)
        desk.pass(.seconds(2))
        #expect(try desk.request().body == ["content": ["flow": ["output": ["rate": 420]]]])
    }

    @Test("A patch that certainly never left leaves nothing uncertain")
    func notSent() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.want(first)
        desk.fail(patch, .notSent)
        desk.pass(.seconds(120))
        #expect(desk.requests().isEmpty)
    }

    @Test("After an unanswered creation the widget is read before anything else")
    func unansweredPost() throws {
        var desk = try Desk()
        desk.want(first)
        let get = try desk.request()
        desk.answer(get, 404)
        let post = try desk.request()
        desk.fail(post, .unanswered)
        desk.pass(.seconds(2))
        #expect(try desk.request().method == .get)
    }

    @Test("A widget that is gone is created again, as often as it takes")
    func recreate() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 404, ["code": "widget.not_found"])
        for _ in 0..<3 {
            let post = try desk.request()
            #expect(post.method == .post)
            desk.answer(post, 500)
            desk.pass(.seconds(60))
            let get = try desk.request()
            #expect(get.method == .get)
            desk.answer(get, 404)
        }
        #expect(try desk.request().method == .post)
    }

    @Test("The same body is never sent again after the service refused it, but other content is")
    func refused() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        let lines = desk.answer(
            patch,
            422,
            ["code": "widget.content_invalid", "errors": [["location": "body.content.flow.output", "message": "no"]]]
        )
        #expect(
            lines == [
                LogEntry(
                    .error,
                    "The service refuses the content of the widget 'power' at body.content.flow.output "
                        + "(widget.content_invalid); it is sent without everything but the values."
                )
            ]
        )
        desk.pass(.seconds(3600))
        #expect(desk.requests().isEmpty)
        desk.want(Desk.content(house: 431))
        #expect(desk.requests().count == 1)
    }

    @Test("A refused key stops everything, and only the account is asked until it is accepted")
    func key() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        #expect(desk.answer(patch, 401, ["code": "token.invalid"]).map(\.level) == [.error])
        desk.pass(.seconds(299))
        #expect(desk.requests().isEmpty)
        desk.pass(.seconds(1))
        let probe = try desk.request()
        #expect(probe.path == "/auth/me" && probe.method == .get)
        #expect(desk.answer(probe, 401).isEmpty)
        #expect(desk.deadline == .seconds(900))
        desk.pass(.seconds(600))
        let second = try desk.request()
        desk.answer(second, 200, ["subscribed": true])
        #expect(try desk.request().method == .patch)
    }

    @Test("A limit of the address makes the whole process wait as long as it says")
    func rateLimit() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 429, ["code": "rate_limit.exceeded", "retry_after_ms": 30_000])
        let due = try #require(desk.deadline)
        #expect(due >= .seconds(30) && due <= .seconds(32))
        desk.pass(.milliseconds(29_999))
        #expect(desk.requests().isEmpty)
        desk.pass(.seconds(3))
        #expect(desk.requests().count == 1)
    }

    @Test("A value that is accepted but not kept is not sent again and again")
    func notKept() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 200, Desk.widget(first))
        desk.pass(.seconds(7200))
        #expect(desk.requests().isEmpty)
    }

    @Test("A page from something in front of the service is no success")
    func proxy() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 200, "<html>")
        desk.pass(.seconds(1))
        #expect(desk.requests().count == 1)
    }

    @Test("Fifty widgets never make more than sixty requests a minute, and none starves")
    func bucket() throws {
        let slugs = try (0..<50).map { try #require(Slug("w\($0)")) }
        var policy = Desk.plain
        policy.every = .seconds(15)
        let start = Moment(uptime: .zero, wall: .seconds(1_773_874_800))
        var delivery = Delivery(widgets: slugs.map { ($0, policy) }, calendar: .utc, seed: 1, at: start)
        let circumstances = slugs.map { _ in Delivery.Circumstances(isHeld: false, lastSample: nil) }
        var sent: [(at: Duration, path: String)] = []
        for second in 0..<600 {
            let now = start.advanced(by: .seconds(second))
            for index in slugs.indices {
                let document = WidgetDocument(name: "w", content: Desk.content(house: second))
                delivery.want(document, forWidget: index, at: now)
            }
            for request in delivery.requests(at: now, circumstances) {
                sent.append((now.uptime, request.path))
                var bytes: [UInt8] = []
                Desk.widget(Desk.content(house: second)).write(into: &bytes)
                let response = ServiceResponse(status: 200, body: bytes)
                _ = delivery.complete(request.id, with: .response(response), at: now)
            }
        }
        for (index, request) in sent.enumerated() {
            let window = sent[index...].prefix { $0.at < request.at + .seconds(60) }
            #expect(window.count <= 60)
        }
        for slug in slugs {
            #expect(sent.count { $0.path == "/widgets/\(slug)" } >= 9)
        }
    }
}

extension JSONObject {
    fileprivate var withoutExchange: JSONObject {
        MergePatch.apply(["flow": ["exchange": .null]], to: self)
    }
}
