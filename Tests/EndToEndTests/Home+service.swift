import ProcessSupport
import Testing
import Widgets

extension Home {
    /// A request that the service was sent, and what it answered.
    struct Request {
        var method: String
        var path: String
        var body: JSONValue
        /// 0 where there was no answer.
        var status: Int
    }

    /// The daemon's requests since the service was last started, those of the tests left out.
    var requests: [Request] {
        get throws {
            try contents(of: traceFile).split(separator: "\n").map { line in
                let line = try #require(try JSONValue(parsing: Array(line.utf8)).asObject)
                return Request(
                    method: try #require(line["method"]?.asString),
                    path: try #require(line["path"]?.asString),
                    body: line["body"] ?? .null,
                    status: try #require(line["status"]?.asNumber.flatMap(Int.init(exactly:)))
                )
            }.filter { $0.method != "GET" || $0.path != "/widgets" }
        }
    }

    /// The requests that concern a widget.
    func requests(_ slug: String) throws -> [Request] {
        try requests.filter { request in
            request.path == "/widgets/\(slug)" || request.body.asObject?["slug"]?.asString == slug
        }
    }

    /// What the service holds, asked of itself.
    func content(_ slug: String) throws -> JSONObject? {
        let widgets = try ask("GET", "/widgets").asObject?["items"]?.asArray ?? []
        return widgets.lazy.compactMap(\.asObject).first { $0["slug"]?.asString == slug }?["content"]?.asObject
    }

    /// Tells the service to fail.
    func fail(_ status: JSONValue, code: String? = nil, count: Int = 1, retryAfter: Int? = nil) throws {
        var body: JSONObject = ["status": status, "count": JSONValue(count)]
        body["code"] = code.map { .string($0) }
        body["retry_after"] = retryAfter.map { JSONValue($0) }
        try ask("POST", "/_emulator/fail", body)
    }

    /// How many failures are still to come.
    var failuresLeft: Double? {
        get throws { try ask("GET", "/_emulator/state").asObject?["faults"]?.asNumber }
    }

    /// Waits until a widget's rates are these, in the order of `rates`.
    func awaitRates(
        _ wanted: [Double?],
        of slug: String = "power",
        _ place: SourceLocation = #_sourceLocation
    ) async throws {
        var seen = 0
        var last: [Double?] = []
        try await wait(for: "the rates \(wanted) of '\(slug)'; the last were \(last)", place) {
            // Each look is a request to the service, which bounds them; so it is asked only when something may be new.
            let count = try requests(slug).count
            guard count != seen, try failuresLeft == 0 else { return false }
            seen = count
            last = try content(slug).map(rates) ?? []
            return last == wanted
        }
    }

    /// The rates of inputs, exchange and output.
    func rates(_ content: JSONObject) -> [Double?] {
        let flow = content["flow"]?.asObject
        let inputs = flow?["inputs"]?.asArray?.map { $0.asObject?["rate"]?.asNumber } ?? []
        return inputs + ["exchange", "output"].compactMap { flow?[$0]?.asObject?["rate"]?.asNumber }
    }

    /// Returns when the service has heard of all that was published before.
    ///
    /// The broker keeps the order, and the daemon pushes each widget as soon as it may, so a value that is published now
    /// is at the service after the older ones are in the daemon.
    func awaitFence(_ value: Double, _ place: SourceLocation = #_sourceLocation) async throws {
        try publish("home/fence", "\(value)")
        try await awaitRates([value], of: "fence", place)
    }

    @discardableResult
    func ask(_ method: String, _ target: String, _ body: JSONObject? = nil) throws -> JSONValue {
        let text = body?.description ?? ""
        let connection = try LoopbackConnection(port: servicePort)
        connection.send(
            """
            \(method) \(target) HTTP/1.1\r
            Host: 127.0.0.1\r
            Connection: close\r
            Authorization: Bearer \(Home.key)\r
            Content-Type: application/json\r
            Content-Length: \(text.utf8.count)\r
            \r
            \(text)
            """
        )
        guard case .closed(let answer) = connection.receive(), answer.hasPrefix("HTTP/1.1 20") else {
            throw ProcessError("The service did not answer a \(method) of \(target).")
        }
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        return parts.count == 2 ? try JSONValue(parsing: Array(parts[1].utf8)) : .null
    }
}
