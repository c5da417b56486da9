import EnergyFlow
import Readings
import Testing
import TimeZones

/// The wall time of a civil date and UTC time.
func utc(_ date: String, _ clock: String = "00:00") throws -> Duration {
    let day = try #require(LocalDay(date))
    let parts = clock.split(separator: ":").compactMap { Int($0) }
    return .seconds(day.number * 86_400 + parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0))
}

func reading(
    _ name: String,
    unit: String,
    counts: CounterKind? = nil,
    expiry: Expiry? = nil
) throws -> ReadingDefinition {
    ReadingDefinition(
        name: name,
        topic: try TopicFilter("t/\(name)"),
        unit: ReadingUnit(unit),
        counts: counts,
        expiry: expiry
    )
}

/// One input with a counter total, the grid with an integrated one, and the house as the balance.
private struct Home {
    var totals: DayTotals
    var readings: [ReadingDefinition]
    var flow: FlowDefinition
    var calendar: LocalCalendar

    init(
        zone: String = "Europe/Berlin",
        kind: CounterKind = .lifetime,
        expiry: Expiry? = nil,
        restoring state: DayTotals.State? = nil,
        at now: Moment
    ) throws {
        readings = [
            try reading("pv", unit: "W"),
            try reading("grid", unit: "W"),
            try reading("yield", unit: "kWh", counts: kind, expiry: expiry),
            try reading("yield2", unit: "kWh", counts: kind, expiry: expiry),
        ]
        flow = FlowDefinition(
            inputs: [
                SlotDefinition(rate: .signed(ReadingSum([0]), reversed: false), total: .counter(ReadingSum([2]))),
                SlotDefinition(rate: .signed(ReadingSum([0]), reversed: false), total: .counter(ReadingSum([2, 3]))),
            ],
            exchange: SlotDefinition(rate: .signed(ReadingSum([1]), reversed: false), total: .integrate(.negative)),
            output: SlotDefinition(rate: .balance, total: .integrate(.positive))
        )
        calendar = try LocalCalendar(zone: zone)
        totals = DayTotals(
            readings: readings,
            flows: [DayTotals.Flow(name: "power", definition: flow)],
            calendar: calendar,
            restoring: state,
            at: now
        )
    }

    mutating func rates(pv: Double?, grid: Double?, at now: Moment, until: Duration? = nil) {
        let values = [pv, grid]
        totals.integrate(at: now) { index in
            values.indices.contains(index) ? values[index].map { DayTotals.Rate(value: $0, until: until) } : nil
        }
    }
}

@Suite("Day totals")
struct DayTotalsTests {
    @Test(
        "FR-17: one roll a local day, at its first instant, over the odd midnights of the year",
        arguments: [
            ("Europe/Berlin", "2026-03-28", ["2026-03-28 23:00", "2026-03-29 22:00"]),
            ("Europe/Berlin", "2026-10-24", ["2026-10-24 22:00", "2026-10-25 23:00"]),
            ("America/New_York", "2026-03-08", ["2026-03-08 05:00", "2026-03-09 04:00"]),
            ("America/New_York", "2026-11-01", ["2026-11-01 04:00", "2026-11-02 05:00"]),
            ("Africa/Cairo", "2026-04-23", ["2026-04-23 22:00", "2026-04-24 21:00"]),
            ("Asia/Beirut", "2026-03-28", ["2026-03-28 22:00", "2026-03-29 21:00"]),
            ("America/Santiago", "2026-09-06", ["2026-09-06 04:00", "2026-09-07 03:00"]),
            ("America/Havana", "2026-03-08", ["2026-03-08 05:00", "2026-03-09 04:00"]),
            ("America/Havana", "2026-11-01", ["2026-11-01 04:00", "2026-11-02 05:00"]),
        ]
    )
    func oneRollADay(zone: String, date: String, rolls: [String]) throws {
        let start = Moment(uptime: .zero, wall: try utc(date, "03:30") - .seconds(8 * 3600))
        var home = try Home(zone: zone, kind: .today, at: start)
        var counted = 100.0
        var seen: [Duration] = []
        var closed: [DayTotals.ClosedDay] = []
        home.totals.receive(counted, of: 2, isFresh: true, at: start)
        var minute = 0
        while seen.count < rolls.count + 1, minute < 4 * 1440 {
            minute += 1
            let now = start.advanced(by: .seconds(minute * 60))
            let day = home.totals.day
            home.totals.advance(to: now)
            if home.totals.day != day {
                seen.append(now.wall)
                #expect(home.totals.total(of: .input(0)) == 0)
            }
            closed += home.totals.takeClosedDays()
            if minute.isMultiple(of: 10) {
                counted += 0.1
                home.totals.receive(counted, of: 2, isFresh: true, at: now)
            }
        }
        let expected = try rolls.map { try utc(String($0.prefix(10)), String($0.suffix(5))) }
        let first = try #require(seen.firstIndex(of: expected[0]))
        #expect(Array(seen[first..<(first + 2)]) == expected)
        #expect(Set(closed.map(\.day)).count == closed.count)
        // The day between the two rolls has 23 or 25 hours of 0.6 kWh each; the reading at its end is the next day's.
        let hours = (expected[1] - expected[0]).inSeconds / 3600
        let between = try #require(closed.first { $0.day == home.calendar.day(of: expected[0]) })
        #expect(isClose(between.total, hours * 0.6, within: 0.11))
    }

