public import Bridge
public import Delivery
public import EnergyFlow
import Readings
public import Widgets

/// Runs the core over recorded messages on virtual time, against a virtual service.
public struct Replay: ~Copyable {
    /// What came of it, in order.
    public enum Output: Sendable, Equatable {
        /// A write that the service accepted.
        case write(at: Duration, WidgetRequest)
        /// The state that a next run goes on from.
        case keep(at: Duration, DayTotals.State, notes: [String: String], closing: [DayTotals.ClosedDay])
        /// A line of the log.
        case log(at: Duration, LogEntry)
    }

    private let makeBridge: (Moment) -> Bridge
    /// Begins with the first message: there is no earlier moment in a recording.
    private var bridge: Bridge?
    private var server: VirtualServer
    private var now: Moment?
    private let output: (Output) -> Void

    /// Makes a replay that begins with the first message and tells what happens while it happens.
    /// - Parameters:
    ///   - kept: the totals that an earlier run left.
    ///   - plan: the budget to play under; `nil` leaves the definition's, on an account without a limit.
    ///   - seed: fixed unless given, so that the same recording gives the same lines.
    public init(
        _ definition: BridgeDefinition,
        calendar: LocalCalendar,
        restoring kept: (totals: DayTotals.State, notes: [String: String])? = nil,
        plan: ReplayPlan? = nil,
        seed: UInt64 = 0,
        output: @escaping (Output) -> Void
    ) {
        self.output = output
        server = VirtualServer(monthlyLimit: plan?.monthlyLimit)
        var definition = definition
        if let plan {
            for index in definition.widgets.indices { definition.widgets[index].push.budget = plan.budget }
        }
        makeBridge = { [definition] start in
            Bridge(
                definition,
                calendar: calendar,
                restoring: kept?.totals,
                notes: kept?.notes ?? [:],
                seed: seed,
                at: start
            )
        }
    }

    /// Lets time pass up to the message, then gives it to the bridge.
    public mutating func receive(_ message: CapturedMessage) {
        let moment = moment(of: message)
        if bridge == nil { bridge = makeBridge(moment) }
        pass(to: moment)
        message.topic.withUnsafeBytes { topic in
            message.payload.withUnsafeBytes { payload in
                bridge?.receive(topic: topic, payload: payload, retained: message.retained, at: moment)
            }
        }
        pass(to: moment)
    }

    /// Ends as the daemon does on a clean stop: the newest state goes, whatever the intervals say.
    public mutating func finish() {
        guard let now, let actions = bridge?.finish(at: now) else { return }
        perform(actions, at: now)
    }

    /// The widgets that the service holds at the end: slug and content.
    public var documents: [(slug: String, content: JSONValue)] {
        server.widgets.map { ($0.slug, $0.widget["content"] ?? .null) }
    }

    /// Recorded wall time is all there is: it drives the monotonic clock too, which never goes back even if the
    /// recording does.
    private mutating func moment(of message: CapturedMessage) -> Moment {
        guard let now else {
            let first = Moment(uptime: .zero, wall: message.wall)
            self.now = first
            return first
        }
        return Moment(uptime: now.uptime + max(message.wall - now.wall, .zero), wall: message.wall)
    }

    private mutating func pass(to end: Moment) {
        while let deadline = bridge?.nextDeadline, deadline <= end.uptime {
            // Between two messages both clocks run together.
            let start = now ?? end
            let moment = start.advanced(by: max(deadline - start.uptime, .zero))
            now = moment
            perform(bridge?.advance(to: moment) ?? [], at: moment)
        }
        now = end
    }

    private mutating func perform(_ actions: [BridgeAction], at moment: Moment) {
        for action in actions {
            switch action {
            case .log(let line): output(.log(at: moment.wall, line))
            case .keep(let state, let notes, let closing):
                output(.keep(at: moment.wall, state, notes: notes, closing: closing))
            case .send(let request):
                let outcome = server.answer(request, at: moment)
                if request.method != .get, case .response(let response) = outcome, response.status < 300 {
                    output(.write(at: moment.wall, request))
                }
                bridge?.complete(request.id, with: outcome, at: moment)
            }
        }
    }
}

extension Replay.Output {
    /// One JSON line: what was written, when and where. Log lines have none.
    public var line: String? {
        guard case .write(let wall, let request) = self else { return nil }
        let object: JSONObject = [
            "at": .string(RFC3339.text(wall, milliseconds: true)),
            "method": .string(request.method.rawValue),
            "path": .string(request.path),
            "body": request.body ?? .null,
        ]
        return object.description
    }
}
