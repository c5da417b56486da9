import Testing

@testable import Readings

@Suite("Times on the wire")
struct TimeSuite {
    @Test(
        "a point in time is told by seconds, milliseconds or a date and time",
        arguments: [
            ("1773921600", 1_773_921_600),
            ("1773921600.5", 1_773_921_600.5),
            ("1773921600000", 1_773_921_600),
            ("1773921600500", 1_773_921_600.5),
            ("2026-03-19T12:00:00Z", 1_773_921_600),
            ("2026-03-19T13:00:00+01:00", 1_773_921_600),
            // Without an offset it is local; this bench's clocks are an hour ahead of UTC.
            ("2026-03-19 13:00:00", 1_773_921_600),
            ("2026-03-19T13:00", 1_773_921_600),
            ("2026-03-19 13:00:00.25", 1_773_921_600.25),
            ("2026-03-19T13:00Z", 1_773_925_200),
        ] as [(String, Double)]
    )
    func timestamps(payload: String, expected: Double) throws {
        var bench = Bench(try .reading(unit: "timestamp"))
        bench.readings = Readings([try .reading(unit: "timestamp")], at: bench.now.uptime) { $0 - 3600 }
        bench.send("t", payload)
        #expect(bench.value == expected)
    }

    @Test(
        "what is no point in time is unknown",
        arguments: [
            "12:00", "2026-03-19", "2026-02-30 12:00:00", "2026-03-19 24:00:00", "tomorrow", "nan",
            "2026-03-19 13:0", "19.03.2026 12:00",
        ]
    )
    func noTimestamp(payload: String) throws {
        var bench = Bench(try .reading(unit: "timestamp"))
        bench.readings = Readings([try .reading(unit: "timestamp")], at: bench.now.uptime) { $0 - 3600 }
        bench.send("t", payload)
        #expect(bench.value == nil)
    }

    @Test("a local time is unknown where no zone is")
    func noZone() throws {
        var bench = Bench(try .reading(unit: "timestamp"))
        bench.send("t", "2026-03-19 13:00:00")
        #expect(bench.value == nil)
    }

    @Test(
        "a span is a number in its unit, or hours, minutes and seconds",
        arguments: [
            ("s", "90", 90), ("min", "90", 5400), ("h", "1.5", 5400), ("s", "01:30:00", 5400),
            ("min", "01:30:00", 5400),
            ("h", "0:00:30", 30), ("s", "100:00:00", 360_000), ("s", "-00:00:10", -10), ("s", "00:00:12.5", 12.5),
            ("s", "\"00:02:00\"", 120),
        ] as [(String, String, Double)]
    )
    func spans(unit: String, payload: String, expected: Double) throws {
        var bench = Bench(try .reading(unit: unit))
        bench.send("t", payload)
        #expect(bench.value.map { ($0 - expected).magnitude < 1e-9 } == true)
    }

    @Test(
        "what could be two spans, or none, is unknown",
        arguments: [
            "12:30", "00:60:00", "00:00:60", "1:2:3", ":00:00", "00:00:", "a:00:00", "1e1:00:00", "00:00:1e1",
            "00:+1:00",
            "1.5:00:00", "--00:00:10",
        ]
    )
    func noSpan(payload: String) throws {
        var bench = Bench(try .reading(unit: "s"))
        bench.send("t", payload)
        #expect(bench.value == nil)
    }

    @Test("no other unit takes a clock for a number")
    func otherUnits() throws {
        var bench = Bench(try .reading(unit: "W"))
        bench.send("t", "00:01:00")
        #expect(bench.value == nil)
    }

    @Test("a value is as old as the message that it rests on, retained or live")
    func lastHeard() throws {
        var bench = Bench(try .reading(unit: "s"))
        #expect(bench.readings.lastHeard(0) == nil)
        bench.send("t", "60", retained: true)
        #expect(bench.readings.lastHeard(0) == .seconds(1000))
        bench.wait(5)
        bench.send("t", "60")
        #expect(bench.readings.lastHeard(0) == .seconds(1005))
        bench.send("t", "unavailable")
        #expect(bench.readings.lastHeard(0) == nil)
    }
}
