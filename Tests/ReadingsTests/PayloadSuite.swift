import Delivery
import Testing

@testable import Readings

@Suite("From a payload to a value")
struct PayloadSuite {
    @Test(
        "a plain payload is a number, whatever stands around it (P-06, P-07, P-08, P-09, P-10, P-11, FR-63)",
        arguments: [
            ([0x34, 0x32], 42.0),
            ([0x34, 0x32, 0x00], 42),
            ([0x34, 0x32, 0x0D, 0x0A], 42),
            ([0x20, 0x34, 0x32, 0x20], 42),
            ([0xEF, 0xBB, 0xBF, 0x34, 0x32], 42),
            ([0x34, 0x32, 0x00, 0x0A, 0x00], 42),
            (Array("\"0.300\"".utf8), 0.3),
            (Array("\" 5 \"".utf8), 5),
            (Array("10.600000000000001".utf8), 10.600000000000001),
            (Array("1.23457e+06".utf8), 1_234_570),
            (Array("228.460000".utf8), 228.46),
            (Array("-1200.0".utf8), -1200),
        ] as [([UInt8], Double)]
    )
    func plain(payload: [UInt8], value: Double) throws {
        var bench = Bench(try .reading())
        bench.send("t", payload)
        #expect(bench.value == value)
        #expect(bench.takeEvents() == [ReadingEvent(reading: 0, isFresh: true, changed: true, member: 0)])
        #expect(bench.reasons() == [])
    }

