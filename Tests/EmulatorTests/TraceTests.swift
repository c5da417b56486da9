import Testing
import Widgets

@testable import Emulator

@Suite("Trace") struct TraceTests {
    private func line(_ request: Request, faults: [Fault] = []) throws -> String {
        var bench = Bench(faults: faults)
        bench.wait(.milliseconds(7))
        return try #require(bench.service.answer(request, at: bench.now).trace)
    }

    @Test("a body that is JSON is JSON in the trace, on one line, and the key is not in it")
    func jsonBody() throws {
        let request = Request(
            method: "PATCH",
            target: "/widgets/power?x=1",
            authorization: "Bearer \(Bench.key)",
            contentType: "application/merge-patch+json",
            body: Array("{\n \"content\": {\"label\": \"two\\nlines\", \"value\": 3200.0}\n}".utf8)
        )
        let expected =
            #"{"at":"2026-03-19T11:00:15.007Z","method":"PATCH","path":"/widgets/power?x=1","#
            + #""content_type":"application/merge-patch+json","#
            + #""body":{"content":{"label":"two\nlines","value":3200}},"status":404}"#
        #expect(try line(request) == expected)
    }

    @Test("any other body is text, and none is null")
    func otherBodies() throws {
        let text = Request(method: "POST", target: "/widgets", body: Array("{\"open\":\n".utf8))
        let expected = #"{"at":"2026-03-19T11:00:15.007Z","method":"POST","path":"/widgets","content_type":null,"#
        #expect(try line(text) == expected + #""body":"{\"open\":\n","status":401}"#)
        let none = Request(method: "POST", target: "/widgets")
        #expect(try line(none) == expected + #""body":null,"status":401}"#)
    }

    @Test("the status is 0 where there is no answer, and the one that was asked for where there is")
    func faults() throws {
        let request = Request(method: "GET", target: "/health")
        for (word, status) in [("timeout", 0), ("timeout-before", 0), ("reset", 0), ("reset-before", 0), ("502", 502)] {
            let line = try line(request, faults: [try Fault(argument: word)])
            #expect(line.hasSuffix(#""body":null,"status":\#(status)}"#))
        }
    }
}
