import Bridge
import Delivery
import Readings
import Testing
import Widgets

@Suite("A service that fails")
struct FaultyServerTests {
    @Test(
        "A thousand runs against a service that fails three requests in ten end in agreement, and no patch wastes a field"
    )
    func agreement() throws {
        let definition = try HomeBench.home()
        for seed in UInt64(1)...1000 {
            var random = SplitMix(seed: seed)
            var server = FaultyServer(seed: seed &+ 77)
            var bench = HomeBench(definition, seed: seed)
            for _ in 0..<25 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0: bench.send("t/battery", "")
                case 1: server.loseWidget()
                case 2, 3: bench.send("t/soc", "\(Int.random(in: 0...100, using: &random))")
                case 4...6: bench.send("t/battery", "\(Int.random(in: -50...50, using: &random) * 100)")
                case 7...9: bench.send("t/solar", "\(Int.random(in: 0...60, using: &random) * 100)")
                default: bench.send("t/grid", "\(Int.random(in: -50...50, using: &random) * 100)")
                }
                let span = Duration.seconds(Double.random(in: 0.1...40, using: &random))
                bench.pass(span) { server.answer($0) }
            }
            server.failuresPerMille = 0
            // A last change, so that a widget that was deleted unseen is missed.
            bench.send("t/solar", "4321")
            bench.send("t/grid", "-1234")
            bench.send("t/battery", "1000")
            bench.send("t/soc", "55")
            bench.pass(.seconds(180)) { server.answer($0) }
            let wanted: JSONObject = [
                "template": "flow", "unit": "W",
                "flow": [
                    "inputs": [["rate": 4321]],
                    "output": ["rate": 2087],
                    "storage": ["rate": 1000, "level": 55],
                    "exchange": ["rate": -1234],
                ],
            ]
            #expect(server.document?["content"]?.asObject == wanted, "seed \(seed)")
            #expect(server.violations.isEmpty, "seed \(seed): \(server.violations)")
            guard server.violations.isEmpty, server.document?["content"]?.asObject == wanted else { return }
        }
    }
}
