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
        func node(_ slot: FlowSlot, rate: Double?) -> FlowFrame.Node? {
            rate.map { FlowFrame.Node(rate: $0, total: total(slot), level: self[slot]?.level?.value(value)) }
        }
        let frame = FlowFrame(
            inputs: rates.inputs.enumerated().map { node(.input($0.offset), rate: $0.element.map { max($0, 0) }) },
            storage: node(.storage, rate: rates.storage),
            exchange: node(.exchange, rate: rates.exchange),
            output: node(.output, rate: rates.output.map { max($0, 0) })
        )
        return Resolution(frame: frame, shortfall: shortfall)
    }

    /// The raw rates, before any clamp. For totals and the balance, never for the phone.
    struct Rates {
        var inputs: [Double?]
        var storage: Double?
        var exchange: Double?
        var output: Double?
    }

    /// The rates with the balance filled in, and its shortfall.
    func solve(_ value: (Int) -> Double?) -> (rates: Rates, shortfall: Double?) {
        var rates = Rates(
            inputs: inputs.map { $0.rate.value(value) },
            storage: storage?.rate.value(value),
            exchange: exchange?.rate.value(value),
            output: output?.rate.value(value)
        )
        let shortfall = solveBalance(in: &rates)
        return (rates, shortfall)
    }

    /// Fills in the slot that is the balance: output = Σ inputs + exchange − storage. A slot that is not configured
    /// counts as zero; one that is not known leaves the balance unknown.
    private func solveBalance(in rates: inout Rates) -> Double? {
        func sum(of slots: [Double?]) -> Double? {
            slots.reduce(0) { sum, rate in sum.flatMap { sum in rate.map { sum + $0 } } }
        }
        let exchangeRate = exchange == nil ? 0 : rates.exchange
        let storageRate = storage == nil ? 0 : rates.storage
        let outputRate = output == nil ? 0 : rates.output
        let inputRate = sum(of: rates.inputs)

        if output?.rate == .balance {
            guard let inputRate, let exchangeRate, let storageRate else { return nil }
            let balance = inputRate + exchangeRate - storageRate
            rates.output = balance
            return FlowDefinition.shortfall(of: balance, among: [inputRate, exchangeRate, storageRate])
        }
        if exchange?.rate == .balance {
            guard let inputRate, let outputRate, let storageRate else { return nil }
            rates.exchange = outputRate - inputRate + storageRate
            return nil
        }
        if storage?.rate == .balance {
            guard let inputRate, let outputRate, let exchangeRate else { return nil }
            rates.storage = inputRate + exchangeRate - outputRate
            return nil
        }
        if let position = inputs.firstIndex(where: { $0.rate == .balance }) {
            var others = rates.inputs
            others.remove(at: position)
            guard let others = sum(of: others), let outputRate, let exchangeRate, let storageRate else { return nil }
            let balance = outputRate - others - exchangeRate + storageRate
            rates.inputs[position] = balance
            return FlowDefinition.shortfall(of: balance, among: [others, outputRate, exchangeRate, storageRate])
        }
        return nil
    }

    /// Readings that were taken at different moments or by different meters never agree fully: a twentieth of what
    /// flows is noise, more is a missing source or a wrong sign.
    private static func shortfall(of balance: Double, among rates: [Double]) -> Double? {
        let throughput = rates.reduce(0) { $0 + $1.magnitude }
        return balance < -0.05 * throughput ? -balance : nil
    }
}

extension RateDefinition {
    /// The rate in the slot's sense, or `nil` when a reading is not known. The balance is not known here.
    func value(_ value: (Int) -> Double?) -> Double? {
        switch self {
        case .balance: nil
        case .signed(let sum, let reversed): sum.value(value).map { reversed ? -$0 : $0 }
        case .pair(let positive, let negative):
            // Half a pair would show only import or only export and be wrong whenever the other flows.
            positive.value(value).flatMap { positive in negative.value(value).map { positive - $0 } }
        }
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
