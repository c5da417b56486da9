import CCurl

/// libcurl itself failed, not a request.
public struct HTTPTransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that ends in a period.
    public let description: String

    init(_ what: String, _ code: CURLMcode? = nil) {
        let reason = code.map { ": \(String(cString: curl_multi_strerror($0)))" } ?? ""
        description = "libcurl \(what)\(reason)."
    }
}
