import Configuration
import Delivery
import Testing

@Suite("Broken configurations")
struct MutationTests {
    @Test("random damage is reported, at a place in the file, and never crashes")
    func mutations() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ":", ": ", ",", "\"", "'", "#", " #", "%", "&a ", "*a", "!x ", "|", ">", "-", "- ",
            "\t", "\n", "\r\n", " ", "  ", "~", "true", "1", "é", "👨‍👩‍👧", "?", "? ", "<<", "---\n", "...\n", "\\", "@",
            "`",
        ]
        for _ in 0..<400 {
            var bytes = Array(example.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(start..<end)
                case 1:
                    bytes.insert(
                        contentsOf: Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8),
                        at: start
                    )
                case 2:
                    bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0..<bytes.count, using: &random))
                default: bytes[start] = UInt8.random(in: .min ... .max, using: &random)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let result = ConfigurationReader().read(text: text)
            let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            for problem in result.problems {
                let place = problem.place
                #expect(
                    place.map { $0.line >= 1 && $0.line <= lines && $0.column >= 1 } == true,
                    "seed \(seed): \(problem)"
                )
            }
            if result.settings == nil {
                #expect(result.problems.contains { $0.severity == .error }, "seed \(seed): \(text)")
            }
        }
    }

    @Test("every prefix of the example is judged without a crash")
    func prefixes() {
        for length in stride(from: 0, to: example.utf8.count, by: 7) {
            let text = String(decoding: example.utf8.prefix(length), as: UTF8.self)
            _ = ConfigurationReader().read(text: text)
        }
    }

    @Test("nesting is bounded, and aliases cannot multiply")
    func bombs() {
        for depth in [31, 40, 100, 100_000] {
            let text = "readings: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(ConfigurationReader().read(text: text).settings == nil)
        }
        let deep = "readings: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "\n"
        #expect(diagnosis(of: deep).hasPrefix("flowbridge.yaml:1:43: error: this is nested too deeply\n"))
        let laughs = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nreadings: *c\n"
        let problems = ConfigurationReader().read(text: laughs).problems.filter { $0.message.hasPrefix("aliases") }
        #expect(problems.count == 8)
    }
}
