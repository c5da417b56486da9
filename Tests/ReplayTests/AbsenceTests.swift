import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("Sources that are silent, gone or late, through the whole bridge")
struct AbsenceTests {
    private func home(_ readings: [String], _ slots: [String], at clock: String = "10:00") throws -> Home {
        try Home(
            Home.configuration(readings: readings, slots: slots),
            at: Moment(uptime: .seconds(50), wall: utc("2026-05-05", clock))
        )
    }

    /// Half an hour of reports of one topic, every 10 s.
    private func report(_ home: inout Home, _ topic: String, _ payload: String, for span: Int = 1800) {
        for _ in 0..<(span / 10) {
            home.send(topic, payload)
            home.pass(.seconds(10))
        }
    }

    @Test("FR-26: a retained rate gives a picture, makes no energy, and expires although it is handed over again")
    func retained() throws {
        var home = try home(
            ["grid: { topic: t/grid, unit: W }", "house: { topic: t/house, unit: W }"],
            [
                "exchange: { name: Grid, rate: { import: grid }, total: integrate }",
                "output: { name: Home, rate: house }",
            ]
        )
        home.send("t/grid", "2150", retained: true)
        report(&home, "t/house", "500", for: 300)
        #expect(home["exchange", "rate"] == 2150)
        home.send("t/grid", "2150", retained: true)
        report(&home, "t/house", "500", for: 270)
        #expect(home["exchange", "rate"] == 2150)
        report(&home, "t/house", "500", for: 120)
        #expect(home.flow["exchange"] == nil)
        home.stop()
        #expect(try #require(home.keepings.last?.state).integrals.allSatisfy { $0.total == 0 })
    }

    @Test("FR-27: a rate that is silent for too long clears its slot and the balance once, and brings back both whole")
    func expiry() throws {
        var home = try home(
            [
                "pv: { topic: t/pv, unit: W }", "grid: { topic: t/grid, unit: W }",
                "day: { topic: t/day, unit: kWh, counts: today }",
            ],
            [
                "inputs: [{ name: Solar, icon: sun.max.fill, color: yellow, rate: pv, total: day }]",
                "exchange: { name: Grid, rate: { import: grid } }",
                "output: { name: Home, rate: balance, total: integrate }",
            ]
        )
        home.send("t/pv", "3100")
        home.send("t/day", "4.2")
        report(&home, "t/grid", "-2000", for: 300)
        let before = home.flow
        #expect(home["output", "rate"] == 1100)
        report(&home, "t/grid", "-2000")
        #expect(home.flow["inputs"] == nil)
        #expect(home.flow["output"] == nil)
        #expect(home["exchange", "rate"] == -2000)
        #expect(home.frames.count { $0.flow["inputs"] == nil } == 1)
        home.send("t/pv", "3100")
        report(&home, "t/grid", "-2000", for: 120)
        #expect(home.flow["inputs"] == before["inputs"])
        #expect(home["output", "rate"] == 1100)
        // Ten minutes until it expired, and two since it is back.
        #expect(abs(try #require(home["output", "total"]) - 1.1 * 720 / 3600) < 0.04)
    }

    @Test("FR-28: what only reports changes stays while its source is available")
    func availability() throws {
        var home = try home(
            [
                "level: { topic: ha/soc/state, unit: \"%\", available: { topic: ha/status } }",
                "pv: { topic: ha/pv/state, unit: W, available: { topic: ha/status } }",
                "battery: { topic: ha/battery/state, unit: W, available: { topic: ha/status } }",
            ],
            [
                "inputs: [{ name: Solar, rate: pv }]",
                "storage: { name: Battery, rate: { charging: battery }, level: level }",
            ]
        )
        home.send("ha/status", "online", retained: true)
        home.send("ha/soc/state", "100", retained: true)
        home.send("ha/pv/state", "0", retained: true)
        home.send("ha/battery/state", "0", retained: true)
        home.pass(.seconds(7 * 3600))
        #expect(home["storage", "level"] == 100)
        #expect(home["input", "rate"] == 0)
        home.send("ha/status", "offline")
        home.pass(.seconds(120))
        // The service refuses a flow without slots, so the last one stays.
        #expect(home.frames.count == 1)
    }

