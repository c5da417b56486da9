import Delivery
import EnergyFlow
import Readings
import Testing

@Suite("Estimates of a store")
struct EstimateTests {
    @Test(
        "follow the formula",
        arguments: [
            // 10 kWh, half full, 2 kW: 5 kWh are missing, and 1.9 kW of the 2 are stored.
            (StorageEstimate.Goal.full, 50.0, 2.0, 5 / 1.9),
            (.empty, 50, -2, 5 * 0.95 / 2),
            (.level(80), 50, 2, 3 / 1.9),
            (.level(80), 90, -2, 1 * 0.95 / 2),
            (.level(10), 50, -2, 4 * 0.95 / 2),
        ] as [(StorageEstimate.Goal, Double, Double, Double)]
    )
    func formula(goal: StorageEstimate.Goal, level: Double, rate: Double, hours: Double) throws {
        let remaining = try #require(StorageEstimate(goal, capacity: 10).remaining(level: level, rate: rate))
        #expect((remaining.inSeconds - hours * 3600).magnitude < 1e-6)
    }

    @Test(
        "are none where there is nothing to wait for",
        arguments: [
            (StorageEstimate.Goal.full, 50.0, -2.0), (.full, 50, 0), (.full, 100, 2), (.empty, 50, 2), (.empty, 0, -2),
            (.level(80), 50, -2), (.level(80), 80, 2), (.level(80), 90, 2), (.full, 50, .nan), (.full, .nan, 2),
            (.full, 99.6, 1),
            (.level(80), 80.4, -1), (.full, 99.1, 1), (.full, 60, 0.05), (.empty, 2, -0.05),
        ] as [(StorageEstimate.Goal, Double, Double)]
    )
    func none(goal: StorageEstimate.Goal, level: Double, rate: Double) {
        #expect(StorageEstimate(goal, capacity: 10).remaining(level: level, rate: rate) == nil)
    }

    @Test("go on nearer to the goal and at a lower rate than they begin")
    func staying() {
        let estimate = StorageEstimate(.full, capacity: 10)
        func counts(_ level: Double, _ rate: Double, isCounting: Bool) -> Bool {
            estimate.remaining(level: level, rate: rate, isCounting: isCounting) != nil
        }
        #expect(!counts(99.1, 1, isCounting: false) && counts(99.1, 1, isCounting: true))
        #expect(counts(99, 1, isCounting: false) && !counts(99.6, 1, isCounting: true))
        #expect(!counts(98, 0.05, isCounting: false) && counts(98, 0.05, isCounting: true))
        #expect(counts(98, 0.06, isCounting: false) && !counts(98, -0.01, isCounting: true))
    }

    @Test("begin within a day, and end beyond a day and a half")
    func horizon() {
        let estimate = StorageEstimate(.empty, capacity: 10, efficiency: 1)
        // 5 kWh at 200 W: 25 hours. At 250 W: 20. At 130 W: 38.
        #expect(estimate.remaining(level: 50, rate: -0.25) != nil)
        #expect(estimate.remaining(level: 50, rate: -0.2) == nil)
        #expect(estimate.remaining(level: 50, rate: -0.2, isCounting: true) != nil)
        #expect(estimate.remaining(level: 50, rate: -0.13, isCounting: true) == nil)
    }
}

@Suite("A smoothed rate")
struct SmoothedMeanTests {
    @Test("forgets two thirds in a span, whatever the rhythm of the reports", arguments: [1, 10, 60, 1200])
    func step(seconds: Int) throws {
        var rate = SmoothedMean(over: .seconds(1200))
        #expect(rate.value(at: .zero) == nil)
        rate.receive(0, at: .seconds(-100_000))
        for second in stride(from: 0, to: 1200, by: seconds) { rate.receive(1000, at: .seconds(second)) }
        let value = try #require(rate.value(at: .seconds(1200)))
        #expect((value - 632.12).magnitude < 0.01)
    }

