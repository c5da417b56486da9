extension FlowDefinition {
    /// All configured slots, inputs first.
    public var slots: [SlotDefinition] {
        inputs + [storage, exchange, output].compactMap { $0 }
    }

    /// The indices of all readings that the flow is made of, each once, in order of first use.
    public var readings: [Int] {
        var seen: Set<Int> = []
        return slots.flatMap(\.readings).filter { seen.insert($0).inserted }
    }
}

extension SlotDefinition {
    /// The indices of the readings behind this slot.
    var readings: [Int] {
        var indices = rate.readings
        if case .counter(let sum) = total { indices += sum.members }
        return indices + (level?.members ?? [])
    }
}

extension RateDefinition {
    /// The indices of the readings that it is made of; none for a balance.
    var readings: [Int] {
        terms.map(\.reading)
    }
}
