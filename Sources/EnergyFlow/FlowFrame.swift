/// What a flow's slots are at one moment, in raw values. A slot that is not known is `nil` and is not drawn.
public struct FlowFrame: Sendable, Equatable {
    /// One slot's values.
    public struct Node: Sendable, Equatable {
        /// In the widget's unit (power in W). Inputs and output ≥ 0; exchange + = import; storage + = charging.
        public var rate: Double
        /// Today's total, ≥ 0, in kWh or the reading's own unit. `nil` when not shown or not known.
        public var total: Double?
        /// In %, 0...100. `nil` when not shown or not known.
        public var level: Double?

        /// Makes a node.
        public init(rate: Double, total: Double? = nil, level: Double? = nil) {
            self.rate = rate
            self.total = total
            self.level = level
        }
    }

    /// One for each configured input, in order.
    public var inputs: [Node?]
    /// The battery.
    public var storage: Node?
    /// The grid.
    public var exchange: Node?
    /// The house.
    public var output: Node?

    /// Makes a frame.
    public init(inputs: [Node?] = [], storage: Node? = nil, exchange: Node? = nil, output: Node? = nil) {
        self.inputs = inputs
        self.storage = storage
        self.exchange = exchange
        self.output = output
    }
}