    @Test("FR-24: a restart at noon goes on, one on the next day does not")
    func restart() throws {
        let noon = try utc("2026-05-05", "12:00")
        let state = DayTotals.State(
            day: try #require(LocalDay("2026-05-05")),
            saved: noon - .seconds(1800),
            counters: [
                .init(
                    reading: "yield",
                    member: "",
                    state: .init(
                        total: 6.2,
                        isKnown: true,
                        mark: .init(value: 8006.2, seen: noon - .seconds(1800), risen: noon - .seconds(1800))
                    )
                )
            ],
            integrals: [.init(name: "power.exchange.export", total: 3.5)]
        )
        let start = Moment(uptime: .seconds(7), wall: noon)
        var sameDay = try Home(restoring: state, at: start)
        #expect(sameDay.totals.total(of: .input(0)) == 6.2)
        #expect(sameDay.totals.total(of: .exchange) == 3.5)
        sameDay.totals.receive(8006.5, of: 2, isFresh: true, at: start)
        #expect(isClose(sameDay.totals.total(of: .input(0)), 6.5))

        let morning = Moment(uptime: .seconds(7), wall: try utc("2026-05-06", "05:00"))
        var nextDay = try Home(restoring: sameDay.totals.state(at: start), at: morning)
        #expect(nextDay.totals.total(of: .input(0)) == 0)
        #expect(nextDay.totals.total(of: .exchange) == nil)
        nextDay.totals.receive(8009.0, of: 2, isFresh: true, at: morning)
        #expect(nextDay.totals.total(of: .input(0)) == 0)
        let closed = nextDay.totals.takeClosedDays()
        #expect(closed.map(\.day.description) == ["2026-05-05", "2026-05-05"])
        #expect(closed.map(\.name) == ["yield", "power.exchange.export"])
        #expect(isClose(closed.first?.total, 6.5))
    }

    @Test("FR-24: what was kept of the future is not taken")
    func future() throws {
        let now = Moment(uptime: .zero, wall: try utc("2026-05-05", "12:00"))
        let state = DayTotals.State(
            day: try #require(LocalDay("2026-06-05")),
            saved: try utc("2026-06-05", "12:00"),
            counters: [.init(reading: "yield", member: "", state: .init(total: 6.2, isKnown: true))],
            integrals: []
        )
        let home = try Home(restoring: state, at: now)
        #expect(home.totals.day?.description == "2026-05-05")
        #expect(home.totals.total(of: .input(0)) == nil)
    }

    @Test(
        "FR-32: energy of a member that is gone stays for the day, and a member never heard of leaves the sum unknown"
    )
    func members() throws {
        let now = Moment(uptime: .zero, wall: try utc("2026-05-05", "12:00"))
        var home = try Home(kind: .today, at: now)
        home.totals.receive(3.2, of: 2, isFresh: true, at: now)
        #expect(home.totals.total(of: .input(0)) == 3.2)
        #expect(home.totals.total(of: .input(1)) == nil)
        home.totals.receive(1.1, of: 3, isFresh: true, at: now)
        #expect(isClose(home.totals.total(of: .input(1)), 4.3))
        home.totals.receive(nil, of: 2, isFresh: true, at: now.advanced(by: .seconds(60)))
        home.totals.receive(1.4, of: 3, isFresh: true, at: now.advanced(by: .seconds(4 * 3600)))
        #expect(isClose(home.totals.total(of: .input(1)), 4.6))
    }

    @Test("FR-32: a counter that is configured to expire makes its sum unknown")
    func expiringMember() throws {
        let now = Moment(uptime: .zero, wall: try utc("2026-05-05", "12:00"))
        var home = try Home(kind: .today, expiry: .after(.seconds(600)), at: now)
        home.totals.receive(3.2, of: 2, isFresh: true, at: now)
        home.totals.receive(1.1, of: 3, isFresh: true, at: now)
        home.totals.receive(nil, of: 2, isFresh: true, at: now.advanced(by: .seconds(600)))
        #expect(home.totals.total(of: .input(1)) == nil)
        home.totals.receive(3.3, of: 2, isFresh: true, at: now.advanced(by: .seconds(700)))
        #expect(isClose(home.totals.total(of: .input(1)), 4.4))
    }

