/// One reading in a rate. Every rate, the balance included, is a sum of readings with signs.
struct RateTerm: Sendable, Equatable {
    /// The reading's index.
    var reading: Int
    /// 1 or -1.
    var sign: Double
}

extension RateDefinition {
    /// What the rate adds up, in the slot's sense; nothing for a balance.
    var terms: [RateTerm] {
        switch self {
        case .balance: []
        case .signed(let sum, let reversed): sum.terms(sign: reversed ? -1 : 1)
        case .pair(let positive, let negative): positive.terms(sign: 1) + negative.terms(sign: -1)
        }
    }
}

extension ReadingSum {
    fileprivate func terms(sign: Double) -> [RateTerm] {
        members.map { RateTerm(reading: $0, sign: sign) }
    }
}

/// The rate of one slot, made ready to be asked for with every report.
public struct SlotRate: Sendable, Equatable {
    let terms: [RateTerm]

    /// The rate in the slot's own sense, from the readings' values by index; `nil` when one of them is not known.
    public func value(_ value: (Int) -> Double?) -> Double? {
        var sum = 0.0
        for term in terms {
            guard let value = value(term.reading) else { return nil }
            sum += term.sign * value
        }
        return sum
    }
}

extension FlowDefinition {
    /// The rate of a slot, the balance included; `nil` when the slot is not configured.
    public func rate(of slot: FlowSlot) -> SlotRate? {
        self[slot].map { _ in SlotRate(terms: terms(of: slot)) }
    }

    /// What a slot's rate adds up, in its own sense: for the balance, what all others do. Half a sum would be wrong, so the
    /// rate is known only while every reading is.
    func terms(of slot: FlowSlot) -> [RateTerm] {
        guard let rate = self[slot]?.rate, rate == .balance else { return self[slot]?.rate.terms ?? [] }
        return namedSlots.flatMap { other, definition in
            definition.rate.terms.map { RateTerm(reading: $0.reading, sign: -$0.sign * other.weight * slot.weight) }
        }
    }
}
