public import Delivery

/// What the driver is to do.
public enum BridgeAction: Sendable, Equatable {
    /// Send this request, and hand its outcome to `Bridge.complete`.
    case send(WidgetRequest)
    /// Print this line.
    case log(LogEntry)
}
