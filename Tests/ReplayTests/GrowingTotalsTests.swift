import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("Totals that grow though no reading changes")
struct GrowingTotalsTests {
    private static let configuration = Home.configuration(
        readings: ["house: { topic: t/house, unit: W, available: { topic: t/status } }"],
        slots: ["output: { name: Home, rate: house, total: integrate }"]
    )

    private func home() throws -> Home {
        try Home(Self.configuration, at: Moment(uptime: .zero, wall: utc("2026-05-05", "10:00")))
    }

    @Test("FR-25: equal messages integrate, and the phone is told")
    func equalMessages() throws {
        var home = try home()
        for _ in 0..<360 {
            home.send("t/house", "500")
            home.pass(.seconds(10))
        }
        #expect(abs(try #require(home["output", "total"]) - 0.5) <= 0.02)
        home.stop()
        #expect(home["output", "total"] == 0.5)
        #expect(abs(try #require(home.kept?.integrals.first?.total) - 0.5) < 1e-9)
    }

    @Test("FR-28: a source that only reports changes integrates while it is available, and is kept and shown")
    func silence() throws {
        var home = try home()
        home.send("t/status", "online")
        home.send("t/house", "500")
        home.pass(.seconds(4 * 3600))
        #expect(abs(try #require(home["output", "total"]) - 2) <= 0.02)
        let times = home.keepings.map(\.at.uptime)
        for (earlier, later) in zip([.zero] + times, times + [home.now.uptime]) {
            #expect(later - earlier <= .seconds(300))
        }
        #expect(times.count <= 4 * 12)
        home.pass(.seconds(360))
        home.stop()
        let total = try #require(home.kept?.integrals.first?.total)
        #expect(abs(total - 2.05) < 1e-9)
    }

    @Test("Nothing is kept while nothing happens")
    func rest() throws {
        var home = try home()
        home.send("t/status", "online")
        home.send("t/house", "0")
        home.pass(.seconds(600))
        let count = home.keepings.count
        home.pass(.seconds(10 * 3600))
        #expect(home.keepings.count == count)
    }

    @Test("A total that becomes known by an equal message is shown")
    func knownByTime() throws {
        let configuration = Home.configuration(
            readings: [
                "pv: { topic: t/pv, unit: W, expires: never }", "day: { topic: t/day, unit: kWh, counts: today }",
            ],
            slots: ["inputs: [{ name: Solar, rate: pv, total: day }]"]
        )
        // A retained figure might be yesterday's; by mid-morning it is not.
        var home = try Home(configuration, at: Moment(uptime: .zero, wall: utc("2026-05-05", "06:00")))
        home.send("t/pv", "500", retained: true)
        home.send("t/day", "1.2", retained: true)
        home.pass(.seconds(3600))
        #expect(home["input", "rate"] == 500)
        #expect(home["input", "total"] == nil)
        home.pass(to: try utc("2026-05-05", "08:05"))
        home.send("t/day", "1.2")
        home.pass(.seconds(120))
        #expect(home["input", "total"] == 1.2)
    }
}
