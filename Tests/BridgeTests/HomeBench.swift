import Bridge
import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

/// A home with solar, battery, grid and house, driven by hand through the whole core.
struct HomeBench {
    private var running: Running
    var now: Moment
    /// Requests that wait for their outcome.
    private(set) var pending: [WidgetRequest] = []
    private(set) var lines: [LogEntry] = []
    private(set) var kept: DayTotals.State?
    private(set) var notes: [String: String] = [:]
    private(set) var closed: [DayTotals.ClosedDay] = []

    /// 2026-03-19T12:00:00Z.
    static let noon = Duration.seconds(1_773_921_600)

    init(_ definition: BridgeDefinition, seed: UInt64 = 1, calendar: LocalCalendar = .utc) {
        now = Moment(uptime: .seconds(100), wall: HomeBench.noon)
        running = Running(Bridge(definition, calendar: calendar, seed: seed, at: now))
    }

    /// Puts another bridge in the place of the one that runs.
    mutating func replace(with bridge: consuming Bridge) {
        running = Running(bridge)
    }

    /// Without a deadband: every visible change is worth a push.
    static let exact = PushPolicy(deadband: Deadband(rate: 0, share: 0, total: 0, level: 0))

    /// `solar`, `grid` (+ = import), `battery` (+ = charging), `soc`; the house is the balance.
    static func home(
        push: PushPolicy = HomeBench.exact,
        adjust: (inout [ReadingDefinition], inout FlowDefinition) -> Void = { _, _ in }
    ) throws -> BridgeDefinition {
        var readings = [
            ReadingDefinition(name: "solar", topic: try TopicFilter("t/solar"), unit: ReadingUnit("W")),
            ReadingDefinition(name: "grid", topic: try TopicFilter("t/grid"), unit: ReadingUnit("W")),
            ReadingDefinition(name: "battery", topic: try TopicFilter("t/battery"), unit: ReadingUnit("W")),
            ReadingDefinition(name: "soc", topic: try TopicFilter("t/soc"), unit: ReadingUnit("%")),
        ]
        var flow = FlowDefinition(
            inputs: [SlotDefinition(rate: .signed(ReadingSum([0]), reversed: false))],
            storage: SlotDefinition(rate: .signed(ReadingSum([2]), reversed: false), level: ReadingSum([3])),
            exchange: SlotDefinition(rate: .signed(ReadingSum([1]), reversed: false)),
            output: SlotDefinition(rate: .balance)
        )
        adjust(&readings, &flow)
        let appearance = FlowAppearance(
            unit: try #require(BoundedText("W")),
            inputs: flow.inputs.map { _ in NodeAppearance() }
        )
        let widget = WidgetDefinition(
            slug: try #require(Slug("power")),
            name: try #require(BoundedText("Power"))
        )
        return BridgeDefinition(
            readings: readings,
            widgets: [WidgetPlan(widget: widget, template: .flow(flow, appearance), push: push)]
        )
    }

    mutating func send(_ topic: String, _ payload: String, retained: Bool = false) {
        Array(topic.utf8).withUnsafeBytes { topic in
            Array(payload.utf8).withUnsafeBytes { payload in
                running.bridge.receive(topic: topic, payload: payload, retained: retained, at: now)
            }
        }
        advance()
    }

    /// Lets the bridge act at this moment.
    mutating func advance() {
        perform(running.bridge.advance(to: now))
    }

    /// Lets the bridge do what it does before the process ends.
    mutating func finish() {
        perform(running.bridge.finish(at: now))
    }

    mutating func perform(_ actions: [BridgeAction]) {
        for action in actions {
            switch action {
            case .send(let request): pending.append(request)
            case .log(let line): lines.append(line)
            case .keep(let state, let notes, let closing):
                kept = state
                self.notes = notes
                closed += closing
            }
        }
    }

    mutating func takePending() -> WidgetRequest? {
        pending.isEmpty ? nil : pending.removeFirst()
    }

    /// Lets time pass in the bridge's own steps, answering every request at once with `server`.
    mutating func pass(_ span: Duration, server: (WidgetRequest) -> RequestOutcome) {
        let end = now.advanced(by: span)
        while true {
            while let request = takePending() {
                let outcome = server(request)
                running.bridge.complete(request.id, with: outcome, at: now)
                advance()
            }
            guard let deadline = running.bridge.nextDeadline, deadline <= end.uptime else { break }
            now = now.advanced(by: max(deadline - now.uptime, .zero))
            advance()
        }
        now = end
        advance()
    }
}

/// A bridge has one owner; a bench may be copied up to where it gets another bridge.
private final class Running {
    var bridge: Bridge

    init(_ bridge: consuming Bridge) {
        self.bridge = bridge
    }
}
