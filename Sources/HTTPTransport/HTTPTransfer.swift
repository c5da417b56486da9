import CCurl

/// One request on its way: owns libcurl's handle for it, and what came back so far.
final class HTTPTransfer {
    /// The longest body that is taken of a success; a widget has some kilobytes.
    private static let longestBody = 1 << 20
    /// The longest body that is taken of anything else, such as a proxy's error page.
    private static let longestErrorBody = 1 << 16

    let id: Int
    let easy: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let complaint = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var body: [UInt8] = []
    private var isCutOff = false

    init(_ request: HTTPRequest, id: Int, options: HTTPTransport.Options) throws(HTTPTransportError) {
        guard let easy = curl_easy_init() else {
            complaint.deallocate()
            throw HTTPTransportError("has no memory left for a request")
        }
        self.id = id
        self.easy = easy
        complaint.pointee = 0
        try configure(options)
        try describe(request, options)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headers)
        complaint.deallocate()
    }

    /// The transfer that owns a handle.
    static func of(_ easy: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        var context: UnsafeMutableRawPointer?
        guard flowbridge_curl_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
        return from(context)
    }

    /// What came of it, once libcurl is done with it.
    func outcome(_ result: CURLcode) -> HTTPOutcome {
        // The status decides what an error means, even if its page was too long or broke off.
        if result == CURLE_OK || status >= 300 {
            return .response(
                HTTPResponse(
                    status: status,
                    retryAfter: header("Retry-After"),
                    date: header("Date"),
                    contentType: header("Content-Type"),
                    body: body
                )
            )
        }
        return .failure(long(CURLINFO_REQUEST_SIZE) == 0 ? .notSent : .unanswered, reason: reason(result))
    }
}

// MARK: - Settings

extension HTTPTransfer {
    private func configure(_ options: HTTPTransport.Options) throws(HTTPTransportError) {
        // HTTP/2 would gain nothing for one small request at a time, and libcurl keeps an HTTP/2 connection after one
        // of its streams timed out: a dead connection would cost every later request its time.
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_NOSIGNAL, 1)
        // Without it, giving up on a name look-up waits for the resolver's thread, and the loop stands still.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROTOCOLS_STR, "https,http")
        // A redirection would take the key to another place.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        // The key goes to the host of the configuration and nowhere else, whatever the environment says of proxies.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(options.connectTimeout.milliseconds))
        try set(CURLOPT_TIMEOUT_MS, Int(options.timeout.milliseconds))
        try set(CURLOPT_USERAGENT, options.userAgent)

        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(flowbridge_curl_set_pointer(easy, CURLOPT_PRIVATE, context))
        try check(flowbridge_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, complaint))
        let code = flowbridge_curl_set_writer(
            easy,
            { bytes, size, count, context in
                HTTPTransfer.from(context)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            },
            context
        )
        try check(code)
    }

    private func describe(_ request: HTTPRequest, _ options: HTTPTransport.Options) throws(HTTPTransportError) {
        try set(CURLOPT_URL, request.url)
        if !request.body.isEmpty {
            try check(request.body.withUnsafeBytes { flowbridge_curl_set_body(easy, $0.baseAddress, $0.count) })
        }
        try set(CURLOPT_CUSTOMREQUEST, request.method)
        try add("Accept: application/json")
        // With no value, libcurl's own default of a form does not go out.
        try add("Content-Type:\(request.contentType.map { " \($0)" } ?? "")")
        if let authorization = options.authorization {
            try add("Authorization: \(authorization)")
        }
        try check(flowbridge_curl_set_list(easy, CURLOPT_HTTPHEADER, headers))
    }

    private func add(_ header: String) throws(HTTPTransportError) {
        guard let longer = curl_slist_append(headers, header) else {
            throw HTTPTransportError("has no memory left for a request")
        }
        headers = longer
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPTransportError) {
        try check(flowbridge_curl_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPTransportError) {
        try check(flowbridge_curl_set_string(easy, option, value))
    }

    /// No option may be dropped in silence, least of all one that guards the key.
    private func check(_ code: CURLcode) throws(HTTPTransportError) {
        guard code == CURLE_OK else {
            throw HTTPTransportError("does not take the request: \(String(cString: curl_easy_strerror(code)))")
        }
    }
}

// MARK: - What came back

extension HTTPTransfer {
    private static func from(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Keeps a piece of the body.
    ///
    /// - Returns: how many bytes were taken. Less than all of them makes libcurl end the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let room = (status < 300 ? Self.longestBody : Self.longestErrorBody) - body.count
        body.append(contentsOf: bytes.prefix(room))
        isCutOff = bytes.count > room
        return min(bytes.count, room)
    }

    private var status: Int { long(CURLINFO_RESPONSE_CODE) }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        guard flowbridge_curl_get_long(easy, info, &value) == CURLE_OK else { return 0 }
        return value
    }

    private func header(_ name: String) -> String? {
        var found: UnsafeMutablePointer<curl_header>?
        let code = curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &found)
        guard code == CURLHE_OK, let value = found?.pointee.value else { return nil }
        return String(cString: value)
    }

    private func reason(_ result: CURLcode) -> String {
        if isCutOff {
            return "The answer is longer than \(Self.longestBody) bytes."
        }
        let text = String(cString: complaint.pointee == 0 ? curl_easy_strerror(result) : UnsafePointer(complaint))
        return text.hasSuffix(".") ? text : "\(text)."
    }
}
