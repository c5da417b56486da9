import Glibc
import HTTPTransport
import Testing

@Suite("The HTTP transport")
struct HTTPTransportTests {
    private static let secret = "Bearer hlk_secret"

    private func transport(timeout: Duration = .seconds(20)) throws -> HTTPTransport {
        var options = HTTPTransport.Options(userAgent: "flowbridge/test", authorization: Self.secret)
        options.timeout = timeout
        return try HTTPTransport(options)
    }

    /// Runs until nothing is pending or ten seconds are over.
    private func finish(_ transport: HTTPTransport) throws -> [Int: HTTPOutcome] {
        let deadline = ContinuousClock.now + .seconds(10)
        var outcomes: [Int: HTTPOutcome] = [:]
        var none: [WatchedDescriptor] = []
        while transport.pending > 0, ContinuousClock.now < deadline {
            for completion in try transport.perform() {
                outcomes[completion.id] = completion.outcome
            }
            if transport.pending > 0 {
                try transport.wait(for: &none, atMost: .seconds(1))
            }
        }
        return outcomes
    }

    private func get(_ url: String, timeout: Duration = .seconds(20)) throws -> HTTPOutcome? {
        let transport = try transport(timeout: timeout)
        transport.send(HTTPRequest(method: "GET", url: url), id: 1)
        return try finish(transport)[1]
    }

