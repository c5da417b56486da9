extension FlowDefinition {
    /// The slots at one moment, and how far the balance is from possible.
    public struct Resolution: Sendable, Equatable {
        /// The slots, clamped as they are shown.
        public var frame: FlowFrame
        /// How far below zero the balance came out, in the rates' unit, when that is more than noise: the readings
        /// contradict each other. `nil` when they agree or nothing is a balance.
        public var shortfall: Double?
    }

    /// Resolves the slots from the readings' values and today's totals.
    ///
    /// The balance is taken over raw values and clamped afterwards: an inverter that draws 120 W at night is shown as 0,
    /// but the house still gets what it draws.
    /// - Parameters:
    ///   - total: a slot's total of today; `nil` when it has none or it is not known.
    ///   - value: a reading's value in its base unit, by index; `nil` when it is not known.
    public func resolve(total: (FlowSlot) -> Double? = { _ in nil }, _ value: (Int) -> Double?) -> Resolution {
        let (rates, shortfall) = solve(value)
        func node(_ slot: FlowSlot) -> FlowFrame.Node? {
            rates[slot].map { rate in
                FlowFrame.Node(
                    rate: slot.isTwoWay ? rate : max(rate, 0),
                    total: total(slot),
                    level: self[slot]?.level?.value(value)
                )
            }
        }
        let frame = FlowFrame(
            inputs: inputs.indices.map { node(.input($0)) },
            storage: node(.storage),
            exchange: node(.exchange),
            output: node(.output)
        )
        return Resolution(frame: frame, shortfall: shortfall)
    }

    /// The raw rates, before any clamp, and the balance's shortfall.
    private func solve(_ value: (Int) -> Double?) -> (rates: [FlowSlot: Double], shortfall: Double?) {
        var rates: [FlowSlot: Double] = [:]
        for (slot, _) in namedSlots { rates[slot] = rate(of: slot)?.value(value) }
        guard let balance = namedSlots.first(where: { $0.definition.rate == .balance })?.slot,
            let rate = rates[balance], !balance.isTwoWay
        else { return (rates, nil) }
        // Readings that were taken at different moments or by different meters never agree fully: a twentieth of what
        // flows is noise, more is a missing source or a wrong sign.
        var inputs = 0.0
        var throughput = 0.0
        for (slot, _) in namedSlots where slot != balance {
            let rate = rates[slot] ?? 0
            // Inputs are added with their signs: one below zero is a wrong sign, and must not hide itself.
            if case .input = slot { inputs += rate } else { throughput += rate.magnitude }
        }
        throughput += inputs.magnitude
        return (rates, rate < -0.05 * throughput ? -rate : nil)
    }
}

extension ReadingSum {
    /// The sum of the members, or `nil` when one of them is not known.
    public func value(_ value: (Int) -> Double?) -> Double? {
        var sum = 0.0
        for member in members {
            guard let value = value(member) else { return nil }
            sum += value
        }
        return sum
    }
}
