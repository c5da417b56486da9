import Readings

/// What a counter of a home can do, by which the impossible is told from the unusual.
public struct CounterLimits: Sendable, Equatable {
    /// A step up of this much is believed at once however short the time: counters of whole kWh exist.
    let step: Double
    /// Power that a home may draw or yield for long; a step within it is believed at once.
    let power: Double
    /// Power beyond which a step is no energy even when a second reading confirms it.
    let peakPower: Double
    /// A step that a counter takes every day: within it, climbing back to an old value is climbing.
    let commonStep: Double
    /// Power that a home has every day.
    let commonPower: Double
    /// Energy that may be taken back without a second reading.
    let correction: Double
    /// A step back that is noise.
    let noise: Double

    /// The limits of energy counters, in kWh and kW.
    public static let energy = CounterLimits(
        step: 1.5,
        power: 25,
        peakPower: 100,
        commonStep: 0.3,
        commonPower: 10,
        correction: 1.5,
        noise: 0.2
    )

    /// The limits of counters of anything else (water, gas, data): nothing is known of their size.
    public static let unknown = CounterLimits(
        step: .infinity,
        power: 0,
        peakPower: 0,
        commonStep: 0,
        commonPower: 0,
        correction: 0,
        noise: 0
    )

    /// The step up that is believed at once after this long.
    func believable(in span: Duration) -> Double {
        step + power * span.inHours
    }

    /// The step up that no one wonders at after this long.
    func common(in span: Duration) -> Double {
        commonStep + commonPower * span.inHours
    }

    /// The step up that is energy once confirmed, for a counter that last rose this long ago: one that is reported every
    /// minute but read once an hour rises by an hour's energy within a minute.
    func possible(sinceRise span: Duration) -> Double {
        step + peakPower * min(span, .seconds(3600)).inHours
    }

    /// The step back from a value that is noise.
    func noise(at value: Double) -> Double {
        min(noise, value / 10)
    }
}

extension Duration {
    /// The length in hours, never negative.
    var inHours: Double { max(0, inSeconds) / 3600 }
}
