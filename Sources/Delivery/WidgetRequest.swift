public import Widgets

/// A request to the widget service that the driver is to send.
public struct WidgetRequest: Sendable, Equatable {
    /// Names the request when its outcome is handed back.
    public var id: Int
    /// The method.
    public var method: RequestMethod
    /// The path below the service's base, such as `/widgets/power`.
    public var path: String
    /// The body, if the method has one.
    public var body: JSONValue?

    /// Makes a request.
    public init(id: Int, method: RequestMethod, path: String, body: JSONValue? = nil) {
        self.id = id
        self.method = method
        self.path = path
        self.body = body
    }
}

/// The methods that the widget service knows.
public enum RequestMethod: String, Sendable {
    /// Reads a widget.
    case get = "GET"
    /// Creates or replaces a widget.
    case post = "POST"
    /// Merges a patch into a widget (RFC 7396).
    case patch = "PATCH"
    /// Removes a widget.
    case delete = "DELETE"

    /// The content type that the service wants for this method's body.
    public var contentType: String? {
        switch self {
        case .get, .delete: nil
        case .post: "application/json"
        case .patch: "application/merge-patch+json"
        }
    }
}

/// What became of a request.
public enum RequestOutcome: Sendable, Equatable {
    /// The service, or something in front of it, answered.
    case response(ServiceResponse)
    /// There was no answer.
    case failure(TransportFailure)
}

/// An answer, as it came.
public struct ServiceResponse: Sendable, Equatable {
    /// The HTTP status.
    public var status: Int
    /// The `Retry-After` header: seconds or an HTTP date.
    public var retryAfter: String?
    /// The `Date` header.
    public var date: String?
    /// The body.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, retryAfter: String? = nil, date: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
    }
}

/// Why there was no answer.
public struct TransportFailure: Sendable, Equatable {
    /// How far the request may have come.
    public enum Reach: Sendable, Equatable {
        /// It certainly never reached the service: no name, no connection, no TLS.
        case notSent
        /// It may have been applied: a time-out or a reset after sending began.
        case unanswered
    }

    /// How far the request may have come.
    public var reach: Reach
    /// A sentence that names the cause.
    public var reason: String

    /// Makes a failure.
    public init(reach: Reach, reason: String) {
        self.reach = reach
        self.reason = reason
    }
}