    @Test("sends the request as it is, and hands over the answer with its headers")
    func exchange() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer(
                "429 Too Many Requests",
                headers:
                    "Retry-After: 30\r\nDate: Thu, 19 Mar 2026 11:00:00 GMT\r\ncontent-type: application/problem+json\r\n",
                body: "{}"
            )
        }
        defer { server.stop() }
        let transport = try transport()
        transport.send(
            HTTPRequest(
                method: "PATCH",
                url: "\(server.url)/widgets/power",
                contentType: "application/merge-patch+json",
                body: Array(#"{"content":{"label":"é"}}"#.utf8)
            ),
            id: 7
        )
        let expected = HTTPResponse(
            status: 429,
            retryAfter: "30",
            date: "Thu, 19 Mar 2026 11:00:00 GMT",
            contentType: "application/problem+json",
            body: Array("{}".utf8)
        )
        #expect(try finish(transport) == [7: .response(expected)])
        #expect(
            server.received == [
                "PATCH /widgets/power HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nUser-Agent: flowbridge/test\r\n"
                    + "Accept: application/json\r\nContent-Type: application/merge-patch+json\r\n"
                    + "Authorization: Bearer hlk_secret\r\nContent-Length: 26\r\n\r\n"
                    + #"{"content":{"label":"é"}}"#
            ]
        )
    }

    @Test("sends no body and no type where there is none", arguments: ["GET", "DELETE"])
    func bodiless(method: String) throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        let transport = try transport()
        transport.send(HTTPRequest(method: method, url: "\(server.url)/widgets/a"), id: 1)
        #expect(try finish(transport) == [1: .response(HTTPResponse(status: 204))])
        #expect(server.received.first?.hasPrefix("\(method) /widgets/a HTTP/1.1\r\n") == true)
        #expect(server.received.first?.contains("Content-") == false)
    }

    @Test("keeps one connection for all requests")
    func oneConnection() throws {
        let server = ScriptedServer { connection in
            while connection.readRequest() {
                connection.answer("200 OK", body: "")
            }
        }
        defer { server.stop() }
        let transport = try transport()
        for id in 0..<5 {
            transport.send(HTTPRequest(method: "GET", url: "\(server.url)/\(id)"), id: id)
        }
        // The server takes the next connection only after the end of the first, so a second would hang.
        #expect(try finish(transport).count == 5)
        #expect(server.received.map { $0.prefix(6) }.sorted() == (0..<5).map { "GET /\($0)" })
    }

    @Test("does not follow a redirection", arguments: [301, 302, 307, 308])
    func redirection(status: Int) throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("\(status) Elsewhere", headers: "Location: http://127.0.0.1:1/\r\n", body: "there")
        }
        defer { server.stop() }
        let expected = HTTPResponse(status: status, body: Array("there".utf8))
        #expect(try get(server.url) == .response(expected))
    }

    @Test("knows that nothing was sent to a port where nothing listens")
    func refused() throws {
        let server = ScriptedServer { _ in }
        server.stop()
        guard case .failure(.notSent, let reason)? = try get("http://127.0.0.1:1") else {
            Issue.record("not a failure")
            return
        }
        #expect(reason.hasPrefix("Failed to connect to 127.0.0.1 port 1"))
        #expect(reason.hasSuffix("."))
    }

    @Test("knows that nothing was sent to a name that nobody knows, and does not hold the loop up")
    func unknownName() throws {
        let transport = try transport()
        let clock = ContinuousClock()
        let start = clock.measure { transport.send(HTTPRequest(method: "GET", url: "http://service.invalid"), id: 1) }
        let stall = try clock.measure { _ = try transport.perform() }
        #expect(max(start, stall) < .milliseconds(100))
        let outcomes = try finish(transport)
        #expect(outcomes == [1: .failure(.notSent, reason: "Could not resolve host: service.invalid.")])
    }

    @Test("takes no other protocol", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "not a url"])
    func otherProtocols(url: String) throws {
        guard case .failure(.notSent, _)? = try get(url) else {
            Issue.record("not a failure")
            return
        }
    }

    @Test("does not know whether a request without an answer was applied")
    func slow() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        defer { server.stop() }
        guard case .failure(.unanswered, let reason)? = try get(server.url, timeout: .milliseconds(100)) else {
            Issue.record("not unanswered")
            return
        }
        #expect(reason.hasPrefix("Operation timed out after"))
    }

    @Test("knows that a request that waited for another was not sent")
    func queued() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        defer { server.stop() }
        let transport = try transport(timeout: .milliseconds(200))
        transport.send(HTTPRequest(method: "GET", url: "\(server.url)/1"), id: 1)
        while server.received.isEmpty {
            _ = try transport.perform()
        }
        transport.send(HTTPRequest(method: "GET", url: "\(server.url)/2"), id: 2)
        let outcomes = try finish(transport)
        guard case .failure(.unanswered, _)? = outcomes[1] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(server.received.count == 1 || outcomes[2] != nil)
    }

    @Test("does not know whether a request was applied whose connection was reset")
    func reset() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.resetAtEnd()
        }
        defer { server.stop() }
        guard case .failure(.unanswered, _)? = try get(server.url) else {
            Issue.record("not unanswered")
            return
        }
    }

    @Test("does not take half an answer for a success")
    func brokenOff() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        defer { server.stop() }
        guard case .failure(.unanswered, _)? = try get(server.url) else {
            Issue.record("not unanswered")
            return
        }
    }

    @Test("takes the status of an error whose page breaks off")
    func brokenError() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("HTTP/1.1 503 Down\r\nRetry-After: 5\r\nContent-Length: 100\r\n\r\nhalf")
        }
        defer { server.stop() }
        let expected = HTTPResponse(status: 503, retryAfter: "5", body: Array("half".utf8))
        #expect(try get(server.url) == .response(expected))
    }

    @Test("gives an endless answer up")
    func endless() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("200 OK", body: String(repeating: "x", count: 3 << 20))
        }
        defer { server.stop() }
        let outcome = try get(server.url)
        #expect(outcome == .failure(.unanswered, reason: "The answer is longer than 1048576 bytes."))
    }

    @Test("cuts the page of an error off")
    func longError() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("502 Bad Gateway", body: String(repeating: "x", count: 3 << 20))
        }
        defer { server.stop() }
        guard case .response(let response)? = try get(server.url) else {
            Issue.record("not a response")
            return
        }
        #expect(response.status == 502)
        #expect(response.body.count == 65536)
    }

    @Test("tells of a server that speaks no HTTP")
    func notHTTP() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("SSH-2.0-OpenSSH\r\n")
        }
        defer { server.stop() }
        guard case .failure(.unanswered, _)? = try get(server.url) else {
            Issue.record("not unanswered")
            return
        }
    }

    @Test("sends nothing where TLS fails")
    func noTLS() throws {
        let server = ScriptedServer { connection in
            connection.answer("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        defer { server.stop() }
        guard case .failure(.notSent, let reason)? = try get("https://127.0.0.1:\(server.port)") else {
            Issue.record("not unsent")
            return
        }
        #expect(!reason.contains("hlk_"))
    }

    @Test("recovers from a kept connection that the server has closed meanwhile")
    func staleConnection() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.answer("200 OK", body: "")
        }
        defer { server.stop() }
        let transport = try transport()
        for id in 1...3 {
            transport.send(HTTPRequest(method: "GET", url: "\(server.url)/\(id)"), id: id)
            #expect(try finish(transport) == [id: .response(HTTPResponse(status: 200))])
        }
    }

    @Test("wakes for a descriptor, and says which")
    func descriptors() throws {
        let transport = try transport()
        var pipes: [[Int32]] = [[0, 0], [0, 0]]
        for index in pipes.indices {
            pipe(&pipes[index])
        }
        defer { pipes.joined().forEach { close($0) } }
        var watched = pipes.map { WatchedDescriptor($0[0]) }
        let clock = ContinuousClock()
        let idle = try clock.measure { try transport.wait(for: &watched, atMost: .milliseconds(30)) }
        #expect(idle >= .milliseconds(30))
        #expect(watched.map(\.isReadable) == [false, false])

        Glibc.write(pipes[1][1], "x", 1)
        let woken = try clock.measure { try transport.wait(for: &watched, atMost: .seconds(10)) }
        #expect(woken < .seconds(5))
        #expect(watched.map(\.isReadable) == [false, true])

        var writable = [WatchedDescriptor(pipes[0][1], wantsWrite: true)]
        try transport.wait(for: &writable, atMost: .seconds(10))
        #expect(writable[0].isWritable)
    }

    @Test("can be dropped with requests on their way")
    func dropped() throws {
        let server = ScriptedServer { connection in
            connection.readRequest()
            connection.waitForEnd()
        }
        defer { server.stop() }
        for url in [server.url, "http://service.invalid"] {
            let transport = try transport()
            transport.send(HTTPRequest(method: "GET", url: url), id: 1)
            _ = try transport.perform()
        }
    }
}
