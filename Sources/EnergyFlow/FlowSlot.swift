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

extension FlowSlot {
    /// How the slot's rate enters what always holds: Σ inputs + exchange − storage − output = 0.
    var weight: Double {
        switch self {
        case .input, .exchange: 1
        case .storage, .output: -1
        }
    }

    /// Whether energy may flow both ways, so that a rate below zero means something.
    var isTwoWay: Bool {
        switch self {
        case .storage, .exchange: true
        case .input, .output: false
        }
    }
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
        terms(of: slot).map(\.reading)
    }
}
