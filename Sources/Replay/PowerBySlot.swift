public import Widgets

/// One number for each slot of a flow, in the order input, storage, exchange, output: rates in W, with charging and import
/// positive, or what was summed up from them.
public struct PowerBySlot: Sendable, Equatable {
    /// The names of the slots, in order.
    public static let names = ["input", "storage", "exchange", "output"]

    /// The numbers, in order.
    public var slots: SIMD4<Double>

    /// Makes it from the four numbers; `input` is the sum of all inputs.
    public init(input: Double, storage: Double, exchange: Double, output: Double) {
        slots = [input, storage, exchange, output]
    }

    private init(_ slots: SIMD4<Double>) {
        self.slots = slots
    }

    /// Nothing flows.
    public static let zero = PowerBySlot(.zero)

    /// The distance from another one, slot by slot.
    public func distance(to other: PowerBySlot) -> PowerBySlot {
        let difference = slots - other.slots
        return PowerBySlot(difference.replacing(with: -difference, where: difference .< 0))
    }

    /// The larger of both, slot by slot.
    func larger(_ other: PowerBySlot) -> PowerBySlot {
        PowerBySlot(slots.replacing(with: other.slots, where: other.slots .> slots))
    }

    /// Adds another one that holds for so many seconds.
    mutating func add(_ other: PowerBySlot, seconds: Double) {
        slots += other.slots * seconds
    }
}

extension PowerBySlot {
    /// What a flow's content shows; `nil` when it is no flow of power. A slot that is not shown counts as 0, because that
    /// is how wrong the phone is.
    public init?(content: JSONObject) {
        guard let flow = content["flow"]?.asObject,
            let watts = content["unit"]?.asString.flatMap(PowerBySlot.watts)
        else { return nil }
        func rate(_ node: JSONValue?) -> Double { node?.asObject?["rate"]?.asNumber ?? 0 }
        let input = (flow["inputs"]?.asArray ?? []).reduce(0) { $0 + rate($1) }
        self.init([input, rate(flow["storage"]), rate(flow["exchange"]), rate(flow["output"])] * watts)
    }

    /// How many W one of the unit is.
    private static func watts(in unit: String) -> Double? {
        switch unit {
        case "mW": 0.001
        case "W": 1
        case "kW": 1000
        case "MW": 1_000_000
        default: nil
        }
    }
}
