import Delivery
import EnergyFlow
import Glibc
import Readings
import Testing
import TimeZones

/// A source that does everything a source should not, on a clock that does the same.
private struct HostileSource {
    var random: SplitMix
    var value = 100.0
    var former = [0.0]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    mutating func reading() -> Double? {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<22: value += .random(in: 0...0.3, using: &random)
        case 22..<25: break
        case 25, 26: value = max(0, value - .random(in: 0...0.5, using: &random))
        case 27: value = 0
        case 28: value = .random(in: 0...1, using: &random)
        case 29: value = .random(in: 0...30_000, using: &random)
        case 30, 31: value = former.randomElement(using: &random) ?? 0
        case 32: value *= .random(in: 0...3, using: &random)
        case 33: value += .random(in: 0...50, using: &random)
        case 34: return -value
        case 35: return .nan
        case 36:
            return [.infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude, -0.0].randomElement(using: &random)
        case 37: return value * 1000
        default: return nil
        }
        value = min(value, 1e6)
        former.append(value)
        if former.count > 8 { former.removeFirst() }
        return value
    }

    mutating func pause() -> Duration {
        switch Int.random(in: 0..<50, using: &random) {
        case 0: .seconds(Int.random(in: 3600...200_000, using: &random))
        case 1..<10: .seconds(Int.random(in: 300...7200, using: &random))
        default: .milliseconds(Int.random(in: 0...60_000, using: &random))
        }
    }

    /// Now and then the wall clock is set, forwards or back.
    mutating func clockError() -> Duration {
        guard Int.random(in: 0..<2000, using: &random) == 0 else { return .zero }
        return .seconds(Int.random(in: -200_000...200_000, using: &random))
    }
}

@Suite("Hostile readings")
struct HostileWalkTests {
    private static func home(restoring state: DayTotals.State?, at now: Moment) throws -> DayTotals {
        let readings = [
            try reading("power", unit: "W"),
            try reading("today", unit: "kWh", counts: .today),
            try reading("lifetime", unit: "kWh", counts: .lifetime),
            try reading("litres", unit: "L", counts: .lifetime, expiry: .never),
        ]
        func slot(_ total: TotalDefinition) -> SlotDefinition {
            SlotDefinition(rate: .signed(ReadingSum([0]), reversed: false), total: total)
        }
        let flow = FlowDefinition(
            inputs: (1...3).map { slot(.counter(ReadingSum([$0]))) },
            exchange: slot(.integrate(.positive)),
            output: slot(.integrate(.positive))
        )
        return DayTotals(
            readings: readings,
            flows: [DayTotals.Flow(name: "power", definition: flow)],
            calendar: try calendar.get(),
            restoring: state,
            at: now
        )
    }

    /// Ten million steps take minutes.
    private static let steps = getenv("FLOWBRIDGE_LONG_TESTS") == nil ? 250_000 : 10_000_000

    private static let calendar = Result { try LocalCalendar(zone: "Europe/Berlin") }

    private static let slots: [FlowSlot] = [.input(0), .input(1), .input(2), .exchange, .output]

    @Test(
        "A total is never negative, not finite or falling within a day",
        arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)]
    )
    func walk(seed: UInt64) throws {
        var source = HostileSource(seed: seed)
        var now = Moment(uptime: .zero, wall: try utc("2026-01-01", "08:00"))
        var totals = try Self.home(restoring: nil, at: now)
        var day = totals.day
        var shown = [Double](repeating: 0, count: Self.slots.count)
        var failures = 0
        for step in 0..<Self.steps {
            now = now.advanced(by: source.pause())
            now.wall += source.clockError()
            let value = source.reading()
            let isFresh = Int.random(in: 0..<10, using: &source.random) > 0
            let index = step % 4
            if index == 0 {
                let until = now.uptime + .seconds(600)
                totals.integrate(at: now) { _ in value.map { DayTotals.Rate(value: $0 * 50, until: until) } }
            } else {
                totals.receive(value, of: index, isFresh: isFresh, at: now)
            }
            if step % 997 == 0, let state = totals.state(at: now) {
                totals = try Self.home(restoring: state, at: now)
            }
            if totals.day != day {
                day = totals.day
                shown = shown.map { _ in 0 }
            }
            for position in index == 0 ? [3, 4] : [index - 1] {
                let slot = Self.slots[position]
                guard let total = totals.total(of: slot) else { continue }
                if !(total.isFinite && total >= shown[position]) {
                    failures += 1
                    Issue.record("seed \(seed), step \(step), \(slot): \(shown[position]) then \(total)")
                }
                shown[position] = total
            }
            for closed in totals.takeClosedDays() where !(closed.total.isFinite && closed.total >= 0) {
                failures += 1
                Issue.record("seed \(seed), step \(step): closed \(closed)")
            }
            if failures > 5 { return }
        }
    }

    @Test(
        "A run that is cut anywhere and goes on from what was kept ends as the uncut one",
        arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)]
    )
    func cuts(seed: UInt64) throws {
        var source = HostileSource(seed: seed)
        var now = Moment(uptime: .zero, wall: try utc("2026-01-01", "08:00"))
        var uncut = try Self.home(restoring: nil, at: now)
        var cut = uncut
        var days: [DayTotals.ClosedDay] = []
        var cutDays: [DayTotals.ClosedDay] = []
        var cuts = SplitMix(seed: ~seed)
        var cutNow = now
        for step in 0..<20_000 {
            if Int.random(in: 0..<50, using: &cuts) == 0 {
                let state = cut.state(at: cutNow)
                cutDays += cut.takeClosedDays()
                // The monotonic clock may start anew with the machine.
                cutNow.uptime = .seconds(Int.random(in: 0..<1_000_000, using: &cuts))
                cut = try Self.home(restoring: state, at: cutNow)
            }
            let pause = source.pause()
            now = now.advanced(by: pause)
            cutNow = cutNow.advanced(by: pause)
            let value = source.reading()
            let isFresh = Int.random(in: 0..<10, using: &source.random) > 0
            let index = 1 + step % 3
            uncut.receive(value, of: index, isFresh: isFresh, at: now)
            cut.receive(value, of: index, isFresh: isFresh, at: cutNow)
            for slot in Self.slots.prefix(3) where uncut.total(of: slot) != cut.total(of: slot) {
                Issue.record("seed \(seed), step \(step), \(slot)")
                return
            }
            days += uncut.takeClosedDays()
            cutDays += cut.takeClosedDays()
        }
        #expect(days == cutDays)
        #expect(days.count > 100)
    }
}
