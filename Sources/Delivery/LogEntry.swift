/// One line for the person who runs the bridge.
public struct LogEntry: Sendable, Equatable {
    /// How much it matters.
    public var level: LogLevel
    /// A sentence that ends in a period. It never holds a secret.
    public var message: String

    /// Makes a line.
    public init(_ level: LogLevel, _ message: String) {
        self.level = level
        self.message = message
    }
}

/// How much a log line matters, as systemd counts: lower is graver.
public enum LogLevel: Int, Sendable, Comparable {
    /// Something does not work until a person acts.
    case error = 3
    /// Something is wrong, and the bridge goes on.
    case warning = 4
    /// Something that a person wants to see once.
    case notice = 5
    /// What happens in an ordinary day.
    case info = 6
    /// For whoever looks for a fault.
    case debug = 7

    /// Graver first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
