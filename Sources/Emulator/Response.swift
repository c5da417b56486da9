public import Widgets

/// One HTTP answer.
public struct Response: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The headers in order, `Content-Type` among them; the length and the date are the driver's.
    public var headers: [Header]
    /// The body; `nil` for none.
    public var body: JSONValue?

    /// A header's name and value.
    public struct Header: Sendable, Equatable {
        /// As it is sent.
        public var name: String
        /// As it is sent.
        public var value: String
    }

    /// Makes an answer with a JSON body, or with none.
    init(_ status: Int, _ body: JSONValue? = nil, headers: [Header] = []) {
        self.status = status
        self.body = body
        self.headers = (body == nil ? [] : [Header(name: "Content-Type", value: "application/json")]) + headers
    }

    /// Makes an answer out of a problem (RFC 9457).
    init(_ problem: Problem, instance: String) {
        status = problem.status
        body = .object(problem.document(instance: instance))
        headers = [Header(name: "Content-Type", value: "application/problem+json")] + problem.headers
    }

    /// The value of a header, or `nil`; names are compared without regard to case.
    public subscript(header name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What the driver does with a request.
public enum Outcome: Sendable, Equatable {
    /// Answer it.
    case response(Response)
    /// Never answer it, and keep the connection until the client lets go.
    case silence
    /// Close the connection at once, without an answer.
    case reset

    /// The status that the client sees; 0 when it sees none.
    public var status: Int {
        if case .response(let response) = self { response.status } else { 0 }
    }
}