    @Test("The topics of a wildcard are counters of their own, told apart by their bytes")
    func wildcard() throws {
        var now = Moment(uptime: .zero, wall: try utc("2026-05-05", "20:00"))
        var home = try Home(kind: .today, at: now)
        home.totals.receive(3.0, of: 2, member: "inv/\u{E9}", isFresh: true, at: now)
        home.totals.receive(5.0, of: 2, member: "inv/e\u{301}", isFresh: true, at: now)
        #expect(home.totals.total(of: .input(0)) == 8.0)
        now = now.advanced(by: .seconds(600))
        home.totals.receive(0, of: 2, member: "inv/\u{E9}", isFresh: true, at: now)
        #expect(home.totals.total(of: .input(0)) == 8.0)
        home.totals.receive(5.2, of: 2, member: "inv/e\u{301}", isFresh: true, at: now)
        #expect(isClose(home.totals.total(of: .input(0)), 8.2))

        // The next morning one of them is gone for good: it must not leave the sum unknown.
        let morning = Moment(uptime: .zero, wall: try utc("2026-05-06", "06:00"))
        home = try Home(kind: .today, restoring: home.totals.state(at: now), at: morning)
        home.totals.receive(0.4, of: 2, member: "inv/e\u{301}", isFresh: true, at: morning)
        #expect(home.totals.total(of: .input(0)) == 0.4)
        #expect(isClose(home.totals.takeClosedDays().first?.total, 8.2))
    }

