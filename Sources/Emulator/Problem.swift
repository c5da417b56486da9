import Readings
import Widgets

/// Why a request is refused (RFC 9457).
struct Problem: Error, Equatable {
    /// The HTTP status.
    var status: Int
    /// What programs branch on; some refusals have none.
    var code: String?
    /// What people read.
    var detail: String
    /// Where and why a body does not fit.
    var violations: [Violation] = []
    /// When to come back.
    var retryAfter: Duration?
    /// Headers beyond `Retry-After`.
    var moreHeaders: [Response.Header] = []
    /// Members beyond those of the RFC.
    var more = JSONObject()

    /// Makes a problem.
    init(_ status: Int, _ code: String? = nil, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// A body that does not have the right shape; such problems have no code.
    init(violations: [Violation]) {
        self.init(422, nil, "validation failed")
        self.violations = violations
    }

    /// Content that has the right shape and cannot be drawn.
    init(content violations: [Violation]) {
        self.init(422, "widget.content_invalid", violations.first?.message ?? "content is invalid")
        self.violations = violations
    }

    /// The headers that go with the body.
    var headers: [Response.Header] {
        guard let retryAfter else { return moreHeaders }
        // Rounded up: a client that waits the whole seconds of the header must not come back too early.
        let seconds = Int(retryAfter.inSeconds.rounded(.up))
        return [Response.Header(name: "Retry-After", value: String(seconds))] + moreHeaders
    }

    /// The problem's document.
    func document(instance: String) -> JSONObject {
        let title = Problem.title(of: status)
        var document = JSONObject()
        if code != nil {
            let slug = title.lowercased().split(separator: " ").joined(separator: "-")
            document["type"] = .string("https://pushward.app/errors/\(slug)")
        } else {
            document["type"] = "about:blank"
        }
        document["title"] = .string(title)
        document["status"] = JSONValue(status)
        document["detail"] = .string(detail)
        document["instance"] = .string(instance)
        document["code"] = code.map(JSONValue.string)
        if !violations.isEmpty { document["errors"] = .array(violations.map { .object($0.document) }) }
        if let retryAfter { document["retry_after_ms"] = JSONValue(Int((retryAfter.inSeconds * 1000).rounded(.up))) }
        for (key, value) in more { document[key] = value }
        return document
    }

    private static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Entity"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Error"
        }
    }
}

/// One thing in a body that is not as it must be.
struct Violation: Equatable {
    /// What is wrong.
    var message: String
    /// Where: `body.content.flow.inputs[0].rate`.
    var location: String
    /// What stands there; `nil` when nothing does.
    var value: JSONValue?

    /// As a member of a problem's `errors`.
    var document: JSONObject {
        var document = JSONObject()
        document["message"] = .string(message)
        document["location"] = .string(location)
        document["value"] = value
        return document
    }
}
