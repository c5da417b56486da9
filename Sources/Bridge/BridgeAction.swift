public import Delivery
public import EnergyFlow

/// What the driver is to do.
public enum BridgeAction: Sendable, Equatable {
    /// Send this request, and hand its outcome to `Bridge.complete`.
    case send(WidgetRequest)
    /// Print this line.
    case log(LogEntry)
    /// Keep this for the next start, in place of what was kept before, and add these days to those kept for good.
    case keep(DayTotals.State, notes: [String: String], closing: [DayTotals.ClosedDay])
}
