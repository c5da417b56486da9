public import Delivery
public import Readings
public import Widgets

/// A widget service in memory that starts empty and accepts everything.
public struct VirtualServer: Sendable {
    /// The widgets that it holds, by slug, in the order of their creation.
    public private(set) var widgets: [(slug: String, widget: JSONObject)] = []

    /// Makes an empty service.
    public init() {}

    /// Applies a request and answers it as the real service does.
    public mutating func answer(_ request: WidgetRequest, at now: Moment) -> RequestOutcome {
        // An account without a limit.
        if request.path == "/auth/me" { return VirtualServer.response(200, ["subscribed": true]) }
        let slug =
            request.path.split(separator: "/").dropFirst().first.map(String.init)
            ?? request.body?.asObject?["slug"]?.asString ?? ""
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

    private static let notFound = response(404, ["status": 404, "code": "widget.not_found"])
}