    @Test("FR-29: a slow level stays between its reports")
    func slowLevel() throws {
        var home = try home(
            ["level: { topic: t/soc, unit: \"%\" }", "battery: { topic: t/battery, unit: W }"],
            ["storage: { name: Battery, rate: { charging: battery }, level: level }"]
        )
        home.send("t/soc", "63")
        for step in 0..<300 {
            home.send("t/battery", "\(500 + step)")
            home.pass(.seconds(2))
        }
        home.send("t/soc", "64")
        home.pass(.seconds(120))
        let levels = home.frames.map { Home.number($0.flow, "storage", "level") }
        #expect(levels.dropLast().allSatisfy { $0 == 63 })
        #expect(levels.last == 64)
    }

    @Test("FR-30: unavailable and back with the same number adds nothing, and is never 0")
    func unavailable() throws {
        var home = try home(
            [
                "charge: { topic: t/chg, unit: kWh, counts: today }", "pv: { topic: t/pv, unit: W }",
                "house: { topic: t/house, unit: W }",
            ],
            ["inputs: [{ name: Solar, rate: pv }]", "output: { name: Home, rate: house, total: charge }"]
        )
        home.send("t/house", "100")
        home.send("t/pv", "unknown")
        for payload in ["5.2", "unavailable", "5.2"] {
            home.send("t/chg", payload)
            home.pass(.seconds(120))
            #expect(home["output", "total"] == 5.2)
        }
        #expect(home.flow["inputs"] == nil)
    }

    @Test("FR-31: solar that is offline is 0 where that is asked for, and the house stays known")
    func zeroAtNight() throws {
        var home = try home(
            [
                "pv: { topic: t/pv, unit: W, available: { topic: t/pv/status }, expired: zero }",
                "day: { topic: t/day, unit: kWh, counts: today, available: { topic: t/pv/status }, expired: zero }",
                "grid: { topic: t/grid, unit: W }", "battery: { topic: t/batt, unit: W }",
            ],
            [
                "inputs: [{ name: Solar, rate: pv, total: day }]",
                "storage: { name: Battery, rate: { charging: battery } }",
                "exchange: { name: Grid, rate: { import: grid } }",
                "output: { name: Home, rate: balance, total: integrate }",
            ],
            at: "19:00"
        )
        home.send("t/pv", "200")
        home.send("t/day", "12.4")
        home.send("t/grid", "220")
        home.send("t/batt", "0")
        home.pass(.seconds(120))
        home.send("t/pv/status", "offline")
        home.send("t/batt", "0")
        report(&home, "t/grid", "420", for: 600)
        #expect(home["input", "rate"] == 0)
        #expect(home["output", "rate"] == 420)
        // The day is not over.
        #expect(home["input", "total"] == 12.4)
    }

    @Test("FR-31: whoever starts at night hears nothing of the sun, and has 0 once that is old enough")
    func startAtNight() throws {
        for pv in ["topic: t/pv", "topic: t/pv/+, combine: sum"] {
            var home = try home(
                ["pv: { \(pv), unit: W, expires: 15m, expired: zero }", "grid: { topic: t/grid, unit: W }"],
                [
                    "inputs: [{ name: Solar, rate: pv }]", "exchange: { name: Grid, rate: { import: grid } }",
                    "output: { name: Home, rate: balance, total: integrate }",
                ],
                at: "23:00"
            )
            report(&home, "t/grid", "420", for: 880)
            #expect(home.flow["output"] == nil)
            report(&home, "t/grid", "420", for: 120)
            #expect(home["input", "rate"] == 0)
            #expect(home["output", "rate"] == 420)
        }
    }

