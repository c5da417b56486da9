/// What feeds the four kinds of slots of one flow.
///
/// Signs inside: inputs and output ≥ 0, exchange + = import, storage + = charging. They are turned once, here, by
/// `RateDefinition`.
public struct FlowDefinition: Sendable, Equatable {
    /// Up to three sources, in the order drawn.
    public var inputs: [SlotDefinition]
    /// The battery, + = charging.
    public var storage: SlotDefinition?
    /// The grid, + = import.
    public var exchange: SlotDefinition?
    /// The house.
    public var output: SlotDefinition?

    /// Makes a flow. At most one slot may be the balance; the configuration sees to it.
    public init(
        inputs: [SlotDefinition] = [],
        storage: SlotDefinition? = nil,
        exchange: SlotDefinition? = nil,
        output: SlotDefinition? = nil
    ) {
        self.inputs = inputs
        self.storage = storage
        self.exchange = exchange
        self.output = output
    }
}

/// What feeds one slot.
public struct SlotDefinition: Sendable, Equatable {
    /// The rate, and in which sense it counts.
    public var rate: RateDefinition
    /// Today's total, if it is shown.
    public var total: TotalDefinition?
    /// The level in %, if it is shown.
    public var level: ReadingSum?

    /// Makes a slot.
    public init(rate: RateDefinition, total: TotalDefinition? = nil, level: ReadingSum? = nil) {
        self.rate = rate
        self.total = total
        self.level = level
    }
}

/// One or more readings that are added. A member that is not known makes the sum unknown.
public struct ReadingSum: Sendable, Equatable {
    /// Indices into the readings of the configuration, at least one.
    public var members: [Int]

    /// Makes a sum of the readings with these indices.
    public init(_ members: [Int]) {
        self.members = members
    }
}

/// Where a slot's rate comes from.
public enum RateDefinition: Sendable, Equatable {
    /// What the other slots leave: output = Σ inputs + exchange − storage, solved for this slot.
    case balance
    /// A signed reading; `reversed` when it is positive in the slot's negative sense (export, discharging).
    case signed(ReadingSum, reversed: Bool)
    /// Two magnitudes: the rate is `positive` (import, charging) less `negative` (export, discharging).
    case pair(positive: ReadingSum, negative: ReadingSum)
}

/// Where a slot's total of today comes from.
public enum TotalDefinition: Sendable, Equatable {
    /// Readings that count energy.
    case counter(ReadingSum)
    /// The rate, integrated in one sense.
    case integrate(FlowSense)
}

/// The sense of a two-way slot.
public enum FlowSense: Sendable, Equatable {
    /// Import or charging; for inputs and output the only one.
    case positive
    /// Export or discharging.
    case negative
}
