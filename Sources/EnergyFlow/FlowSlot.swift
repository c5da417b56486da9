/// One slot of a flow.
public enum FlowSlot: Sendable, Hashable {
    /// The source at this position.
    case input(Int)
    /// The battery.
    case storage
    /// The grid.
    case exchange
    /// The house.
    case output
}

extension FlowDefinition {
    /// What feeds a slot; `nil` when it is not configured.
    public subscript(slot: FlowSlot) -> SlotDefinition? {
        switch slot {
        case .input(let position): inputs.indices.contains(position) ? inputs[position] : nil
        case .storage: storage
        case .exchange: exchange
        case .output: output
        }
    }

    /// The configured slots by name, inputs first.
    var namedSlots: [(slot: FlowSlot, definition: SlotDefinition)] {
        inputs.enumerated().map { (.input($0.offset), $0.element) }
            + [(FlowSlot.storage, storage), (.exchange, exchange), (.output, output)]
            .compactMap { slot, definition in definition.map { (slot, $0) } }
    }

    /// The readings whose values decide a slot's rate; all of them when it is the balance.
    func rateReadings(of slot: FlowSlot) -> [Int] {
        guard let rate = self[slot]?.rate else { return [] }
        return rate == .balance ? slots.flatMap(\.rate.readings) : rate.readings
    }
}

extension FlowDefinition.Rates {
    subscript(slot: FlowSlot) -> Double? {
        switch slot {
        case .input(let position): inputs.indices.contains(position) ? inputs[position] : nil
        case .storage: storage
        case .exchange: exchange
        case .output: output
        }
    }
}

extension RateDefinition {
    /// The indices of the readings that it is made of; none for a balance.
    var readings: [Int] {
        switch self {
        case .balance: []
        case .signed(let sum, _): sum.members
        case .pair(let positive, let negative): positive.members + negative.members
        }
    }
}
