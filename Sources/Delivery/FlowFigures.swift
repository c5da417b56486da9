import Widgets

/// The figures of a flow's content, slot by slot: what changes from minute to minute.
struct FlowFigures: Equatable {
    struct Node: Equatable {
        var rate: Double
        var total: Double?
        var level: Double?
        /// All that is not a figure.
        var rest: JSONObject
    }

    /// Inputs by position, then storage, exchange and output; a slot that is not shown is `nil`.
    var slots: [Node?]
    /// All around the flow.
    var rest: JSONObject

    /// Takes a content apart; `nil` when it is no flow.
    init?(_ content: JSONObject) {
        guard let flow = content["flow"]?.asObject else { return nil }
        let inputs = flow["inputs"]?.asArray ?? []
        slots = (0..<3).map { inputs.indices.contains($0) ? Node(inputs[$0]) : nil }
        slots += ["storage", "exchange", "output"].map { flow[$0].flatMap(Node.init) }
        rest = content
        rest["flow"] = nil
    }

    /// The sum of what flows, without regard to direction.
    var throughput: Double {
        slots.reduce(0) { $0 + ($1?.rate.magnitude ?? 0) }
    }

    /// How wrong these figures are while the others are right: the sum over the slots of |shown − actual|.
    func error(against actual: FlowFigures) -> Double {
        zip(slots, actual.slots).reduce(0) { $0 + (($1.0?.rate ?? 0) - ($1.1?.rate ?? 0)).magnitude }
    }

    /// The part of the error in slots that both show.
    func commonError(against actual: FlowFigures) -> Double {
        zip(slots, actual.slots).reduce(0) { sum, slot in
            guard let shown = slot.0, let actual = slot.1 else { return sum }
            return sum + (shown.rate - actual.rate).magnitude
        }
    }
}

extension FlowFigures.Node {
    init?(_ node: JSONValue) {
        guard let members = node.asObject, let rate = members["rate"]?.asNumber else { return nil }
        self.rate = rate
        total = members["total"]?.asNumber
        level = members["level"]?.asNumber
        rest = members
        for figure in ["rate", "total", "level"] { rest[figure] = nil }
    }
}
