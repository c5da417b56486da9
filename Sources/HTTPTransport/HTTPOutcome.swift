/// What came of a request.
public enum HTTPOutcome: Sendable, Equatable {
    /// Whether a request that failed may have been applied.
    public enum Failure: Sendable, Equatable {
        /// No byte of it left this machine: the name is unknown, the connection was refused, TLS failed.
        case notSent
        /// It left, and what came back is no answer: the server may have applied it.
        case unanswered
    }

    /// The server answered, with whatever status. Redirections are answers; they are not followed.
    case response(HTTPResponse)
    /// The server did not answer; the reason is a sentence that ends in a period and holds no secret.
    case failure(Failure, reason: String)
}

/// An answer, with the headers that decide something, as they came.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// `Retry-After`: seconds, or a date.
    public var retryAfter: String?
    /// `Date`: what time it is for the server.
    public var date: String?
    /// `Content-Type`.
    public var contentType: String?
    /// The body. That of an error or a redirection may be cut off.
    public var body: [UInt8]

    /// Makes an answer.
    public init(
        status: Int,
        retryAfter: String? = nil,
        date: String? = nil,
        contentType: String? = nil,
        body: [UInt8] = []
    ) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.contentType = contentType
        self.body = body
    }
}