    @Test(
        "FR-32: the energy of an inverter that is offline stays for its day, and ends with it",
        arguments: [
            [
                "sum: { topic: inverter/+/YieldDay, unit: Wh, counts: today, combine: sum }",
                "inputs: [{ name: Solar, rate: pv, total: sum }]",
            ],
            [
                "a: { topic: inverter/A/YieldDay, unit: Wh, counts: today, available: { topic: inverter/A/status } }",
                "b: { topic: inverter/B/YieldDay, unit: Wh, counts: today, available: { topic: inverter/B/status } }",
                "inputs: [{ name: Solar, rate: pv, total: { sum: [a, b] } }]",
            ],
        ]
    )
    func offlineMember(lines: [String]) throws {
        var home = try home(["pv: { topic: t/pv, unit: W, expires: never }"] + lines.dropLast(), lines.suffix(1))
        home.send("t/pv", "1000")
        home.send("inverter/A/status", "online")
        home.send("inverter/B/status", "online")
        home.send("inverter/A/YieldDay", "1200")
        home.send("inverter/B/YieldDay", "3200")
        home.pass(.seconds(120))
        #expect(home["input", "total"] == 4.4)
        // B is shaded for hours, and says so, in one way or another.
        home.send("inverter/B/status", "offline")
        home.send("inverter/B/YieldDay", "unavailable")
        for step in 1...24 {
            home.send("inverter/A/YieldDay", "\(1200 + step * 50)")
            home.pass(.seconds(600))
        }
        #expect(home["input", "total"] == 5.6)
        // Midnight: what B counted yesterday is not today's, though nothing has been heard of it since.
        home.pass(to: try utc("2026-05-05", "22:05"))
        #expect(home["input", "total"] == 0)
        home.send("inverter/A/YieldDay", "0")
        home.pass(to: try utc("2026-05-06", "05:00"))
        home.send("inverter/A/YieldDay", "100")
        home.pass(.seconds(120))
        #expect(home["input", "total"] == 0.1)
        // B wakes with yesterday's figure, then starts over.
        home.send("inverter/B/status", "online")
        home.send("inverter/B/YieldDay", "3200")
        home.pass(.seconds(120))
        #expect([0.1, nil].contains(home["input", "total"]))
        home.send("inverter/B/YieldDay", "0")
        home.pass(.seconds(120))
        home.send("inverter/B/YieldDay", "30")
        home.pass(.seconds(120))
        #expect(home["input", "total"] == 0.13)
        let closed = home.closed.reduce(0) { $0 + $1.total }
        #expect(abs(closed - 5.6) < 1e-9)
    }

    @Test("FR-32: an inverter that has never given a number does not freeze the others")
    func dumbMember() throws {
        var home = try home(
            [
                "pv: { topic: t/pv, unit: W, expires: never }",
                "sum: { topic: inverter/+/Total, unit: kWh, counts: lifetime, combine: sum }",
            ],
            ["inputs: [{ name: Solar, rate: pv, total: sum }]"]
        )
        home.send("t/pv", "1000")
        home.send("inverter/B/Total", "unavailable")
        for step in 0...10 {
            home.send("inverter/A/Total", "\(100 + Double(step) / 10)")
            home.pass(.seconds(360))
        }
        #expect(home["input", "total"] == 1)
    }

    @Test("FR-34: a logger's backlog neither moves a rate nor a total")
    func backlog() throws {
        func record(_ buffered: String, _ power: Double, _ energy: Double) -> String {
            "{\"buffered\":\"\(buffered)\",\"values\":{\"pvpowerin\":\(power),\"eactoday\":\(energy)}}"
        }
        for condition in [", only_if: { path: /buffered, equals: \"no\" }", ""] {
            var home = try home(
                [
                    "pv: { topic: energy/grott, path: /values/pvpowerin, unit: W, scale: 0.1\(condition) }",
                    "day: { topic: energy/grott, path: /values/eactoday, unit: kWh, scale: 0.1, counts: today\(condition) }",
                ],
                ["inputs: [{ name: Solar, rate: pv, total: day }]"]
            )
            home.send("energy/grott", record("no", 31930, 120))
            home.pass(.seconds(120))
            for step in 0..<60 {
                home.send("energy/grott", record("yes", 1200, 10 + Double(step)))
                home.pass(.milliseconds(100))
                home.send("energy/grott", record("no", 31930, 120))
                home.pass(.milliseconds(900))
            }
            home.send("energy/grott", record("no", 31940, 121))
            home.pass(.seconds(120))
            #expect(home["input", "rate"] == 3194)
            #expect(home["input", "total"] == 12.1)
            if !condition.isEmpty { #expect(home.frames.allSatisfy { Home.number($0.flow, "input", "rate") != 120 }) }
        }
    }
}
