import Bridge
import Delivery
import EnergyFlow
import Readings
import Testing
import TimeZones
import Widgets

/// One widget of any template between messages and a service that refuses what the real one would.
struct TemplateBench {
    private var bench: HomeBench
    private var service: CheckingService
    private let calendar: LocalCalendar
    private let staleAfter: Int?

    /// The readings that every configuration here has.
    static func readings() throws -> [ReadingDefinition] {
        func reading(_ name: String, _ unit: String, counts: CounterKind? = nil) throws -> ReadingDefinition {
            ReadingDefinition(
                name: name,
                topic: try TopicFilter("t/\(name)"),
                unit: ReadingUnit(unit),
                counts: counts
            )
        }
        return [
            try reading("battery", "W"), try reading("level", "%"), try reading("today", "Wh", counts: .today),
            try reading("left", "s"), try reading("passed", "s"), try reading("ends", "timestamp"),
            try reading("begins", "timestamp"),
        ]
    }

    static let (battery, level, today, left, passed, ends, begins) = (0, 1, 2, 3, 4, 5, 6)

    static var flow: FlowDefinition {
        FlowDefinition(
            storage: SlotDefinition(rate: .signed(ReadingSum([battery]), reversed: false), level: ReadingSum([level]))
        )
    }

    /// Starts at noon UTC of 2026-03-19 unless another wall time is given.
    init(
        _ template: TemplatePlan,
        zone: String = "UTC",
        at wall: Duration = HomeBench.noon,
        staleAfter: Int? = nil
    ) throws {
        calendar = try LocalCalendar(zone: zone)
        self.staleAfter = staleAfter
        service = CheckingService()
        let definition = try Self.definition(template, staleAfter: staleAfter)
        bench = HomeBench(definition, calendar: calendar)
        bench.now.wall = wall
        bench.replace(with: Bridge(definition, calendar: calendar, seed: 1, at: bench.now))
        pass(0)
    }

    static let shared = SharedContent(label: BoundedText("Car"))

    private static func definition(
        _ template: TemplatePlan,
        _ shared: SharedContent = TemplateBench.shared,
        staleAfter: Int?
    ) throws -> BridgeDefinition {
        let widget = WidgetDefinition(
            slug: try #require(Slug("car")),
            name: try #require(BoundedText("Car")),
            staleAfter: staleAfter,
            shared: shared
        )
        return BridgeDefinition(
            readings: try readings(),
            widgets: [WidgetPlan(widget: widget, template: template, push: PushPolicy(settle: .seconds(1)))]
        )
    }

    /// Ends the bridge and starts another one with another template, on the same service.
    /// - Parameters:
    ///   - forgetting: whether it is another service, which holds nothing.
    ///   - afterCut: whether the first one ended with a power cut, and leaves what it had kept by then.
    mutating func restart(
        _ template: TemplatePlan,
        _ shared: SharedContent = TemplateBench.shared,
        forgetting: Bool = false,
        afterCut: Bool = false
    ) throws {
        if !afterCut {
            bench.finish()
            pass(0)
        }
        if forgetting { service = CheckingService() }
        let definition = try Self.definition(template, shared, staleAfter: staleAfter)
        bench.replace(with: Bridge(definition, calendar: calendar, notes: bench.notes, seed: 2, at: bench.now))
        pass(0)
    }

    /// Somebody else changes the widget's content.
    mutating func meddle(_ change: JSONObject) {
        service.meddle(change)
    }

    mutating func send(_ name: String, _ payload: String, retained: Bool = false) {
        bench.send("t/\(name)", payload, retained: retained)
    }

    /// Lets so many seconds pass.
    mutating func pass(_ seconds: Double) {
        var service = service
        bench.pass(.seconds(seconds)) { [now = bench.now] request in service.answer(request, now: now.wall) }
        self.service = service
    }

    var wall: Duration { bench.now.wall }
    /// What the log says, but for the readings that a test leaves silent.
    var lines: [String] { bench.lines.map(\.message).filter { !$0.hasPrefix("Nothing has come yet") } }
    /// What the service holds.
    var content: JSONObject? { service.content }
    /// The bodies of all writes so far.
    var writes: [JSONObject] { service.writes }
    /// Those of them that are only signs of life.
    var heartbeats: Int {
        writes.count { $0["content"]?.asObject.map { $0.count == 1 && $0["template"] != nil } == true }
    }
    /// What the service would have refused.
    var refusals: [String] { service.refusals }

    /// A content's member as a wall time.
    func date(_ member: String) -> Duration? {
        content?[member]?.asString.flatMap(RFC3339.parse)
    }
}

/// A service that holds one widget and judges each content.
private struct CheckingService {
    private var widget: JSONObject?
    private(set) var writes: [JSONObject] = []
    private(set) var refusals: [String] = []

    var content: JSONObject? { widget?["content"]?.asObject }

    mutating func answer(_ request: WidgetRequest, now: Duration) -> RequestOutcome {
        if request.path == "/auth/me" { return Self.response(200, ["subscribed": true]) }
        if request.method != .get, let body = request.body?.asObject {
            writes.append(body)
            widget = request.method == .post ? body : MergePatch.apply(body, to: widget ?? [:])
            if let content { refusals += ContentRules.problems(in: content, now: now).map(\.description) }
            if request.method == .patch, let change = body["content"]?.asObject,
                (change["start_date"] == nil) != (change["end_date"] == nil), content?["start_date"] != nil
            {
                refusals.append("one date without the other")
            }
        }
        return widget.map { Self.response(200, .object($0)) } ?? .response(ServiceResponse(status: 404))
    }

    mutating func meddle(_ change: JSONObject) {
        widget = MergePatch.apply(["content": .object(change)], to: widget ?? [:])
    }

    private static func response(_ status: Int, _ body: JSONValue) -> RequestOutcome {
        var bytes: [UInt8] = []
        body.write(into: &bytes)
        return .response(ServiceResponse(status: status, body: bytes))
    }
}
