import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("FR-55: the clock of a box without a battery, through the whole bridge")
struct ClockTests {
    private static let configuration = MidnightTests.configuration("Europe/Berlin")

    /// What a run left at 23:55 in Berlin on 2026-05-04, with 6.2 kWh of 8006.2 imported and 3.5 kWh in the house.
    private func kept() throws -> DayTotals.State {
        let saved = try utc("2026-05-04", "21:55")
        return DayTotals.State(
            day: try #require(LocalDay("2026-05-04")),
            saved: saved,
            counters: [
                DayTotals.State.Counter(
                    reading: "grid_in",
                    member: "",
                    state: CounterTotal.State(
                        total: 6.2,
                        isKnown: true,
                        mark: CounterTotal.State.Mark(value: 8006.2, seen: saved, risen: saved)
                    )
                )
            ],
            integrals: [DayTotals.State.Integral(name: "power.output", total: 3.5)]
        )
    }

    private func boot(_ date: String, _ clock: String) throws -> Home {
        var home = try Home(
            Self.configuration,
            restoring: kept(),
            at: Moment(uptime: .seconds(20), wall: utc(date, clock))
        )
        home.send("t/pv", "0")
        home.send("t/grid", "360")
        home.send("t/grid_in", "8006.3")
        return home
    }

    @Test("It boots an hour before the last stop, and jumps over midnight: one change of day, no energy of the jump")
    func lastShutdown() throws {
        var home = try boot("2026-05-04", "20:58")
        home.pass(.seconds(40))
        #expect(abs(try #require(home["exchange", "total"]) - 6.3) < 1e-9)
        home.setClock(try utc("2026-05-05", "05:15"))
        home.pass(.seconds(140))
        #expect(Set(home.closed.map(\.day.description)) == ["2026-05-04"])
        #expect(home.keepings.count { !$0.closing.isEmpty } == 1)
        let closed = Dictionary(uniqueKeysWithValues: home.closed.map { ($0.name, $0.total) })
        #expect(abs(try #require(closed["grid_in"]) - 6.3) < 1e-9)
        #expect(abs(try #require(closed["power.output"]) - 3.5) < 0.02)
        #expect(home["exchange", "total"] == 0)
        #expect(try #require(home["output", "total"]) <= 0.02)
        home.send("t/grid_in", "8006.5")
        home.pass(.seconds(120))
        #expect(abs(try #require(home["exchange", "total"]) - 0.2) < 1e-9)
    }

    @Test("In 1970 nothing is kept or shown; once it is set, all is there without another message")
    func epoch() throws {
        var home = try boot("1970-01-01", "00:00:20")
        home.pass(.seconds(1800))
        #expect(home.keepings.isEmpty)
        #expect(home["exchange", "rate"] == 360)
        #expect(home["exchange", "total"] == nil)
        home.setClock(try utc("2026-05-04", "21:59"))
        home.pass(.seconds(50))
        home.setClock(try utc("2026-05-04", "21:59:10"))
        home.pass(.seconds(45))
        #expect(abs(try #require(home["exchange", "total"]) - 6.3) < 1e-9)
        #expect(home.closed.isEmpty)
        home.stop()
        let kept = try #require(home.keepings.last?.state)
        #expect(kept.day.description == "2026-05-04")
        // What was drawn before the clock was set is nobody's.
        #expect(abs(try #require(kept.integrals.first?.total) - 3.5) <= 0.36 * 100 / 3600)
    }

    @Test(
        "Before the moment of the kept state, it is neither believed nor overwritten",
        arguments: [("2025-06-01", "10:00"), ("2026-05-03", "23:59"), ("2026-05-04", "19:30")]
    )
    func buildDate(date: String, clock: String) throws {
        var home = try boot(date, clock)
        home.pass(.seconds(1200))
        home.stop()
        #expect(home.keepings.isEmpty)
        #expect(home["exchange", "total"] == 0)
        home.send("t/grid_in", "8006.4")
        home.setClock(try utc("2026-05-05", "05:15"))
        home.pass(.seconds(180))
        #expect(Set(home.closed.map(\.day.description)) == ["2026-05-04"])
        #expect(home.closed.first { $0.name == "grid_in" }?.total == 6.2)
        #expect(home.closed.first { $0.name == "power.output" }?.total == 3.5)
        #expect(home["exchange", "total"] == 0)
        // The same on the day itself goes on where it was.
        home = try boot(date, clock)
        home.pass(.seconds(60))
        home.setClock(try utc("2026-05-04", "21:57"))
        home.pass(.seconds(125))
        #expect(home.closed.isEmpty)
        #expect(abs(try #require(home["exchange", "total"]) - 6.3) < 1e-9)
        #expect(home.log.count == 1)
    }

    @Test("FR-24: a state of the future is as none, is told of once, and does not stop the keeping for good")
    func future() throws {
        var home = try boot("2026-03-01", "10:00")
        home.pass(.seconds(60))
        home.send("t/grid_in", "8006.8")
        home.pass(.seconds(3000))
        #expect(home["exchange", "total"] == 0.5)
        #expect(home.keepings.isEmpty)
        home.pass(.seconds(1000))
        let kept = try #require(home.keepings.last?.state)
        #expect(kept.day.description == "2026-03-01")
        #expect(abs(try #require(kept.counters.first?.state.total) - 0.5) < 1e-9)
        #expect(
            home.log.map(\.message).filter { !$0.hasPrefix("Nothing has come yet") } == [
                "The kept totals are of 2026-05-04T21:55:00Z, which the clock has not reached. They are left alone until it "
                    + "is set, and dropped if it is not within an hour."
            ]
        )
    }

    @Test("A step back of an hour over midnight rolls nothing back, and nothing twice")
    func stepBack() throws {
        var home = try boot("2026-05-04", "21:58")
        home.pass(.seconds(600))
        home.send("t/grid_in", "8006.4")
        home.pass(.seconds(65))
        #expect(home.closed.count { $0.name == "grid_in" } == 1)
        #expect(abs(try #require(home["exchange", "total"]) - 0.1) < 1e-9)
        home.setClock(home.now.wall - .seconds(3600))
        home.pass(.seconds(2 * 3600))
        #expect(home.closed.count { $0.name == "grid_in" } == 1)
        #expect(abs(try #require(home["exchange", "total"]) - 0.1) < 1e-9)
        // Stopped and started while it is behind.
        home.stop()
        home = try Home(
            Self.configuration,
            restoring: home.kept,
            at: Moment(uptime: .zero, wall: utc("2026-05-04", "21:50"))
        )
        home.send("t/grid", "0")
        home.pass(.seconds(65))
        #expect(abs(try #require(home["exchange", "total"]) - 0.1) < 1e-9)
    }
}