    @Test(
        "a JSON payload gives the number at the path (P-02, P-07, P-15, P-16, FR-39, FR-63)",
        arguments: [
            ("/value", #"{"value": 936}"#, 936.0),
            ("/value", #"{"max":1,"min":0,"value":1}"#, 1),
            ("/p", #"{"p":1}"# + "\0", 1),
            ("/p", "\u{FEFF}{\"p\":1}\r\n", 1),
            ("/p", #"{"p":"0.300"}"#, 0.3),
            ("/p", #"{"p":" +5 "}"#, 5),
            ("/p", #"{"p":007}"#, 7),
            ("/Power/1", #"{"Power":[52,5],"Voltage":235}"#, 5),
            ("/1/activePower", #"[{"activePower":1},{"activePower":-2}]"#, -2),
            ("/totalpwr", #"{"totalpwr":1.7,"freq":inf}"#, 1.7),
            ("/em:0/total_act_power", #"{"em:0":{"total_act_power":-812.4}}"#, -812.4),
            ("", "17", 17),
        ]
    )
    func json(path: String, payload: String, value: Double) throws {
        var bench = Bench(try .reading(path: path))
        bench.send("t", payload)
        #expect(bench.value == value)
        #expect(bench.reasons() == [])
    }

    @Test(
        "no data makes a value unknown at once, without a word (P-01, P-03, P-04, FR-30, FR-37)",
        arguments: [
            "", " ", "\0", "\u{FEFF}", "null", "undefined", "unavailable", "unknown", "Unknown", "none", "None", "NULL",
            "\"unavailable\"", "n/a", " null\n",
        ]
    )
    func noData(payload: String) throws {
        for path in [nil, "/power"] {
            var bench = Bench(try .reading(path: path))
            bench.send("t", path == nil ? "5" : #"{"power":5}"#)
            #expect(bench.value == 5)
            _ = bench.takeEvents()
            bench.send("t", payload)
            #expect(bench.value == nil)
            #expect(bench.takeEvents() == [ReadingEvent(reading: 0, isFresh: false, changed: true, member: 0)])
            #expect(bench.reasons() == [])
        }
    }

    @Test(
        "no data in the place of the value is no data (P-02, FR-38)",
        arguments: [
            #"{"power":null,"energy":12.3}"#, #"{"power":"unavailable"}"#, #"{"power":"null"}"#,
            #"{"power":undefined}"#,
        ]
    )
    func noDataInside(payload: String) throws {
        var bench = Bench(try .reading(path: "/power"))
        bench.send("t", #"{"power":5}"#)
        bench.send("t", payload)
        #expect(bench.value == nil)
        #expect(bench.reasons() == [])
    }

    @Test(
        "what is no number is no data, and told (P-05, P-12, P-13, P-14, P-19, P-27, FR-10, FR-36, FR-40, FR-41)",
        arguments: [
            ("nan", "'nan' is not a finite number."),
            ("NaN", "'NaN' is not a finite number."),
            ("-inf", "'-inf' is not a finite number."),
            ("+Inf", "'+Inf' is not a finite number."),
            ("Infinity", "'Infinity' is not a finite number."),
            ("1e400", "'1e400' is no number."),
            ("0x10", "'0x10' is no number."),
            ("4\u{0}2", "'4?2' is no number."),
            ("running", "'running' is no number."),
            ("-----W--", "'-----W--' is no number."),
            ("true", "'true' is no number."),
            (#"{"a":1}"#, #"'{"a":1}' is no number."#),
            ("500,20", "'500,20' has a decimal comma, which is read only with 'decimal: comma'."),
            ("23,9", "'23,9' has a decimal comma, which is read only with 'decimal: comma'."),
            ("1,000", "'1,000' has a decimal comma, which is read only with 'decimal: comma'."),
            ("1.234,5", "'1.234,5' has a decimal comma, which is read only with 'decimal: comma'."),
            ("1 234,5", "'1 234,5' has text behind the number; a unit belongs into 'unit'."),
            ("512 W", "'512 W' has text behind the number; a unit belongs into 'unit'."),
            ("1.00 kW", "'1.00 kW' has text behind the number; a unit belongs into 'unit'."),
            ("191.010 kWh", "'191.010 kWh' has text behind the number; a unit belongs into 'unit'."),
            ("100,200,300", "'100,200,300' is no number."),
            ("12W", "'12W' is no number."),
            ("<a>1</a>", "'<a>1</a>' is no number."),
            ("EToday:1;PACTot:2", "'EToday:1;PACTot:2' is no number."),
            ("\u{1B}[31m\nü", "'?[31m???' is no number."),
            (String(repeating: "x", count: 100), "'\(String(repeating: "x", count: 37))...' is no number."),
            (String(repeating: "x", count: 40), "'\(String(repeating: "x", count: 40))' is no number."),
        ]
    )
    func faults(payload: String, reason: String) throws {
        var bench = Bench(try .reading())
        bench.send("t", "5")
        bench.send("t", payload)
        #expect(bench.value == nil)
        #expect(bench.reasons() == [reason])
    }

    @Test(
        "what is no number in JSON is no data, and told (P-05, FR-36, FR-41)",
        arguments: [
            (#"{"power":NaN}"#, "'NaN' is not a finite number."),
            (#"{"power":-inf}"#, "'-inf' is not a finite number."),
            (#"{"power":1e400}"#, "'1e400' is no number."),
            (#"{"power":""}"#, "'' is no number."),
            (#"{"power":"running"}"#, "'running' is no number."),
            (#"{"power":true}"#, "At the path stands 'true', which is no number."),
            (#"{"power":{"a":1}}"#, "At the path stands an object or array, which is no number."),
            (#"{"power":[1]}"#, "At the path stands an object or array, which is no number."),
            ("5", "'5' is no JSON object or array, and the reading has a path."),
            ("running", "'running' is no JSON object or array, and the reading has a path."),
            (#"{"power":5"#, #"'{"power":5' is no JSON object or array, and the reading has a path."#),
        ]
    )
    func faultsInside(payload: String, reason: String) throws {
        var bench = Bench(try .reading(path: "/power"))
        bench.send("t", #"{"power":5}"#)
        bench.send("t", payload)
        #expect(bench.value == nil)
        #expect(bench.reasons() == [reason])
    }

    @Test("bytes that are no UTF-8 are no number")
    func invalidUTF8() throws {
        var bench = Bench(try .reading())
        bench.send("t", [0x00, 0xFF])
        #expect(bench.value == nil)
        #expect(bench.reasons() == ["'??' is no number."])
    }

    @Test("a decimal comma is read in text where it is asked for, and a point in bare JSON numbers (P-12)")
    func decimalComma() throws {
        var bench = Bench(
            try .reading { $0.decimal = .comma },
            try .reading(topic: "j", path: "/p") { $0.decimal = .comma }
        )
        bench.send("t", "500,20")
        #expect(bench.value == 500.2)
        bench.send("t", "1,000")
        #expect(bench.value == 1)
        bench.send("t", "1.234,5")
        #expect(bench.value == 1234.5)
        bench.send("t", "1.234")
        #expect(bench.value == nil)
        bench.send("j", #"{"p":"12,5"}"#)
        #expect(bench.readings.value(1) == 12.5)
        bench.send("j", #"{"p":1.234}"#)
        #expect(bench.readings.value(1) == 1.234)
    }

    @Test(
        "units are turned into their base unit (P-20, FR-09, FR-11)",
        arguments: [
            ("W", "9.66", 9.66), ("kW", "9.66", 9660), ("MW", "1.5", 1_500_000), ("mW", "7585180", 7585.18),
            ("Wh", "4231", 4.231), ("kWh", "1530.2", 1530.2), ("MWh", "2", 2000), ("%", "57", 57),
            ("fraction", "0.57", 57),
            ("s", "90", 90), ("min", "1.5", 90), ("h", "2", 7200), ("L/min", "3.5", 3.5), ("kW", "0.300", 300),
        ]
    )
    func units(unit: String, payload: String, value: Double) throws {
        var bench = Bench(try .reading(unit: unit))
        bench.send("t", payload)
        #expect(abs((bench.value ?? .nan) - value) < 1e-9)
    }

    @Test("scale is multiplied on the way in and composes with the unit (P-20, FR-01, FR-03)")
    func scale() throws {
        var bench = Bench(
            try .reading(unit: "kW") { $0.scale = -1 },
            try .reading(topic: "raw") { $0.scale = 0.1 }
        )
        bench.send("t", "0.850")
        bench.send("raw", "31930")
        #expect(bench.value == -850)
        #expect(bench.readings.value(1) == 3193)
    }

    @Test("zero has no sign, whatever turned it (P-25)")
    func zero() throws {
        var bench = Bench(try .reading { $0.scale = -1 })
        bench.send("t", "0")
        #expect(bench.value?.sign == .plus)
    }

    @Test("the unit named in the payload goes before the configured one (FR-10)")
    func unitPath() throws {
        var bench = Bench(try .reading(path: "/power") { $0.unitPath = try JSONPointer("/unit") })
        bench.send("t", #"{"power":999,"unit":"W"}"#)
        #expect(bench.value == 999)
        bench.send("t", #"{"power":1.00,"unit":"kW"}"#)
        #expect(bench.value == 1000)
        bench.send("t", #"{"power":7}"#)
        #expect(bench.value == 7)
        for unit in [#""kWh""#, #""watts""#, "7", "null", #""a unit whose name is rather long""#] {
            bench.send("t", #"{"power":1}"#)
            #expect(bench.value == 1)
            bench.send("t", "{\"power\":1,\"unit\":\(unit)}")
            #expect(bench.value == nil)
        }
        #expect(bench.reasons() == ["'kWh' is no unit of the same kind as the reading's."])
    }

    @Test("a direction word gives a magnitude its sign (FR-05)")
    func direction() throws {
        var bench = Bench(
            try .reading(path: "/power") {
                $0.direction = DirectionField(
                    path: try JSONPointer("/energy_flow"),
                    positive: ["consuming"],
                    negative: ["producing"]
                )
            }
        )
        bench.send("t", #"{"power":173,"energy_flow":"producing"}"#)
        #expect(bench.value == -173)
        bench.send("t", #"{"power":200,"energy_flow":"Consuming"}"#)
        #expect(bench.value == 200)
        bench.send("t", #"{"power":-60,"energy_flow":"producing"}"#)
        #expect(bench.value == -60)
        bench.send("t", #"{"energy_flow":"consuming"}"#)
        #expect(bench.value == -60)
        bench.send("t", #"{"power":173,"energy_flow":"idle"}"#)
        #expect(bench.value == nil)
        #expect(bench.reasons() == ["'idle' is none of the words for the direction."])
        bench.send("t", #"{"power":200,"energy_flow":"consuming"}"#)
        bench.send("t", #"{"power":173}"#)
        #expect(bench.value == nil)
    }

    @Test("a direction can be a number or a boolean")
    func directionScalars() throws {
        for (positive, negative) in [("1", "-1"), ("true", "false")] {
            var bench = Bench(
                try .reading(path: "/p") {
                    $0.direction = DirectionField(
                        path: try JSONPointer("/d"),
                        positive: [positive],
                        negative: [negative]
                    )
                }
            )
            bench.send("t", "{\"p\":5,\"d\":\(negative)}")
            #expect(bench.value == -5)
            bench.send("t", "{\"p\":5,\"d\":\(positive)}")
            #expect(bench.value == 5)
        }
    }

    @Test(
        "messages that do not fulfil the condition are as if never sent (P-21, FR-34)",
        arguments: [
            (#""no""#, "no", true), (#""yes""#, "no", false), ("0", "0", true), ("0.0", "0", true), ("1", "0", false),
            ("false", "false", true), ("true", "false", false), ("null", "null", true), ("{}", "", false),
            (#""NO""#, "no", false),
        ]
    )
    func condition(field: String, equals: String, isTaken: Bool) throws {
        var bench = Bench(
            try .reading(path: "/values/p") {
                $0.onlyIf = MessageCondition(path: try JSONPointer("/buffered"), equals: equals)
            }
        )
        bench.send("t", "{\"buffered\":\(field),\"values\":{\"p\":120}}")
        #expect(bench.value == (isTaken ? 120 : nil))
        _ = bench.takeEvents()
        bench.send("t", #"{"values":{"p":7}}"#)
        #expect(bench.value == (isTaken ? 120 : nil))
        #expect(bench.takeEvents() == [])
    }

    @Test(
        "times are unix seconds or milliseconds, or RFC 3339 with an offset (P-22)",
        arguments: [
            ("1757059829.08", 1_757_059_829.08), ("1729973193908", 1_729_973_193.908),
            ("2022-06-11T20:38:00Z", 1_654_979_880),
            ("2022-05-03T17:28:40+02:00", 1_651_591_720), ("2024-02-29 00:00:00.5-01:30", 1_709_170_200.5),
            ("1969-12-31T23:59:59z", -1), ("2000-03-01T00:00:00+00:00", 951_868_800),
        ]
    )
    func times(payload: String, seconds: Double) throws {
        var bench = Bench(
            try .reading(unit: "timestamp"),
            try .reading(topic: "j", path: "/t", unit: "timestamp")
        )
        bench.send("t", payload)
        #expect(bench.value == seconds)
        bench.send("j", "{\"t\":\"\(payload)\"}")
        #expect(bench.readings.value(1) == seconds)
    }

    @Test(
        "a time that could be any is none (P-22)",
        arguments: [
            "2018.02.04 23:17:01", "05/06/2026 12:00:00", "2022-06-11T20:38:00", "2022-13-01T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "2022-06-11T24:00:00Z", "2022-06-11T20:38:00+2:00", "2022-06-11", "2022-06-11T20:38:00.Z",
            "2022-06-11T20:38:00Zx", "soon",
        ]
    )
    func noTimes(payload: String) throws {
        var bench = Bench(try .reading(unit: "timestamp"))
        bench.send("t", payload)
        #expect(bench.value == nil)
        #expect(bench.reasons().count == 1)
    }

    @Test("a payload beyond the limit is skipped unread, and told (P-28)")
    func tooLarge() throws {
        var bench = Bench(try .reading(path: "/p"))
        bench.send("t", #"{"p":1}"#)
        bench.send("t", "{\"p\":2,\"x\":\"\(String(repeating: "x", count: Readings.maximumPayload))\"}")
        #expect(bench.value == 1)
        #expect(bench.reasons() == ["The payload is larger than 262144 bytes."])
        bench.send("t", "{\"p\":3,\"x\":\"\(String(repeating: "x", count: 262_000))\"}")
        #expect(bench.value == 3)
    }

    @Test("a megabyte of brackets is no JSON and no crash (FR-41)")
    func brackets() throws {
        var bench = Bench(try .reading(path: "/p"))
        bench.send("t", String(repeating: "[", count: 1_000_000))
        bench.send("t", String(repeating: "[", count: Readings.maximumPayload))
        #expect(bench.value == nil)
        #expect(bench.readings.takeProblems(at: bench.now).map(\.count) == [2])
    }

    @Test("fifteen thousand bad payloads make one line a minute, with their count (FR-36, FR-41)")
    func flood() throws {
        var bench = Bench(try .reading("soc"), try .reading("other", topic: "t"))
        for _ in 0..<15_000 { bench.send("t", "nan") }
        #expect(
            bench.readings.takeProblems(at: bench.now) == [
                PayloadProblem(topic: "t", reading: "soc", reason: "'nan' is not a finite number.", count: 30_000)
            ]
        )
        bench.send("t", "nan")
        bench.wait(59)
        #expect(bench.readings.takeProblems(at: bench.now) == [])
        bench.wait(1)
        #expect(bench.readings.takeProblems(at: bench.now).map(\.count) == [2])
        #expect(bench.readings.takeProblems(at: bench.now) == [])
    }

    @Test("random payloads never crash, and never give what is not finite")
    func fuzz() throws {
        let pointer = try JSONPointer("/p")
        var bench = Bench(
            try .reading(),
            try .reading(topic: "t", path: "/p", unit: "%") {
                $0.unitPath = try JSONPointer("/u")
                $0.direction = DirectionField(path: try JSONPointer("/d"), positive: ["a"], negative: ["b"])
            },
            try .reading(topic: "+", unit: "kWh") {
                $0.combine = .sum
                $0.decimal = .comma
            },
            try .reading(topic: "u", path: "/p/0") {
                $0.available = AvailabilitySource(topic: try TopicFilter("t"), path: pointer)
            },
            try .reading(topic: "t", unit: "timestamp")
        )
        var random = SplitMix(seed: 2026)
        let pieces = [
            "{\"p\":", "}", "1", "-", ".", ",", "e", "9", "\"", "nan", "null", " ", "\0", "\u{FEFF}", "[", "]",
            "\"u\":\"kW\"", "+", ":",
            "2022-06-11T20:38:00Z", "1e308", "0",
        ]
        for _ in 0..<30_000 {
            var payload: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                if Int.random(in: 0..<6, using: &random) == 0 {
                    payload.append(UInt8.random(in: 0...255, using: &random))
                } else {
                    payload += Array((pieces.randomElement(using: &random) ?? "").utf8)
                }
            }
            bench.send(Bool.random(using: &random) ? "t" : "u", payload, retained: Bool.random(using: &random))
            bench.wait(Double.random(in: 0...100, using: &random))
            for index in 0..<5 { #expect(bench.readings.value(index)?.isFinite != false, "seed 2026") }
        }
    }

    @Test("conditions are told apart by their bytes, though Unicode takes the texts for equal")
    func conditionBytes() throws {
        let names = ["Waschk\u{00FC}che", "Waschku\u{0308}che"]
        var bench = Bench(
            try .reading(topic: "a", path: "/power") {
                $0.onlyIf = MessageCondition(path: try JSONPointer("/name"), equals: names[0])
            },
            try .reading(topic: "b", path: "/power") {
                $0.onlyIf = MessageCondition(path: try JSONPointer("/name"), equals: names[1])
            }
        )
        bench.send("a", #"{"name":"\#(names[0])","power":1}"#)
        bench.send("b", #"{"name":"\#(names[1])","power":2}"#)
        #expect(bench.readings.value(0) == 1)
        #expect(bench.readings.value(1) == 2)
    }
}
