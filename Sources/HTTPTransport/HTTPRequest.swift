/// A request to the widget service.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, in capitals.
    public var method: String
    /// The whole URL, `https` or `http`.
    public var url: String
    /// The type of the body.
    public var contentType: String?
    /// The body; where it is empty, none is sent.
    public var body: [UInt8]

    /// Makes a request.
    public init(method: String, url: String, contentType: String? = nil, body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.contentType = contentType
        self.body = body
    }
}