    @Test("FR-44: the house gets what a sleeping inverter draws")
    func balance() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "20:00"))
        var home = try Home(at: start)
        // Both inputs are the same reading here, so the house has 500 − 2 × 50 W.
        home.rates(pv: -50, grid: 500, at: start)
        home.totals.advance(to: start.advanced(by: .seconds(3600)))
        #expect(isClose(home.totals.total(of: .output), 0.4))
        #expect(home.totals.total(of: .exchange) == 0)
    }

    @Test("A balance stops when one of its parts does, and at the first that expires")
    func balanceExpires() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "10:00"))
        var home = try Home(at: start)
        home.rates(pv: 0, grid: 1000, at: start, until: .seconds(600))
        home.totals.advance(to: start.advanced(by: .seconds(3600)))
        #expect(isClose(home.totals.total(of: .output), 1.0 / 6))
        home.rates(pv: 0, grid: 1000, at: start.advanced(by: .seconds(3600)))
        home.rates(pv: nil, grid: 1000, at: start.advanced(by: .seconds(3600 + 1800)))
        home.totals.advance(to: start.advanced(by: .seconds(9000)))
        #expect(isClose(home.totals.total(of: .output), 1.0 / 6 + 0.5))
    }

    @Test("An integral over midnight is shared between the days, even when time passes late")
    func integralOverMidnight() throws {
        let start = Moment(uptime: .seconds(90), wall: try utc("2026-05-05", "21:30"))
        var home = try Home(at: start)
        home.rates(pv: 0, grid: -1200, at: start)
        home.totals.advance(to: start.advanced(by: .seconds(5400)))
        #expect(isClose(home.totals.total(of: .exchange), 1.2))
        let closed = home.totals.takeClosedDays().filter { $0.name == "power.exchange.export" }
        #expect(closed.map(\.day.description) == ["2026-05-05"])
        #expect(isClose(closed.first?.total, 0.6))
    }

    @Test("FR-55: the clock of a box without a battery jumps over midnight after the start: one roll, no energy")
    func clockJumpsForward() throws {
        let boot = Moment(uptime: .seconds(5), wall: try utc("2026-05-04", "20:40"))
        let state = DayTotals.State(
            day: try #require(LocalDay("2026-05-04")),
            saved: boot.wall - .seconds(60),
            counters: [
                .init(
                    reading: "yield",
                    member: "",
                    state: .init(
                        total: 6.2,
                        isKnown: true,
                        mark: .init(value: 8006.2, seen: boot.wall - .seconds(60), risen: boot.wall - .seconds(60))
                    )
                )
            ],
            integrals: [.init(name: "power.exchange.export", total: 3.5)]
        )
        var home = try Home(restoring: state, at: boot)
        home.rates(pv: 0, grid: -3600, at: boot)
        home.totals.receive(8006.2, of: 2, isFresh: true, at: boot)
        #expect(home.totals.total(of: .input(0)) == 6.2)
        let set = Moment(uptime: .seconds(45), wall: try utc("2026-05-05", "05:15"))
        home.totals.advance(to: set)
        #expect(home.totals.day?.description == "2026-05-05")
        #expect(home.totals.total(of: .input(0)) == 0)
        #expect(isClose(home.totals.total(of: .exchange), 0.04))
        #expect(Set(home.totals.takeClosedDays().map(\.day.description)) == ["2026-05-04"])
        home.totals.receive(8006.3, of: 2, isFresh: true, at: set.advanced(by: .seconds(10)))
        #expect(isClose(home.totals.total(of: .input(0)), 0.1))
    }

    @Test("FR-55: in 1970 nothing is trusted and nothing is kept, and nothing is lost once the clock is set")
    func clockAtTheEpoch() throws {
        let wall = try utc("2026-05-05", "12:00")
        let state = DayTotals.State(
            day: try #require(LocalDay("2026-05-05")),
            saved: wall - .seconds(600),
            counters: [
                .init(
                    reading: "yield",
                    member: "",
                    state: .init(
                        total: 6.2,
                        isKnown: true,
                        mark: .init(value: 8006.2, seen: wall - .seconds(600), risen: wall - .seconds(600))
                    )
                )
            ],
            integrals: []
        )
        let boot = Moment(uptime: .seconds(5), wall: .seconds(100))
        var home = try Home(restoring: state, at: boot)
        home.totals.receive(8006.4, of: 2, isFresh: true, at: boot.advanced(by: .seconds(5)))
        #expect(home.totals.day == nil)
        #expect(home.totals.nextRoll == nil)
        #expect(home.totals.total(of: .input(0)) == nil)
        #expect(home.totals.state(at: boot) == nil)
        home.totals.advance(to: Moment(uptime: .seconds(45), wall: wall))
        #expect(home.totals.day?.description == "2026-05-05")
        #expect(isClose(home.totals.total(of: .input(0)), 6.4))
        #expect(home.totals.takeClosedDays().isEmpty)
    }

    @Test("FR-55: a clock that steps back over midnight rolls nothing back and nothing twice")
    func clockStepsBack() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "21:50"))
        var home = try Home(at: start)
        home.totals.receive(100, of: 2, isFresh: true, at: start)
        home.totals.receive(100.5, of: 2, isFresh: true, at: start.advanced(by: .seconds(300)))
        let after = start.advanced(by: .seconds(1200))
        home.totals.receive(100.7, of: 2, isFresh: true, at: after)
        #expect(isClose(home.totals.total(of: .input(0)), 0.2))
        #expect(home.totals.takeClosedDays().filter { $0.name == "yield" }.count == 1)
        var back = Moment(uptime: after.uptime, wall: after.wall - .seconds(3600))
        for minute in 1...120 {
            back = back.advanced(by: .seconds(60))
            home.totals.receive(100.7 + Double(minute) / 1000, of: 2, isFresh: true, at: back)
            #expect(home.totals.day?.description == "2026-05-06")
        }
        #expect(isClose(home.totals.total(of: .input(0)), 0.32))
        #expect(home.totals.takeClosedDays().isEmpty)
        #expect(home.totals.nextRoll == (try utc("2026-05-06", "22:00")))
        // Started again while the clock is still behind: the day is the later one.
        let behind = Moment(uptime: .zero, wall: try utc("2026-05-05", "21:58"))
        let again = try Home(restoring: home.totals.state(at: back), at: behind)
        #expect(again.totals.day?.description == "2026-05-06")
        #expect(isClose(again.totals.total(of: .input(0)), 0.32))
    }

    @Test("A clock that was years ahead for a moment does not stop the days")
    func clockWasFarAhead() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "10:00"))
        var home = try Home(at: start)
        home.totals.receive(100, of: 2, isFresh: true, at: start)
        home.totals.advance(to: Moment(uptime: .seconds(1), wall: try utc("2036-01-01", "10:00")))
        let right = start.advanced(by: .seconds(2))
        home.totals.advance(to: right)
        #expect(home.totals.day?.description == "2026-05-05")
        #expect(home.totals.nextRoll == (try utc("2026-05-05", "22:00")))
    }

    @Test("A jump over many days is one roll")
    func manyDays() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "10:00"))
        var home = try Home(at: start)
        home.totals.receive(100, of: 2, isFresh: true, at: start)
        home.totals.advance(to: Moment(uptime: .seconds(1), wall: try utc("2026-05-25", "10:00")))
        #expect(home.totals.takeClosedDays().map(\.day.description) == ["2026-05-05"])
        #expect(home.totals.day?.description == "2026-05-25")
    }

    @Test("An absurd clock ends nothing")
    func absurdClock() throws {
        let start = Moment(uptime: .zero, wall: try utc("2026-05-05", "10:00"))
        var home = try Home(at: start)
        for wall in [Duration.seconds(Int64.max / 4), .seconds(Int64.min / 4), .zero, .seconds(-1)] {
            home.totals.advance(to: Moment(uptime: .seconds(1), wall: wall))
        }
    }
}
