/// One HTTP request, as far as the widget service looks at it.
public struct Request: Sendable {
    /// The most bytes of a body that the service reads; a longer one is refused. A driver keeps no more than one byte
    /// beyond it.
    public static let largestBody = 262_144

    /// The method in upper case, as sent.
    public var method: String
    /// The request target as sent: a path with its percent escapes, and a query if there is one.
    public var target: String
    /// The `Authorization` header.
    public var authorization: String?
    /// The `Content-Type` header.
    public var contentType: String?
    /// The body; empty when there is none.
    public var body: [UInt8]
    /// The address of the client, which is what requests are counted by.
    public var client: String

    /// Makes a request.
    public init(
        method: String,
        target: String,
        authorization: String? = nil,
        contentType: String? = nil,
        body: [UInt8] = [],
        client: String = "127.0.0.1"
    ) {
        self.method = method
        self.target = target
        self.authorization = authorization
        self.contentType = contentType
        self.body = body
        self.client = client
    }

    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// The segments of the path, still escaped: `/widgets/power` has two.
    var segments: [Substring] { path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) }

    /// The media type without its parameters, in lower case.
    var mediaType: String? {
        contentType.map { header in
            String(header.prefix { $0 != ";" }).lowercased().filter { $0 != " " && $0 != "\t" }
        }
    }
}
