import Bridge
import Configuration
import Delivery
import EnergyFlow
import Readings
import Replay
import Testing
import TimeZones
import Widgets

/// A configured bridge that is driven by hand on both clocks, against a service in memory.
struct Home: ~Copyable {
    struct Keeping {
        let at: Moment
        let state: DayTotals.State
        let closing: [DayTotals.ClosedDay]
    }

    struct Frame {
        let at: Moment
        let flow: JSONObject
    }

    var now: Moment
    private(set) var bridge: Bridge
    private(set) var keepings: [Keeping] = []
    private(set) var frames: [Frame] = []
    private(set) var log: [LogEntry] = []
    private var server = VirtualServer()

    init(_ configuration: String, restoring kept: DayTotals.State? = nil, at now: Moment) throws {
        let result = ConfigurationReader().read(text: configuration)
        let settings = try #require(result.settings, "\(result.problems)")
        let calendar = try LocalCalendar(zone: settings.timeZone)
        self.init(Bridge(settings.bridge, calendar: calendar, restoring: kept, seed: 1, at: now), at: now)
    }

    private init(_ bridge: consuming Bridge, at now: Moment) {
        self.now = now
        self.bridge = bridge
    }

    /// A home of these readings and slots, a line each, as the configuration has them. Every visible change is pushed.
    static func configuration(
        zone: String = "Europe/Berlin",
        push: String = "{ deadband: 0 }",
        readings: [String],
        slots: [String]
    ) -> String {
        """
        broker: { url: "mqtt://localhost:1883" }
        pushward: { key: { credential: pushward-key } }
        timezone: \(zone)
        readings:
        \(readings.map { "  " + $0 }.joined(separator: "\n"))
        widgets:
          power:
            template: flow
            name: Home
            unit: W
            push: \(push)
        \(slots.map { "    " + $0 }.joined(separator: "\n"))
        """
    }

    var closed: [DayTotals.ClosedDay] { keepings.flatMap(\.closing) }
    var kept: DayTotals.State? { keepings.last?.state }
    /// What the phone shows.
    var flow: JSONObject { frames.last?.flow ?? [:] }

    /// A number that the phone shows: `home["exchange", "total"]`. The first input is `input`.
    subscript(slot: String, member: String) -> Double? {
        Home.number(flow, slot, member)
    }

    static func number(_ flow: JSONObject, _ slot: String, _ member: String) -> Double? {
        let node = slot == "input" ? flow["inputs"]?.asArray?.first : flow[slot]
        return node?.asObject?[member]?.asNumber
    }

    /// Hands in a message, and lets the bridge do what is due, as the daemon does.
    mutating func send(_ topic: String, _ payload: String, retained: Bool = false) {
        Array(topic.utf8).withUnsafeBytes { topic in
            Array(payload.utf8).withUnsafeBytes { payload in
                bridge.receive(topic: topic, payload: payload, retained: retained, at: now)
            }
        }
        act()
    }

    /// Lets time pass, in the bridge's own steps.
    mutating func pass(_ span: Duration) {
        let end = now.advanced(by: span)
        while let deadline = bridge.nextDeadline, deadline <= end.uptime {
            now = now.advanced(by: max(deadline - now.uptime, .zero))
            perform(bridge.advance(to: now))
        }
        now = end
    }

    /// Lets time pass up to a wall time.
    mutating func pass(to wall: Duration) {
        pass(max(wall - now.wall, .zero))
    }

    /// Somebody sets the wall clock; nothing wakes the bridge.
    mutating func setClock(_ wall: Duration) {
        now.wall = wall
    }

    mutating func stop() {
        perform(bridge.finish(at: now))
    }

    private mutating func act() {
        while let deadline = bridge.nextDeadline, deadline <= now.uptime {
            perform(bridge.advance(to: now))
        }
    }

    private mutating func perform(_ actions: [BridgeAction]) {
        for action in actions {
            switch action {
            case .log(let entry): log.append(entry)
            case .keep(let state, _, let closing): keepings.append(Keeping(at: now, state: state, closing: closing))
            case .send(let request):
                let outcome = server.answer(request, at: now)
                bridge.complete(request.id, with: outcome, at: now)
                guard request.method != .get, let content = server.widgets.first?.widget["content"]?.asObject else {
                    continue
                }
                frames.append(Frame(at: now, flow: content["flow"]?.asObject ?? [:]))
            }
        }
    }
}

/// The wall time of a date and time of day in UTC.
func utc(_ date: String, _ clock: String = "00:00") throws -> Duration {
    try #require(RFC3339.parse("\(date)T\(clock.count == 5 ? clock + ":00" : clock)Z"))
}
