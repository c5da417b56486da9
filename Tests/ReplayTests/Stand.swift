import Bridge
import Configuration
import Delivery
import EnergyFlow
import Readings
import Testing
import TimeZones
import Widgets

@testable import Emulator

/// A configured bridge before the stand-in for the widget service, which judges every request by the service's bounds.
struct Stand: ~Copyable {
    /// 2026-03-19T12:00:00Z.
    static let noon = Duration.seconds(1_773_921_600)

    private static let readings = """
        broker: { url: "mqtt://localhost" }
        pushward: { key: { credential: pushward-key } }
        timezone: UTC
        readings:
          power: { topic: t/power, unit: W }
          grid: { topic: t/grid, unit: W }
          water: { topic: t/water, unit: L/min }
          level: { topic: t/level, unit: "%" }
          today: { topic: t/today, unit: Wh, counts: today }
          passed: { topic: t/passed, unit: min }
          left: { topic: t/left, unit: min }
          begins: { topic: t/begins, unit: timestamp }
          ends: { topic: t/ends, unit: timestamp }
        widgets:

        """

    private var bridge: Bridge
    private var service: WidgetService
    private var now = Moment(uptime: .seconds(100), wall: Stand.noon)
    /// What the service has refused, but for the reads of a widget that is not there yet.
    private(set) var refusals: [String] = []
    private(set) var lines: [String] = []

    /// What `check` says of one widget of this slug, template and keys.
    static func check(slug: String = "w", _ template: String, _ keys: String) -> (settings: Settings?, errors: [String])
    {
        let text = readings + "  \"\(slug)\": { template: \(template), \(keys) }\n"
        let result = ConfigurationReader().read(text: text)
        return (result.settings, result.problems.filter { $0.severity == .error }.map(\.message))
    }

    init(slug: String = "w", _ template: String, _ keys: String) throws {
        let result = Stand.check(slug: slug, template, keys)
        let settings = try #require(result.settings, "\(keys): \(result.errors)")
        bridge = Bridge(settings.bridge, calendar: try LocalCalendar(zone: settings.timeZone), seed: 1, at: now)
        service = WidgetService(plan: .paid, at: now)
    }

    mutating func send(_ name: String, _ payload: String) {
        Array("t/\(name)".utf8).withUnsafeBytes { topic in
            Array(payload.utf8).withUnsafeBytes { payload in
                bridge.receive(topic: topic, payload: payload, retained: false, at: now)
            }
        }
        pass(.zero)
    }

    /// Lets time pass, in the bridge's own steps.
    mutating func pass(_ span: Duration) {
        let end = now.advanced(by: span)
        while let deadline = bridge.nextDeadline, deadline <= end.uptime {
            now = now.advanced(by: max(deadline - now.uptime, .zero))
            for action in bridge.advance(to: now) {
                switch action {
                case .log(let entry): lines.append(entry.message)
                case .send(let request): bridge.complete(request.id, with: answer(request), at: now)
                case .keep: break
                }
            }
        }
        now = end
    }

    /// The widget as the service holds it, without its dates; `nil` before it is created.
    var widget: JSONObject? {
        service.widgets.first.map { stored in
            var widget = stored.answer.asObject ?? [:]
            for member in ["created_at", "updated_at"] { widget[member] = nil }
            return widget
        }
    }

    var content: JSONObject? { widget?["content"]?.asObject }

    private mutating func answer(_ request: WidgetRequest) -> RequestOutcome {
        let type = request.method == .patch ? "application/merge-patch+json" : "application/json"
        let asked = Request(
            method: request.method.rawValue,
            target: request.path,
            authorization: "Bearer hlk_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
            contentType: request.body == nil ? nil : type,
            body: request.body.map { Array($0.description.utf8) } ?? []
        )
        guard case .response(let response) = service.answer(asked, at: now).outcome else {
            return .failure(TransportFailure(reach: .unanswered, reason: "No answer."))
        }
        if response.status >= 400, request.method != .get {
            refusals.append("\(response.status) \(response.body?.description ?? "")")
        }
        let body = response.body.map { Array($0.description.utf8) } ?? []
        return .response(ServiceResponse(status: response.status, body: body))
    }
}
