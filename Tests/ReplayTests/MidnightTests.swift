import Bridge
import EnergyFlow
import Readings
import Testing
import TimeZones
import Widgets

@Suite("Midnight, through the whole bridge")
struct MidnightTests {
    struct Crossing: CustomTestStringConvertible {
        let zone: String
        let dates: [String]
        /// The first instants of the last two dates, in UTC; the first date is over at the first of them.
        let rolls: [String]
        /// The length of the middle date in hours.
        let hours: Double

        init(_ zone: String, _ dates: [String], _ rolls: [String], hours: Double) {
            self.zone = zone
            self.dates = dates
            self.rolls = rolls
            self.hours = hours
        }

        var testDescription: String { "\(zone) \(dates[1])" }
    }

    static let crossings = [
        Crossing(
            "Europe/Berlin",
            ["2026-03-28", "2026-03-29", "2026-03-30"],
            ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
            hours: 23
        ),
        Crossing(
            "Europe/Berlin",
            ["2026-10-24", "2026-10-25", "2026-10-26"],
            ["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
            hours: 25
        ),
        Crossing(
            "America/New_York",
            ["2026-03-07", "2026-03-08", "2026-03-09"],
            ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
            hours: 23
        ),
        Crossing(
            "America/New_York",
            ["2026-10-31", "2026-11-01", "2026-11-02"],
            ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
            hours: 25
        ),
        // Midnight is skipped: the date begins at 01:00.
        Crossing(
            "Africa/Cairo",
            ["2026-04-23", "2026-04-24", "2026-04-25"],
            ["2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"],
            hours: 23
        ),
        Crossing(
            "America/Havana",
            ["2026-03-07", "2026-03-08", "2026-03-09"],
            ["2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
            hours: 23
        ),
        // Midnight comes twice.
        Crossing(
            "America/Havana",
            ["2026-10-31", "2026-11-01", "2026-11-02"],
            ["2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
            hours: 25
        ),
    ]

    static func configuration(_ zone: String) -> String {
        Home.configuration(
            zone: zone,
            readings: [
                "pv: { topic: t/pv, unit: W, expires: never }",
                "grid: { topic: t/grid, unit: W, expires: never }",
                "pv_today: { topic: t/pv_today, unit: kWh, counts: today }",
                "grid_in: { topic: t/grid_in, unit: kWh, counts: lifetime }",
            ],
            slots: [
                "inputs: [{ name: Solar, rate: pv, total: pv_today }]",
                "exchange: { name: Grid, rate: { import: grid }, total: grid_in }",
                "output: { name: Home, rate: balance, total: integrate }",
            ]
        )
    }

    @Test("FR-16, FR-17: one roll a local day, at its first instant, without a message", arguments: crossings)
    func oneRoll(crossing: Crossing) throws {
        let rolls = try crossing.rolls.map { try #require(RFC3339.parse($0)) }
        let start = Moment(uptime: .seconds(77), wall: rolls[0] - .seconds(12 * 3600 + 300))
        var home = try Home(MidnightTests.configuration(crossing.zone), at: start)
        let end = rolls[1] + .seconds(12 * 3600)
        var lifetime = 5000.0
        var today = 0.0
        while home.now.wall < end {
            home.send("t/pv", "600")
            home.send("t/grid", "400")
            home.send("t/grid_in", "\(lifetime)")
            home.send("t/pv_today", "\(today)")
            // Messages come at 5, 15, 25 ... minutes past: none at midnight.
            home.pass(.seconds(600))
            lifetime += 0.4 / 6
            today += 0.6 / 6
            // The source counts UTC days, and notices at the first reading after.
            if Int(home.now.wall.inSeconds) % 86_400 < 600 { today = 0 }
        }

        // Closed at the first instant, and nothing else is.
        let closings = home.keepings.filter { !$0.closing.isEmpty }
        #expect(closings.map(\.at.wall) == rolls)
        #expect(closings.map { Set($0.closing.map(\.day.description)) } == crossing.dates.prefix(2).map { [$0] })
        #expect(closings.allSatisfy { Set($0.closing.map(\.name)).count == 3 && $0.closing.count == 3 })

        // What the phone shows falls once a day, to 0, within what a frame may take.
        for (slot, powerInKilowatts) in [("input", 0.6), ("exchange", 0.4), ("output", 1.0)] {
            let shown = home.frames.compactMap { frame in
                Home.number(frame.flow, slot, "total").map { (at: frame.at.wall, total: $0) }
            }
            let falls = zip(shown, shown.dropFirst()).filter { $0.total > $1.total }.map(\.1)
            #expect(falls.count == 2, "\(slot): \(falls)")
            for (fall, roll) in zip(falls, rolls) {
                #expect(fall.total <= 0.02, "\(slot)")
                #expect(fall.at >= roll && fall.at <= roll + .seconds(75), "\(slot)")
            }
            // The ten minutes over midnight are counted where the reading comes; integrals are cut at the instant.
            let name = ["input": "pv_today", "exchange": "grid_in", "output": "power.output"][slot]
            let whole = try #require(closings.last?.closing.first { $0.name == name })
            let slack = slot == "output" ? 1e-6 : powerInKilowatts / 6 + 1e-6
            #expect(abs(whole.total - powerInKilowatts * crossing.hours) <= slack, "\(slot): \(whole.total)")
        }
    }

    @Test("A small total falls at midnight too, though it is within what nobody would miss")
    func smallTotal() throws {
        let configuration = Home.configuration(
            push: "{ settle: 10s }",
            readings: ["house: { topic: t/house, unit: W }"],
            slots: ["output: { name: Home, rate: house, total: integrate }"]
        )
        var home = try Home(configuration, at: Moment(uptime: .zero, wall: utc("2026-05-05", "21:57:05")))
        // The frame of the new day waits for the report at five past, and has its first hundredth then.
        for step in 0..<30 {
            home.send("t/house", step == 6 ? "5000" : "6000")
            home.pass(.seconds(10))
        }
        let midnight = try utc("2026-05-05", "22:00")
        let totals = home.frames.map { (at: $0.at.wall, total: Home.number($0.flow, "output", "total") ?? .nan) }
        #expect(totals.last { $0.at < midnight }.map { $0.total < 0.5 } == true)
        #expect(totals.first { $0.at >= midnight }?.total == 0.01)
    }

    @Test("A message that comes before the bridge has looked at the clock does not hide the midnight")
    func messageFirst() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "21:50"))
        var home = try Home(MidnightTests.configuration("Europe/Berlin"), at: start)
        home.send("t/pv", "600")
        home.send("t/grid", "400")
        home.send("t/grid_in", "100")
        home.pass(.seconds(300))
        home.send("t/grid_in", "100.4")
        home.pass(.seconds(120))
        #expect(home["exchange", "total"] == 0.4)
        // The clock is set forward over midnight, and the next thing that happens is a message.
        home.setClock(try utc("2026-05-05", "22:10"))
        home.send("t/pv", "600")
        #expect(home.closed.map(\.day.description) == ["2026-05-05", "2026-05-05"])
        home.pass(.seconds(75))
        #expect(home["exchange", "total"] == 0)
        #expect(try #require(home["output", "total"]) <= 0.03)
    }
}
