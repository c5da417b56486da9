import Delivery
import EnergyFlow
import Readings
import Testing

/// A counter of a real house, and what may befall it.
private struct FaultyCounter {
    /// When the source sets a `today` counter to zero, in minutes after local midnight.
    let resetMinute: Int?
    /// Minutes between readings.
    let period: Int
    let resolution: Double
    var random: SplitMix
    /// kWh since the beginning.
    var energy = 4321.0
    private var resetEnergy = 4321.0
    private var power = 1.0
    private var old: [Double] = []
    private var outage = 0

    init(resetMinute: Int?, period: Int, resolution: Double, seed: UInt64) {
        self.resetMinute = resetMinute
        self.period = period
        self.resolution = resolution
        random = SplitMix(seed: seed)
    }

    /// What is read at a minute, if anything: the truth, or a fault.
    mutating func read(minuteOfDay: Int) -> [Double] {
        power = min(max(power + .random(in: -0.3...0.3, using: &random), 0), 6)
        energy += power / 60
        if minuteOfDay == resetMinute { resetEnergy = energy }
        guard minuteOfDay.isMultiple(of: period) else { return [] }
        if outage > 0 {
            outage -= period
            return []
        }
        let value = ((energy - (resetMinute == nil ? 0 : resetEnergy)) / resolution).rounded(.down) * resolution
        defer {
            old.append(value)
            if old.count > 20 { old.removeFirst() }
        }
        switch Int.random(in: 0..<120, using: &random) {
        case 0: return [0, value]
        case 1: return [-value, value]
        case 2: return [.nan, value]
        case 3: return [max(0, value - resolution), value]
        case 4: return [old.randomElement(using: &random) ?? value, value]
        case 5: return [value + 5000, value]
        case 6: return [value, value, value]
        case 7 where (500...800).contains(minuteOfDay):
            outage = 60
            return []
        default: return [value]
        }
    }
}

@Suite("A counter with faults")
struct FaultyCounterTests {
    private struct Source {
        var resetMinute: Int?
        var period: Int
        var resolution: Double

        /// A day may lose or gain what is counted between a reading and a reset or midnight, at the most 6 kW.
        var tolerance: Double { 0.3 + resolution + Double(period) * 0.2 }
    }

    private static let sources = [nil, 0, 120, 180, 380, 930, 1200].flatMap { reset in
        [1, 5, 20].flatMap { period in
            [0.001, 0.1].map { Source(resetMinute: reset, period: period, resolution: $0) }
        }
    }

    @Test(
        "Its days are the house's, though every twentieth reading is wrong",
        arguments: [1, 2, UInt64.random(in: 3...UInt64.max)]
    )
    func days(seed: UInt64) {
        let errors = Self.sources.flatMap { source in
            Self.errors(of: source, seed: seed).map { (source, $0) }
        }
        // An old record and a reset can look the same, so a day in a hundred may be wrong, but never by much.
        let wrong = errors.filter { source, error in error > source.tolerance }
        #expect(wrong.count <= errors.count / 100, "\(wrong)")
        #expect(errors.allSatisfy { $0.1 < 12 })
    }

    /// How far each day's total is from what the house used between the readings at its ends.
    private static func errors(of source: Source, seed: UInt64) -> [Double] {
        var counter = FaultyCounter(
            resetMinute: source.resetMinute,
            period: source.period,
            resolution: source.resolution,
            seed: seed
        )
        var total = CounterTotal(kind: source.resetMinute == nil ? .lifetime : .today, limits: .energy)
        var errors: [Double] = []
        var midnight: Double?
        var read = 0.0
        for minute in 0..<(10 * 1440) {
            let minuteOfDay = minute % 1440
            if minute > 0, minuteOfDay == 0 {
                if let midnight, let shown = total.total {
                    errors.append(abs(shown - (read - midnight)))
                }
                midnight = read
                total.roll()
            }
            for (index, value) in counter.read(minuteOfDay: minuteOfDay).enumerated() {
                total.receive(
                    value,
                    isFresh: true,
                    at: .seconds(minute * 60 + index * 5),
                    sinceMidnight: .seconds(minuteOfDay * 60 + index * 5)
                )
                read = counter.energy
            }
        }
        return errors
    }
}
