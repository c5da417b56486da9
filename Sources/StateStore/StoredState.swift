public import EnergyFlow

/// What the bridge must keep to go on after a restart.
public struct StoredState: Sendable, Equatable {
    /// Today's totals so far.
    public var totals: DayTotals.State
    /// Anything else, by name. Replaced as a whole by each save.
    public var notes: [String: String]

    /// Makes a state.
    public init(totals: DayTotals.State, notes: [String: String] = [:]) {
        self.totals = totals
        self.notes = notes
    }
}
