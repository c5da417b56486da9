import Bridge
import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("Readings that fall silent")
struct ExpiryTests {
    @Test("A source that is silent for its age is shown as zero or gone, because time passed")
    func silence() throws {
        let definition = try HomeBench.home { readings, flow in
            readings[0].expiry = .after(.seconds(10))
            readings[0].expired = .zero
            flow.storage = nil
        }
        var bench = HomeBench(definition)
        var server = FaultyServer(seed: 1)
        server.failuresPerMille = 0
        bench.send("t/grid", "100")
        bench.send("t/solar", "400")
        bench.pass(.seconds(5)) { server.answer($0) }
        #expect(server.flow?["inputs"] == [["rate": 400]])
        bench.pass(.seconds(30)) { server.answer($0) }
        #expect(server.flow?["inputs"] == [["rate": 0]])
        #expect(server.flow?["output"] == ["rate": 100])
        bench.pass(.seconds(600)) { server.answer($0) }
        #expect(server.flow?["exchange"] == nil)
    }
}

@Suite("Readings that never came")
struct SilenceReportTests {
    @Test("A reading that has brought nothing since the start is named once, with its topic")
    func silent() throws {
        var bench = HomeBench(try HomeBench.home())
        var server = FaultyServer(seed: 1)
        server.failuresPerMille = 0
        for topic in ["t/solar", "t/grid", "t/battery"] { bench.send(topic, "500") }
        bench.send("t/battery", "null")
        bench.pass(.seconds(1200)) { server.answer($0) }
        #expect(
            bench.lines == [
                LogEntry(
                    .warning,
                    "Nothing has come yet for the reading 'soc' (t/soc): check 'topic' and 'path', byte for byte, or wait if "
                        + "the source sleeps."
                )
            ]
        )
    }
}

@Suite("Absurd readings")
struct AbsurdReadingTests {
    @Test(
        "Numbers that no home can have neither end the process nor reach the phone",
        arguments: [
            "18446744073709551615", "1e300", "-1e19", "1e308",
        ]
    )
    func absurd(payload: String) throws {
        var bench = HomeBench(try HomeBench.home())
        var server = FaultyServer(seed: 1)
        server.failuresPerMille = 0
        for topic in ["t/solar", "t/grid", "t/battery"] { bench.send(topic, "500") }
        bench.send("t/battery", payload)
        bench.pass(.seconds(180)) { server.answer($0) }
        #expect(server.flow?["storage"] == ["rate": 500])
    }
}

extension FaultyServer {
    fileprivate var flow: JSONObject? { document?["content"]?.asObject?["flow"]?.asObject }
}
