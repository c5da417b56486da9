internal import Bridge
internal import EnergyFlow
internal import Readings
internal import Widgets

/// Says in words what the signs of a configuration mean, for a person to check against the real home.
public enum SignExplanation {
    /// One sentence for each slot, in the order of the widgets; with several widgets each begins with its slug.
    public static func explanation(of settings: Settings) -> [String] {
        let widgets = settings.bridge.widgets
        return widgets.flatMap { plan in
            let prefix = widgets.count > 1 ? "\(plan.widget.slug): " : ""
            return sentences(plan, settings.bridge.readings, others: widgets).map { prefix + $0 }
        }
    }

    private static func sentences(
        _ plan: WidgetPlan,
        _ readings: [ReadingDefinition],
        others: [WidgetPlan]
    ) -> [String] {
        let flow: FlowDefinition
        var look: FlowAppearance?
        switch plan.template {
        case .flow(let definition, let appearance):
            (flow, look) = (definition, appearance)
        case .countdown(.estimate(_, _, let definition), _):
            // One that names a flow says nothing that is not said there.
            guard !others.contains(where: { $0.template.isFlow(definition) }) else { return [] }
            flow = definition
        case .countdown, .progress:
            return []
        }
        var slots: [(Slot, SlotDefinition, NodeAppearance)] = []
        for (index, definition) in flow.inputs.enumerated() {
            let inputs = look?.inputs ?? []
            slots.append((.input(index), definition, inputs.indices.contains(index) ? inputs[index] : NodeAppearance()))
        }
        if let storage = flow.storage { slots.append((.storage, storage, look?.storage ?? NodeAppearance())) }
        if let exchange = flow.exchange { slots.append((.exchange, exchange, look?.exchange ?? NodeAppearance())) }
        if let output = flow.output { slots.append((.output, output, look?.output ?? NodeAppearance())) }
        return slots.map { slot, definition, look in
            let name = look.name.map { " (\($0.text))" } ?? ""
            return "\(slot.name)\(name): \(meaning(of: definition.rate, slot, flow, readings))."
        }
    }

    private static func meaning(
        of rate: RateDefinition,
        _ slot: Slot,
        _ flow: FlowDefinition,
        _ readings: [ReadingDefinition]
    ) -> String {
        switch rate {
        case .balance:
            return "what the others leave: \(slot.balance(in: flow))"
        case .pair(let positive, let negative):
            guard let senses = slot.kind.senses else { return names(positive, readings) }
            return
                "\(names(positive, readings)) is \(senses.positive), \(names(negative, readings)) is \(senses.negative)"
        case .signed(let sum, let reversed):
            guard let senses = slot.kind.senses else {
                return "\(names(sum, readings)), drawn as 0 when negative"
            }
            let values = "positive values of \(names(sum, readings)) are"
            return reversed ? "\(values) \(senses.negative); they are turned round" : "\(values) \(senses.positive)"
        }
    }

    private static func names(_ sum: ReadingSum, _ readings: [ReadingDefinition]) -> String {
        let names = sum.members.filter(readings.indices.contains).map { index in
            let reading = readings[index]
            // A turned scale changes what "positive" means, and is easily forgotten.
            return reading.scale < 0 ? "\(reading.name) (after scale \(reading.scale))" : reading.name
        }
        return names.joined(separator: " + ")
    }
}

extension TemplatePlan {
    /// Whether this is a flow of exactly this definition.
    fileprivate func isFlow(_ definition: FlowDefinition) -> Bool {
        guard case .flow(let flow, _) = self else { return false }
        return flow == definition
    }
}

/// One slot of a flow.
private enum Slot: Equatable {
    case input(Int)
    case storage
    case exchange
    case output

    var kind: SlotKind {
        switch self {
        case .input: .input
        case .storage: .storage
        case .exchange: .exchange
        case .output: .output
        }
    }

    var name: String {
        switch self {
        case .input: "inputs"
        case .storage: "storage"
        case .exchange: "exchange"
        case .output: "output"
        }
    }

    /// output = Σ inputs + exchange − storage, solved for this slot.
    func balance(in flow: FlowDefinition) -> String {
        var plus: [String] = []
        var minus: [String] = []
        let hasOtherInputs = flow.inputs.count > (kind == .input ? 1 : 0)
        let inputs = kind == .input ? "the other inputs" : "inputs"
        // What feeds the house adds to the output and to what is stored, and is taken off everywhere else.
        let isFed = self == .output || self == .storage
        if self != .output, flow.output != nil { isFed ? minus.append("output") : plus.append("output") }
        if hasOtherInputs { isFed ? plus.append(inputs) : minus.append(inputs) }
        if self != .exchange, flow.exchange != nil { isFed ? plus.append("exchange") : minus.append("exchange") }
        if self != .storage, flow.storage != nil { isFed ? minus.append("storage") : plus.append("storage") }
        return plus.joined(separator: " + ") + minus.map { " − \($0)" }.joined()
    }
}
