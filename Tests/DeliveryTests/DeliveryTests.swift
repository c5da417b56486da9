import EnergyFlow
import Readings
import Testing
import Widgets

@testable import Delivery

/// One widget under a delivery, driven by hand.
struct Desk {
    var delivery: Delivery
    var now: Moment

    /// What the bridge would say of the widget.
    var circumstances = Delivery.Circumstances(isHeld: false, lastSample: nil, lastLife: nil)
    var staleAfter: Int?

    /// Without a deadband, so that every change counts.
    static let plain = PushPolicy(deadband: Deadband(rate: 0, share: 0, total: 0, level: 0), budget: .unlimited)

    /// What was wanted last.
    private(set) var wantedContent: JSONObject?

    init(
        policy: PushPolicy = Desk.plain,
        notes: [String: String] = [:],
        wall: Duration = .seconds(1_773_874_800)
    ) throws {
        let slug = try #require(Slug("power"))
        now = Moment(uptime: .zero, wall: wall)
        delivery = Delivery(widgets: [(slug, policy)], calendar: .utc, restoring: notes, seed: 1, at: now)
    }

    mutating func pass(_ span: Duration) {
        now = now.advanced(by: span)
    }

    mutating func want(_ content: JSONObject) {
        wantedContent = content
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
        for request in desk.requests() {
            desk.answer(request, 200, request.path == "/auth/me" ? ["subscribed": true] : widget(content))
        }
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

    @Test("An outage spends nothing of a budget")
    func outageUnderBudget() throws {
        var policy = Desk.plain
        policy.budget = .daily(72)
        var desk = try Desk.settled(first, policy: policy)
        desk.want(Desk.content(house: 5000))
        desk.pass(.seconds(600))
        for _ in 0..<200 {
            desk.pass(max((desk.deadline ?? desk.now.uptime) - desk.now.uptime, .zero))
            for request in desk.requests() { desk.answer(request, 503) }
        }
        // Between two failures the widget is read, which costs nothing.
        desk.pass(.seconds(120))
        var patched = 0
        for _ in 0..<4 {
            desk.pass(.seconds(60))
            for request in desk.requests() {
                patched += request.method == .patch ? 1 : 0
                desk.answer(request, 200, Desk.widget(request.method == .get ? first : Desk.content(house: 5000)))
            }
        }
        #expect(patched == 1)
        let note = try #require(desk.delivery.notes["spending.power"].flatMap(SpendingNote.init))
        #expect(note.left == 71)
    }

    @Test("A content that is refused whatever is left out is tried ever more rarely, and told once")
    func refusedForGood() throws {
        var desk = try Desk.settled(first)
        var tries = 0
        var lines: [LogEntry] = []
        for minute in 0..<120 {
            desk.want(Desk.content(house: 1000 + minute))
            for request in desk.requests() {
                tries += 1
                lines += desk.answer(request, 422, ["code": "widget.content_invalid"])
            }
            desk.pass(.seconds(60))
        }
        #expect(tries < 20)
        #expect(lines.count == 2)
    }

    @Test("An account that does not answer holds no widget back for long, and that is told")
    func silentAccount() throws {
        var policy = Desk.plain
        policy.budget = .auto
        var desk = try Desk(policy: policy)
        desk.want(first)
        var lines: [LogEntry] = []
        var posted = false
        for _ in 0..<120 where !posted {
            for request in desk.requests() {
                switch request.path {
                case "/auth/me": lines += desk.answer(request, 503)
                case "/widgets/power": desk.answer(request, 404)
                default: posted = true
                }
            }
            desk.pass(.seconds(1))
        }
        #expect(posted)
        #expect(lines.count == 1)
    }

    @Test(
        "A month that is used up is waited for; the newest state goes after the reset, or as soon as there is no limit"
    )
    func quota() throws {
        for isUpgraded in [false, true] {
            var desk = try Desk.settled(first)
            // Two hours before 2026-04-01T00:00:00Z.
            let reset = Duration.seconds(1_775_001_600)
            desk.now.wall = reset - .seconds(7200)
            desk.want(second)
            let patch = try desk.request()
            let problem: JSONValue = ["code": "quota.exceeded", "reset_at": .string(RFC3339.text(reset))]
            #expect(desk.answer(patch, 429, problem).map(\.level) == [.warning])
            desk.want(Desk.content(house: 777))
            var sentAt: Duration?
            for _ in 0..<(130 * 60) where sentAt == nil {
                desk.pass(.seconds(1))
                for request in desk.requests() {
                    if request.path == "/auth/me" {
                        desk.answer(
                            request,
                            200,
                            isUpgraded
                                ? [:]
                                : [
                                    "widget_updates_used": desk.now.wall < reset ? 50 : 0, "widget_updates_limit": 50,
                                ]
                        )
                    } else if request.method == .get {
                        desk.answer(request, 200, Desk.widget(first))
                    } else {
                        sentAt = desk.now.uptime
                        #expect(request.body == ["content": ["flow": ["output": ["rate": 777]]]])
                    }
                }
            }
            let sent = try #require(sentAt)
            #expect(isUpgraded ? sent <= .seconds(901) : sent >= .seconds(7200) && sent <= .seconds(7261))
        }
    }

    @Test("Only a refusal of the account makes the next look at the key later")
    func keyRefusedTwice() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 401)
        #expect(desk.deadline == .seconds(300))
        desk.answer(patch, 401)
        #expect(desk.deadline == .seconds(300))
    }

    @Test("A service that is down for a moment cannot ask for a month")
    func absurdWait() throws {
        var desk = try Desk.settled(first)
        desk.want(second)
        let patch = try desk.request()
        desk.answer(patch, 503, ["retry_after_ms": 2_678_400_000])
        #expect(desk.deadline == .seconds(900))
    }

    @Test("Signs of life go while the sources live, and a refused one is not repeated at once")
    func heartbeat() throws {
        var desk = try Desk()
        desk.staleAfter = 600
        desk.want(first)
        let get = try desk.request()
        var stored = Desk.widget(first).asObject ?? [:]
        stored["stale_after"] = 600
        stored["updated_at"] = .string(RFC3339.text(desk.now.wall))
        desk.answer(get, 200, .object(stored))
        desk.circumstances.lastLife = desk.now.uptime
        desk.pass(.seconds(299))
        #expect(desk.requests().isEmpty)
        desk.pass(.seconds(1))
        let beat = try desk.request()
        #expect(beat.method == .patch && beat.body == ["content": ["template": "flow"]])
        desk.answer(beat, 429, ["code": "quota.exceeded", "reset_at": "2026-04-01T00:00:00Z"])
        desk.pass(.seconds(1))
        #expect(desk.requests().filter { $0.method == .patch }.isEmpty)
        // The last sample is older than the window by then.
        desk.pass(.seconds(700))
        #expect(desk.requests().filter { $0.method == .patch }.isEmpty)
    }

    @Test("The cost of a sign of life is measured once, against the account", arguments: [true, false])
    func noOpCost(isFree: Bool) throws {
        var policy = Desk.plain
        policy.budget = .auto
        var desk = try Desk(policy: policy)
        desk.staleAfter = 604_800
        desk.want(first)
        var used = 10
        var beats = 0
        var asked = 0
        var updated = desk.now.wall
        for _ in 0..<(12 * 24) {
            desk.circumstances.lastLife = desk.now.uptime
            for request in desk.requests() {
                if request.path == "/auth/me" {
                    asked += beats == 1 ? 1 : 0
                    desk.answer(request, 200, ["widget_updates_used": JSONValue(used), "widget_updates_limit": 500])
                    continue
                }
                if request.method == .patch {
                    beats += 1
                    used += isFree ? 0 : 1
                    updated = desk.now.wall
                }
                var stored = Desk.widget(first).asObject ?? [:]
                stored["stale_after"] = 604_800
                stored["updated_at"] = .string(RFC3339.text(updated))
                desk.answer(request, 200, .object(stored))
            }
            desk.pass(.seconds(3600))
        }
        #expect(beats >= 2 && asked >= 1)
        #expect(desk.delivery.notes["no-op"] == (isFree ? "free" : "charged"))
    }

    @Test("A progress widget on a small budget spends it over the month, not in hours")
    func progressUnderBudget() throws {
        var policy = Desk.plain
        policy.budget = .monthly(50)
        func content(_ value: Double) -> JSONObject {
            ["template": "progress", "value": JSONValue(value) ?? 0]
        }
        var desk = try Desk.settled(content(0), policy: policy)
        var patches = 0
        for minute in 0..<(3 * 1440) {
            desk.want(content(Double(minute % 1000) / 1000))
            for request in desk.requests() {
                guard request.method == .patch, let wanted = desk.wantedContent else {
                    desk.answer(request, 200, Desk.widget(content(0)))
                    continue
                }
                patches += 1
                desk.answer(request, 200, Desk.widget(wanted))
            }
            desk.pass(.seconds(60))
        }
        #expect(patches >= 3 && patches <= 7)
    }

    @Test("A restart goes on with what is left of a budget, also when the clock is set only later")
    func restartUnderBudget() throws {
        var policy = Desk.plain
        policy.budget = .monthly(50)
        let end = Duration.seconds(1_775_001_600)
        let notes = ["spending.power": "7 \(end.components.seconds) 20530 100.0 50000.0"]
        var desk = try Desk(policy: policy, notes: notes)
        #expect(desk.delivery.notes["spending.power"]?.hasPrefix("7 ") == true)

        desk = try Desk(policy: policy, notes: notes, wall: .seconds(3600))
        desk.now.wall = .seconds(1_773_874_800)
        _ = desk.requests()
        #expect(desk.delivery.notes["spending.power"]?.hasPrefix("7 ") == true)
    }

    @Test("Fifty widgets never make more than sixty requests a minute, and none starves")
    func bucket() throws {
        let slugs = try (0..<50).map { try #require(Slug("w\($0)")) }
        var policy = Desk.plain
        policy.every = .seconds(15)
        let start = Moment(uptime: .zero, wall: .seconds(1_773_874_800))
        var delivery = Delivery(widgets: slugs.map { ($0, policy) }, calendar: .utc, seed: 1, at: start)
        let circumstances = slugs.map { _ in Delivery.Circumstances(isHeld: false, lastSample: nil, lastLife: nil) }
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
