public import Widgets

/// The numbers of a flow: what the widget shows, or what is true. What is not known is `nil`.
public struct FlowState: Sendable, Equatable {
    /// What all inputs give together, in W.
    public var solar: Double?
    /// What the house takes, in W.
    public var home: Double?
    /// What the battery does, in W; positive while it charges.
    public var battery: Double?
    /// How full the battery is, in %.
    public var level: Double?
    /// What the grid gives, in W; negative while it takes.
    public var grid: Double?

    /// Makes a state.
    public init(
        solar: Double? = nil,
        home: Double? = nil,
        battery: Double? = nil,
        level: Double? = nil,
        grid: Double? = nil
    ) {
        self.solar = solar
        self.home = home
        self.battery = battery
        self.level = level
        self.grid = grid
    }

    /// Reads the content of a flow widget.
    public init(content: JSONObject) {
        let flow = content["flow"]?.asObject
        func number(_ node: JSONValue?, _ key: String) -> Double? { node?.asObject?[key]?.asNumber }
        let inputs = flow?["inputs"]?.asArray?.compactMap { number($0, "rate") } ?? []
        self.init(
            solar: inputs.isEmpty ? nil : inputs.reduce(0, +),
            home: number(flow?["output"], "rate"),
            battery: number(flow?["storage"], "rate"),
            level: number(flow?["storage"], "level"),
            grid: number(flow?["exchange"], "rate")
        )
    }
}