    @Test("counts what it has seen for as long as that held, and not the first report for a whole span")
    func start() throws {
        var rate = SmoothedMean(over: .seconds(1200))
        rate.receive(2000, at: .zero)
        rate.receive(-3000, at: .seconds(10))
        let value = try #require(rate.value(at: .seconds(60)))
        // 10 s of 2000 and 50 s of -3000 make -2167, the older part a little lighter.
        #expect(value < -2167 && value > -2200)
    }

    @Test("is the rate itself while that is constant, and unknown with it")
    func constant() {
        var rate = SmoothedMean(over: .seconds(1200))
        rate.receive(300, at: .seconds(5))
        #expect(rate.value(at: .seconds(5000)) == 300)
        rate.receive(nil, at: .seconds(6000))
        #expect(rate.value(at: .seconds(6000)) == nil)
        rate.receive(.nan, at: .seconds(6001))
        #expect(rate.value(at: .seconds(6001)) == nil)
        rate.receive(100, at: .seconds(6002))
        #expect(rate.value(at: .seconds(6002)) == 100)
    }
}

@Suite("A trend")
struct TrendTrackerTests {
    @Test("begins a step away and ends at a third of it")
    func hysteresis() {
        var trend = TrendTracker(over: .seconds(100_000), step: 0.03)
        trend.receive(0.5, at: .zero)
        trend.receive(0.529, at: .seconds(1))
        #expect(trend.trend == .flat)
        trend.receive(0.531, at: .seconds(2))
        #expect(trend.trend == .up)
        trend.receive(0.512, at: .seconds(3))
        #expect(trend.trend == .up)
        trend.receive(0.509, at: .seconds(4))
        #expect(trend.trend == .flat)
        trend.receive(0.46, at: .seconds(5))
        #expect(trend.trend == .down)
        trend.receive(0.54, at: .seconds(6))
        #expect(trend.trend == .up)
    }

    @Test("ends by time alone when the value rests, no later after a steep climb", arguments: [0.54, 0.6, 1])
    func rest(value: Double) throws {
        var trend = TrendTracker(over: .seconds(1000), step: 0.02)
        trend.receive(0.5, at: .zero)
        trend.receive(value, at: .zero)
        #expect(trend.trend == .up)
        // 0.04 falls to a third of 0.02 in 1000 s × ln 6.
        let end = try #require(trend.ends)
        #expect((end.inSeconds - 1792.8).magnitude < 0.1)
        trend.advance(to: end - .seconds(2))
        #expect(trend.trend == .up)
        trend.advance(to: end)
        #expect(trend.trend == .flat)
        #expect(trend.ends == nil)
    }

    @Test("does not flip over noise or the steps of a level", arguments: 1...20 as ClosedRange<UInt64>)
    func steps(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var trend = TrendTracker(over: .seconds(1800), step: 0.02)
        var changes = 0
        // A battery that is charged by 10 % an hour for three hours, told in whole percents, and then rests.
        for minute in 0..<360 {
            let level = 0.2 + 0.1 * Double(min(minute, 180)) / 60 + Double.random(in: -0.001...0.001, using: &random)
            let before = trend.trend
            trend.receive((level * 100).rounded(.down) / 100, at: .seconds(minute * 60))
            if trend.trend != before { changes += 1 }
        }
        #expect(changes == 2, "seed \(seed)")
        #expect(trend.trend == .flat)
    }

    @Test("is flat while the value is not known, and begins anew")
    func unknown() {
        var trend = TrendTracker(over: .seconds(1000), step: 0.02)
        trend.receive(0.5, at: .zero)
        trend.receive(0.6, at: .seconds(1))
        trend.receive(nil, at: .seconds(2))
        #expect(trend.trend == .flat)
        trend.receive(0.9, at: .seconds(3))
        #expect(trend.trend == .flat)
    }
}
