import Delivery
import Readings
import Widgets

/// A widget service in memory that fails as real ones do, and keeps the books that judge a client: what a client that
/// only knows the answers can know of the server.
struct FaultyServer {
    /// What the server holds.
    private(set) var document: JSONObject?
    /// What the client may believe the server to hold: the last answer, and all that unanswered requests may have made of
    /// it. `nil` stands for "no widget".
    private var possible: [JSONObject?] = []
    private var random: SplitMix
    /// Of a thousand requests, how many fail.
    var failuresPerMille = 300
    private(set) var violations: [String] = []
    private(set) var patches = 0

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    mutating func answer(_ request: WidgetRequest) -> RequestOutcome {
        if request.path == "/auth/me" {
            return .response(ServiceResponse(status: 200, body: Array(#"{"subscribed":true}"#.utf8)))
        }
        judge(request)
        guard Int.random(in: 0..<1000, using: &random) < failuresPerMille else {
            let outcome = apply(request)
            possible = [document]
            return outcome
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return unanswered(request, "The request timed out.", applied: false)
        case 1:
            return unanswered(request, "The request timed out.", applied: true)
        case 2:
            return unanswered(request, "The connection was reset.", applied: Bool.random(using: &random))
        case 3:
            return .failure(TransportFailure(reach: .notSent, reason: "The connection was refused."))
        case 4:
            note(request)
            return .response(ServiceResponse(status: 500, body: Array(#"{"status":500}"#.utf8)))
        default:
            note(request)
            let body = Array(#"{"status":503,"code":"service.unavailable","retry_after_ms":2000}"#.utf8)
            return .response(ServiceResponse(status: 503, retryAfter: "2", body: body))
        }
    }

    /// Someone deletes the widget, and no client is told.
    mutating func loseWidget() {
        document = nil
    }

    /// Someone changes the widget on the phone: a figure of ours, or a member that we do not set.
    mutating func edit() {
        let edit: JSONObject =
            Bool.random(using: &random)
            ? ["content": ["flow": ["output": ["rate": 9999]]]] : ["content": ["accent_color": "mint"]]
        document = document.map { MergePatch.apply(edit, to: $0) }
    }

    /// The client starts anew and knows nothing.
    mutating func clientRestarts() {
        possible = []
    }

    private mutating func unanswered(_ request: WidgetRequest, _ reason: String, applied: Bool) -> RequestOutcome {
        note(request)
        if applied { _ = apply(request) }
        return .failure(TransportFailure(reach: .unanswered, reason: reason))
    }

    /// From now on the request may have been applied.
    private mutating func note(_ request: WidgetRequest) {
        guard let body = request.body?.asObject else { return }
        switch request.method {
        case .post: possible.append(stored(body))
        case .patch: possible += possible.compactMap(\.self).map { MergePatch.apply(body, to: $0) }
        case .get, .delete: break
        }
    }

    private mutating func apply(_ request: WidgetRequest) -> RequestOutcome {
        switch (request.method, request.body?.asObject) {
        case (.get, _):
            break
        case (.post, let body?):
            document = stored(body)
            return response(201)
        case (.patch, let patch?):
            document = document.map { MergePatch.apply(patch, to: $0) }
        default:
            violations.append("\(request.method) without a body")
        }
        return document == nil ? .response(ServiceResponse(status: 404)) : response(200)
    }

    private func stored(_ body: JSONObject) -> JSONObject {
        var widget = body
        widget["slug"] = nil
        return widget
    }

    private func response(_ status: Int) -> RequestOutcome {
        var bytes: [UInt8] = []
        document?.write(into: &bytes)
        return .response(ServiceResponse(status: status, body: bytes))
    }

    /// Every field of a patch must differ from what the server was known to hold, or be uncertain, or belong to an inputs
    /// array or to a slot that is sent whole.
    private mutating func judge(_ request: WidgetRequest) {
        guard request.method == .patch, let body = request.body?.asObject else { return }
        patches += 1
        let known = possible.compactMap(\.self)
        if known.isEmpty { violations.append("a patch of a widget that is not known") }
        for (path, value) in FaultyServer.leaves(body, at: []) {
            let stored = known.map { FaultyServer.value(at: path, in: $0) }
            let differs = stored.contains { $0 != value && !($0 == nil && value == .null) }
            // A slot that one of the possible documents lacks goes whole.
            let isWhole =
                path.starts(with: ["content", "flow"])
                && known.contains { FaultyServer.value(at: Array(path.prefix(3)), in: $0) == nil }
            if !differs && !isWhole { violations.append("\(path.joined(separator: "/")) = \(value) was held already") }
        }
    }

    private static func leaves(_ object: JSONObject, at path: [String]) -> [(path: [String], value: JSONValue)] {
        object.flatMap { key, value -> [(path: [String], value: JSONValue)] in
            guard let inner = value.asObject else { return [(path + [key], value)] }
            return leaves(inner, at: path + [key])
        }
    }

    private static func value(at path: [String], in object: JSONObject) -> JSONValue? {
        guard let first = path.first else { return .object(object) }
        guard path.count > 1 else { return object[first] }
        return object[first]?.asObject.flatMap { value(at: Array(path.dropFirst()), in: $0) }
    }
}
