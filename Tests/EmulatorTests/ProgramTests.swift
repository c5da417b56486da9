import Glibc
import ProcessSupport
import Testing
import Widgets

@testable import Emulator

@Suite("The program") struct ProgramTests {
    private static let create = #"{"slug":"power","name":"P","content":{"template":"status"}}"#

    private func text(
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String = "application/json"
    ) -> String {
        """
        \(method) \(target) HTTP/1.1\r
        Host: 127.0.0.1\r
        Connection: close\r
        Authorization: Bearer \(Bench.key)\r
        Content-Type: \(type)\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """
    }

    /// The whole answer to a request on a connection of its own.
    private func answer(_ process: EmulatorProcess, _ text: String) throws -> String {
        let connection = try LoopbackConnection(port: process.port)
        connection.send(text)
        guard case .closed(let answer) = connection.receive() else {
            throw ProcessError("The emulator did not answer.")
        }
        return answer
    }

    private func state(_ process: EmulatorProcess) throws -> JSONObject {
        let answer = try answer(process, text("GET", "/_emulator/state"))
        let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
        return try #require(json(String(body)).asObject)
    }

    @Test("it prints its URL as the only line and ends on a signal", arguments: [SIGTERM, SIGINT])
    func url(signal: Int32) throws {
        try withEmulator { process in
            #expect(process.port > 0)
            #expect(process.firstLine == "http://127.0.0.1:\(process.port)")
            let answer = try answer(process, text("GET", "/health"))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n{\"status\":\"ok\"}"))
            #expect(process.end(with: signal) == EmulatorProcess.End(.code(0)))
        }
    }

    @Test("it listens on 127.0.0.1 and on no other address")
    func loopback() throws {
        try withEmulator { process in
            #expect(throws: LoopbackConnection.Refused.self) {
                try LoopbackConnection(port: process.port, address: INADDR_LOOPBACK + 1)
            }
        }
    }

    @Test("a widget is created, patched and traced")
    func trace() throws {
        let path = "/tmp/pushward-emulator-\(getpid())-\(UInt64.random(in: 0 ... .max)).jsonl"
        defer { unlink(path) }
        try withEmulator("--trace", path, "--plan", "free", "--fail", "503", "--fail", "reset") { process in
            #expect(try answer(process, text("GET", "/widgets")).hasPrefix("HTTP/1.1 503 "))
            let connection = try LoopbackConnection(port: process.port)
            connection.send(text("POST", "/widgets", ProgramTests.create))
            #expect(connection.receive() == .reset(""))
            let patch = text(
                "PATCH",
                "/widgets/power",
                #"{"content":{"label":"L"}}"#,
                type: "application/merge-patch+json"
            )
            #expect(try answer(process, patch).hasPrefix("HTTP/1.1 200 "))
            #expect(try state(process)["updates_this_month"] == 1)

            let lines = try contents(of: path).split(separator: "\n").map { line in
                var line = try #require(json(String(line)).asObject)
                #expect(line["at"]?.asString.flatMap(RFC3339.parse) != nil)
                line["at"] = nil
                return line.description
            }
            let type = #""content_type":"application/json""#
            #expect(
                lines == [
                    #"{"method":"GET","path":"/widgets",\#(type),"body":null,"status":503}"#,
                    #"{"method":"POST","path":"/widgets",\#(type),"body":\#(ProgramTests.create),"status":0}"#,
                    #"{"method":"PATCH","path":"/widgets/power","content_type":"application/merge-patch+json","#
                        + #""body":{"content":{"label":"L"}},"status":200}"#,
                ]
            )
        }
    }

    @Test("a silent request is held until the client goes, and meanwhile others are answered")
    func silence() throws {
        try withEmulator("--fail", "timeout", "--fail", "timeout-before") { process in
            let applied = try LoopbackConnection(port: process.port)
            applied.send(text("POST", "/widgets", ProgramTests.create))
            while try state(process)["requests"] != 1 {}
            let lost = try LoopbackConnection(port: process.port)
            lost.send(text("DELETE", "/widgets/power"))
            while try state(process)["requests"] != 2 {}

            #expect(try answer(process, text("GET", "/widgets/power")).hasPrefix("HTTP/1.1 200 "))
            #expect(!applied.hasNews)
            #expect(!lost.hasNews)
            applied.finishSending()
            #expect(applied.receive() == .closed(""))
            #expect(!lost.hasNews)
            #expect(process.end(with: SIGTERM).ending == .code(0))
        }
    }

    @Test("a reset before anything is done leaves nothing behind")
    func resetBefore() throws {
        try withEmulator("--fail", "reset-before") { process in
            let connection = try LoopbackConnection(port: process.port)
            connection.send(text("POST", "/widgets", ProgramTests.create))
            #expect(connection.receive() == .reset(""))
            #expect(try answer(process, text("GET", "/widgets/power")).hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("a connection carries several requests, and a body may come in chunks")
    func keepAlive() throws {
        try withEmulator { process in
            let connection = try LoopbackConnection(port: process.port)
            let halves = (ProgramTests.create.prefix(20), ProgramTests.create.dropFirst(20))
            let sizes = (halves.0.utf8.count, halves.1.utf8.count)
            connection.send(
                text("GET", "/health").replacing("Connection: close\r\n", with: "")
                    + """
                    POST /widgets HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Authorization: Bearer \(Bench.key)\r
                    Content-Type: application/json\r
                    Transfer-Encoding: chunked\r
                    \r
                    \(String(sizes.0, radix: 16))\r\n\(halves.0)\r
                    \(String(sizes.1, radix: 16))\r\n\(halves.1)\r
                    0\r
                    \r

                    """ + text("GET", "/widgets/power")
            )
            guard case .closed(let answers) = connection.receive() else {
                throw ProcessError("The emulator did not answer.")
            }
            let statuses = answers.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            #expect(statuses == ["200", "201", "200"])
        }
    }

    @Test("a body that is far too large is read to its end and refused")
    func largeBody() throws {
        try withEmulator { process in
            let body = String(repeating: "x", count: 4 << 20)
            let answer = try answer(process, text("POST", "/widgets", body))
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            #expect(answer.contains("Content-Type: application/problem+json\r\n"))
        }
    }

    @Test("--key lets in that key only")
    func key() throws {
        try withEmulator("--key", "hlk_00000000000000000000000000000000") { process in
            let answer = try answer(process, text("GET", "/widgets"))
            #expect(answer.hasPrefix("HTTP/1.1 401 "))
        }
    }

    @Test("--help explains and ends well")
    func help() throws {
        try withEmulator("--help") { process in
            #expect(process.firstLine == "Usage: pushward-emulator [OPTION]...")
            let end = process.end()
            #expect(end.ending == .code(0))
            #expect(end.errors.isEmpty)
        }
    }

    @Test(
        "what the command line may not say ends it with 64 and a sentence",
        arguments: [
            (["--bogus"], "'--bogus' is not an option."),
            (["-x"], "'-x' is not an option."),
            (["more"], "'more' is not an option."),
            (["--port"], "'--port' needs a value."),
            (["--port", "65536"], "'65536' is not a port from 0 to 65535."),
            (["--port", "-1"], "'-1' is not a port from 0 to 65535."),
            (["--plan", "gold"], "'gold' is neither free nor paid."),
            (["--key", "secret"], "A key is 'hlk_' and 32 letters or digits."),
            (["--fail", "503:0"], "'503:0' must end in ':' and a count of at least 1, or in neither."),
            (
                ["--fail", "slow"],
                "'slow' is neither a status from 300 to 599 nor one of timeout, timeout-before, reset, reset-before."
            ),
        ]
    )
    func usage(arguments: [String], sentence: String) throws {
        let end = try EmulatorProcess(arguments).end()
        let expected = EmulatorProcess.End(.code(64), errors: "pushward-emulator: \(sentence) See --help.\n")
        #expect(end == expected)
    }

    @Test("a trace that cannot be written ends it at the start")
    func unwritableTrace() throws {
        let end = try EmulatorProcess(["--trace", "/proc/nowhere/trace"]).end()
        let sentence = "The trace file /proc/nowhere/trace cannot be written: No such file or directory."
        #expect(end == EmulatorProcess.End(.code(73), errors: "pushward-emulator: \(sentence)\n"))
    }

    @Test("a trace that cannot be written any more ends it, rather than have holes")
    func fullTrace() throws {
        try withEmulator("--trace", "/dev/full") { process in
            let connection = try LoopbackConnection(port: process.port)
            connection.send(text("GET", "/health"))
            let sentence = "The trace file /dev/full cannot be written: No space left on device."
            let expected = EmulatorProcess.End(.code(74), errors: "pushward-emulator: \(sentence)\n")
            #expect(process.end() == expected)
        }
    }

    @Test("a port that is taken ends it at the start")
    func takenPort() throws {
        try withEmulator { process in
            let end = try EmulatorProcess(["--port", String(process.port)]).end()
            let sentence = "127.0.0.1:\(process.port) cannot be listened on: Address already in use."
            #expect(end == EmulatorProcess.End(.code(69), errors: "pushward-emulator: \(sentence)\n"))
        }
    }
}
