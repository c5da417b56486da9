public import EnergyFlow

/// The content of a flow widget.
///
/// Values are rounded to what can be seen, before anything is compared: a change that nobody can see costs no push.
///
/// | value | unit | decimals |
/// |---|---|---|
/// | rate | W, mW | 0 |
/// | rate | kW, MW | 2 |
/// | rate | any other | 2 below 10, 1 below 100, else 0 |
/// | total | | 2 below 10, else 1 |
/// | level | % | 0 |
///
/// Halves are rounded away from zero, so import and export of the same size look the same.
public enum FlowContent {
    /// The `content` object for a frame, or `nil` when no slot is known: the service refuses a flow without slots.
    ///
    /// A slot that is not known, or whose rate is not finite, is left out; so is such a total or level. Inputs keep
    /// their order. Inputs and output are shown as 0 when negative (sensor noise at night), totals too; levels are held
    /// within 0...100 and shown on storage only, where the app draws them.
    public static func content(frame: FlowFrame, appearance: FlowAppearance, shared: SharedContent) -> JSONObject? {
        let display = RateDisplay(unit: appearance.unit.text)
        let inputs = frame.inputs.enumerated().compactMap { index, node in
            let look = appearance.inputs.indices.contains(index) ? appearance.inputs[index] : NodeAppearance()
            return self.node(node, look, display, .oneWay)
        }
        var flow = JSONObject()
        if !inputs.isEmpty { flow["inputs"] = .array(inputs) }
        flow["output"] = node(frame.output, appearance.output, display, .oneWay)
        flow["storage"] = node(frame.storage, appearance.storage, display, .storage)
        flow["exchange"] = node(frame.exchange, appearance.exchange, display, .exchange)
        guard !flow.isEmpty else { return nil }

        var content = shared.content(template: "flow")
        content["unit"] = .string(appearance.unit.text)
        content["flow"] = .object(flow)
        return content
    }

    private enum Slot {
        case oneWay
        case storage
        case exchange
    }

    private static func node(
        _ node: FlowFrame.Node?,
        _ look: NodeAppearance,
        _ display: RateDisplay,
        _ slot: Slot
    ) -> JSONValue? {
        guard let node, node.rate.isFinite,
            let rate = JSONValue(display.visible(slot == .oneWay ? max(node.rate, 0) : node.rate))
        else { return nil }
        var members: JSONObject = ["rate": rate]
        members["name"] = look.name.map { .string($0.text) }
        members["total"] = node.total.flatMap(visibleTotal)
        if slot == .storage { members["level"] = node.level.flatMap(visibleLevel) }
        members["icon"] = look.icon.map { .string($0.text) }
        members["color"] = look.color.map { .string($0.text) }
        return .object(members)
    }

    private static func visibleTotal(_ total: Double) -> JSONValue? {
        guard total.isFinite else { return nil }
        return JSONValue(rounded(max(total, 0), decimals: total < 10 ? 2 : 1))
    }

    private static func visibleLevel(_ level: Double) -> JSONValue? {
        guard level.isFinite else { return nil }
        return JSONValue(rounded(min(max(level, 0), 100), decimals: 0))
    }
}

/// How rates are shown in the widget's unit. Rates of power come in W.
private enum RateDisplay {
    /// Shown is a count of steps, each `watts` wide, `perUnit` of them to one of the unit.
    case power(watts: Double, perUnit: Double)
    /// In a unit of their own.
    case asIs

    init(unit: String) {
        self =
            switch unit {
            case "mW": .power(watts: 0.001, perUnit: 1)
            case "W": .power(watts: 1, perUnit: 1)
            case "kW": .power(watts: 10, perUnit: 100)
            case "MW": .power(watts: 10_000, perUnit: 100)
            default: .asIs
            }
    }

    func visible(_ rate: Double) -> Double {
        switch self {
        // Converting first would make 1005 W 1.005 kW, which binary keeps a little below the half.
        case .power(let watts, let perUnit): (rate / watts).rounded(.toNearestOrAwayFromZero) / perUnit
        case .asIs: rounded(rate, decimals: rate.magnitude < 10 ? 2 : rate.magnitude < 100 ? 1 : 0)
        }
    }
}
