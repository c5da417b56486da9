import Delivery
import Testing

@testable import Readings

@Suite("JSON Pointer (RFC 6901)")
struct JSONPointerSuite {
    /// The document of section 5.
    static let document = #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

    @Test(
        "the examples of section 5 lead to numbers",
        arguments: [
            ("/", 0.0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), (#"/i\j"#, 5), (#"/k"l"#, 6), ("/ ", 7),
            ("/m~0n", 8),
        ]
    )
    func examples(pointer: String, number: Double) throws {
        guard case .number(number) = try kind(pointer, in: Self.document) else {
            Issue.record("\(pointer) does not lead to \(number)")
            return
        }
    }

    @Test("the examples of section 5 lead to an array and a string in it")
    func array() throws {
        guard case .container = try kind("/foo", in: Self.document) else {
            Issue.record("/foo is no array")
            return
        }
        #expect(try text("/foo/0", in: Self.document) == "bar")
        #expect(try text("/foo/1", in: Self.document) == "baz")
        #expect(try JSONPointer("").tokens == [])
    }

    @Test(
        "what is not there is absent",
        arguments: ["/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/0/x", "/x", "/ /y"]
    )
    func absent(pointer: String) throws {
        guard case .absent = try kind(pointer, in: Self.document) else {
            Issue.record("\(pointer) leads somewhere")
            return
        }
    }

    @Test("escaped slashes and tildes are undone once")
    func escapes() throws {
        #expect(try JSONPointer("/~01").tokens == [Array("~1".utf8)])
        #expect(try JSONPointer("//a/").tokens == [[], Array("a".utf8), []])
    }

    @Test(
        "a path without its slash is told as the pointer that was meant",
        arguments: [
            ("total_act_power", "/total_act_power"),
            ("a.b[0]", "/a/b/0"),
            (#"value_json["x"]"#, "/x"),
            ("value_json.ENERGY.Power[1]", "/ENERGY/Power/1"),
            (#"["em:0"].total_act_power"#, "/em:0/total_act_power"),
            ("$.power", "/power"),
            ("$['a/b']['~']", "/a~1b/~0"),
            ("PM2.5", "/PM2.5"),
            ("SML.1.8.0", "/SML/1.8.0"),
            ("ENERGY/Power", "/ENERGY/Power"),
            ("[1].activePower", "/1/activePower"),
            ("a[", "/a"),
        ]
    )
    func suggestion(path: String, pointer: String) {
        #expect(
            throws: JSONPointerError(description: "The path '\(path)' does not begin with '/': write '\(pointer)'.")
        ) {
            try JSONPointer(path)
        }
    }

    @Test("a tilde that escapes nothing is an error", arguments: ["/~", "/a~2", "/~/b"])
    func tilde(path: String) {
        #expect(
            throws: JSONPointerError(
                description: "In the path '\(path)' a '~' must be followed by 0 (for '~') or 1 (for '/')."
            )
        ) { try JSONPointer(path) }
    }

    private func scalar<Result>(_ pointer: String, in json: String, _ body: (PayloadScalar) -> Result) throws -> Result
    {
        let reader = PayloadReader()
        let plan = reader.makePlan(for: [try JSONPointer(pointer)])
        return try withBytes(json) { try body(#require(reader.read($0, plan: plan))[0]) }
    }

    private func kind(_ pointer: String, in json: String) throws -> PayloadScalar.Kind {
        try scalar(pointer, in: json, \.kind)
    }

    private func text(_ pointer: String, in json: String) throws -> String {
        try scalar(pointer, in: json) { String(decoding: $0.text, as: UTF8.self) }
    }
}

@Suite("JSON payloads")
struct PayloadReaderSuite {
    @Test("all pointers are read in one pass, and equal beginnings share their way")
    func several() throws {
        let found = try read(
            ["/a/b", "/a/c", "/a", "/z/1/p", "/z/0"],
            in: #"{"a":{"c":1,"b":{"b":2}},"z":["x",{"q":[],"p":-3.5}]}"#
        )
        #expect(found == ["container", "1.0", "container", "-3.5", "'x'"])
    }

    @Test(
        "keys are compared unescaped, byte for byte (FR-39, P-17)",
        arguments: [
            ("/em:0/total_act_power", #"{"em:0":{"total_act_power":-812.4}}"#, "-812.4"),
            ("/PM2.5", #"{"PM2.5":3}"#, "3.0"),
            ("/ph-a/p", #"{"ph-a":{"p":1}}"#, "1.0"),
            ("/1/activePower", #"[{"activePower":1},{"activePower":-2}]"#, "-2.0"),
            (#"/a"b"#, #"{"a\"b":4}"#, "4.0"),
            ("/", #"{"":5}"#, "5.0"),
            ("//x", #"{"":{"x":5}}"#, "5.0"),
            ("/ab", #"{"a":1,"abc":2,"\u0061b":3}"#, "3.0"),
            ("/\u{E9}", "{\"e\u{301}\":1,\"\u{E9}\":2}", "2.0"),
            ("/e\u{301}", "{\"e\u{301}\":1,\"\u{E9}\":2}", "1.0"),
            ("/\u{E9}", #"{"\u00e9":7}"#, "7.0"),
            ("/Power/1", #"{"Power":[52,5],"Voltage":235}"#, "5.0"),
            (#"/\"#, #"{"\\":6}"#, "6.0"),
        ]
    )
    func keys(pointer: String, json: String, value: String) throws {
        #expect(try read([pointer], in: json) == [value])
    }

    @Test("absent, null, booleans, strings, containers and words are told apart")
    func kinds() throws {
        let json = #"{"n":null,"t":true,"f":false,"s":"a\nb","o":{},"a":[],"w":NaN,"z":01,"big":1e400, "x" : 1 }"#
        #expect(
            try read(["/n", "/t", "/f", "/s", "/o", "/a", "/w", "/z", "/big", "/x", "/y"], in: json)
                == [
                    "null", "bool", "bool", "'a\nb'", "container", "container", "word NaN", "word 01", "word 1e400",
                    "1.0", "-",
                ]
        )
    }

    @Test("of two members with one key the last counts")
    func duplicates() throws {
        #expect(try read(["/a", "/b/c"], in: #"{"a":1,"b":{"c":3},"a":2}"#) == ["2.0", "3.0"])
    }

    @Test("a member that nobody asked for may be broken (P-05)")
    func brokenElsewhere() throws {
        #expect(try read(["/totalpwr"], in: #"{"totalpwr":1.7,"freq":inf}"#) == ["1.7"])
        #expect(try read(["/totalpwr"], in: #"{"freq":-inf,"x":1e999,"y":+,"z":"\q","totalpwr":1.7}"#) == ["1.7"])
        #expect(try read(["/p"], in: #"{"\ud800":1,"p":2}"#) == ["2.0"])
    }

    @Test(
        "what is not one JSON object or array is no JSON",
        arguments: [
            "", "1", "null", "\"a\"", "offline", "{", "[", "{\"p\":1", "[1", "{\"p\":1]", "{\"p\":1}}",
            "{\"p\":1}{\"p\":2}",
            "{\"p\":1} x", "{\"p\" 1}", "{\"p\":1 \"q\":2}", "{\"p\":\"", "{p:1}", "<p>1</p>", "p:1;q:2", "{\"p\":1}\0",
            String(repeating: "[", count: 200_000), String(repeating: "{\"a\":", count: 50_000),
        ]
    )
    func noJSON(json: String) throws {
        #expect(try read(["/p"], in: json) == nil)
    }

    @Test("deep nesting beside and around the value is no trouble")
    func deep() throws {
        let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
        #expect(try read(["/p"], in: "{\"d\":\(deep),\"p\":1}") == ["1.0"])
        #expect(try read(["/0/0/0/0"], in: deep) == ["container"])
    }

    @Test("a long payload leaves nothing behind in a shorter one")
    func reuse() throws {
        let reader = PayloadReader()
        let plan = reader.makePlan(for: [try JSONPointer("/p")])
        for length in [10, 5_000, 3, 100_000, 1] {
            let json = "{\"x\":\"" + String(repeating: "}", count: length) + "\",\"p\":\(length)}"
            let found = withBytes(json) { reader.read($0, plan: plan).map { describe($0[0]) } }
            #expect(found == "\(Double(length))")
        }
    }

    @Test("random bytes never crash the reader")
    func fuzz() throws {
        let reader = PayloadReader()
        let plan = reader.makePlan(for: try ["/a", "/a/0", "/b/c", "/0/a", ""].map { try JSONPointer($0) })
        var random = SplitMix(seed: 99)
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"a\"", "\"b\"", "\"c\"", "1", "-", "null", "nul", "\"", "\\", " ", "\u{FF}",
            "é",
        ]
        for _ in 0..<20_000 {
            var json: [UInt8] = [Bool.random(using: &random) ? 0x7B : 0x5B]
            for _ in 0..<Int.random(in: 0...24, using: &random) {
                json += Array((pieces.randomElement(using: &random) ?? "").utf8)
                if Int.random(in: 0..<20, using: &random) == 0 {
                    json.append(UInt8.random(in: 0...255, using: &random))
                }
            }
            json.withUnsafeBytes { bytes in
                guard let values = reader.read(bytes, plan: plan) else { return }
                for slot in 0..<5 { _ = describe(values[slot]) }
            }
        }
    }

    private func read(_ pointers: [String], in json: String) throws -> [String]? {
        let reader = PayloadReader()
        let plan = reader.makePlan(for: try pointers.map { try JSONPointer($0) })
        return withBytes(json) { bytes in
            reader.read(bytes, plan: plan).map { values in pointers.indices.map { describe(values[$0]) } }
        }
    }

    private func describe(_ scalar: PayloadScalar) -> String {
        let text = String(decoding: scalar.text, as: UTF8.self)
        return switch scalar.kind {
        case .absent: "-"
        case .null: "null"
        case .number(let value): "\(value)"
        case .string: "'\(text)'"
        case .boolean: "bool"
        case .container: "container"
        case .word: "word \(text)"
        }
    }
}
