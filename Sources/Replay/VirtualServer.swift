public import Delivery
import EnergyFlow
public import Readings
public import Widgets

/// A widget service in memory that starts empty and accepts everything, up to the account's limit if it has one.
public struct VirtualServer: Sendable {
    /// The widgets that it holds, by slug, in the order of their creation.
    public private(set) var widgets: [(slug: String, widget: JSONObject)] = []

    /// The updates that the account has in a calendar month (UTC); `nil` without a limit.
    private let monthlyLimit: Int?
    /// The writes of a month. A creation counts, too: whether it does is nowhere said, and this way no bridge is praised
    /// for what may cost.
    private var used: (month: LocalDay, count: Int)?

    /// Makes an empty service.
    /// - Parameter monthlyLimit: the updates that the account has in a calendar month (UTC); `nil` without a limit.
    public init(monthlyLimit: Int? = nil) {
        self.monthlyLimit = monthlyLimit
    }

    /// Applies a request and answers it as the real service does.
    public mutating func answer(_ request: WidgetRequest, at now: Moment) -> RequestOutcome {
        let used = used(at: now)
        if request.path == "/auth/me" { return account(used: used) }
        let slug =
            request.path.split(separator: "/").dropFirst().first.map(String.init)
            ?? request.body?.asObject?["slug"]?.asString ?? ""
        if let monthlyLimit, request.method == .post || request.method == .patch {
            guard used < monthlyLimit else { return VirtualServer.exhausted }
            self.used?.count += 1
        }
        switch (request.method, request.body) {
        case (.post, .object(let body)?):
            return store(body, slug: slug, status: 201, at: now)
        case (.patch, .object(let patch)?):
            guard let held = held(slug) else { return VirtualServer.notFound }
            return store(MergePatch.apply(patch, to: held), slug: slug, status: 200, at: now)
        case (.get, _):
            guard let held = held(slug) else { return VirtualServer.notFound }
            return VirtualServer.response(200, .object(held))
        case (.delete, _):
            widgets.removeAll { $0.slug == slug }
            return .response(ServiceResponse(status: 204))
        default:
            return .response(ServiceResponse(status: 400))
        }
    }

    /// The updates spent in the month of this moment.
    private mutating func used(at now: Moment) -> Int {
        let day = LocalCalendar.utc.day(of: now.wall)
        let month = LocalDay(number: day.number - day.day + 1)
        if let used, used.month == month { return used.count }
        used = (month, 0)
        return 0
    }

    private func account(used: Int) -> RequestOutcome {
        guard let monthlyLimit else { return VirtualServer.response(200, ["subscribed": true]) }
        return VirtualServer.response(
            200,
            [
                "subscribed": false,
                "widget_updates_limit": JSONValue(monthlyLimit),
                "widget_updates_used": JSONValue(used),
            ]
        )
    }

    private func held(_ slug: String) -> JSONObject? {
        widgets.first { $0.slug == slug }?.widget
    }

    private mutating func store(_ widget: JSONObject, slug: String, status: Int, at now: Moment) -> RequestOutcome {
        var widget = widget
        widget["updated_at"] = .string(RFC3339.text(now.wall, milliseconds: true))
        if let position = widgets.firstIndex(where: { $0.slug == slug }) {
            widgets[position].widget = widget
        } else {
            widgets.append((slug, widget))
        }
        return VirtualServer.response(status, .object(widget))
    }

    private static func response(_ status: Int, _ body: JSONValue) -> RequestOutcome {
        var bytes: [UInt8] = []
        body.write(into: &bytes)
        return .response(ServiceResponse(status: status, body: bytes))
    }

    private static let exhausted = response(429, ["status": 429, "code": "quota.exceeded"])

    private static let notFound = response(404, ["status": 404, "code": "widget.not_found"])
}
