public import Widgets

/// One request in the emulator's trace, with the status of its answer.
public struct TraceEntry: Sendable, Equatable {
    /// The method, in capitals.
    public var method: String
    /// The path, as `/widgets/power`.
    public var path: String
    /// The body; `.null` when there was none, or one that is no JSON.
    public var body: JSONValue
    /// The status of the answer; 0 when none was given.
    public var status: Int

    /// Makes an entry.
    public init(method: String, path: String, body: JSONValue = .null, status: Int) {
        self.method = method
        self.path = path
        self.body = body
        self.status = status
    }

    /// Reads a line of the trace, or `nil` when it is none.
    public init?(line: JSONValue) {
        guard let line = line.asObject, let method = line["method"]?.asString, let path = line["path"]?.asString
        else { return nil }
        let status = line["status"]?.asNumber.flatMap(Int.init(exactly:)) ?? 0
        self.init(method: method, path: path, body: line["body"] ?? .null, status: status)
    }

    /// Whether the service accepted it.
    public var isAccepted: Bool { (200..<300).contains(status) }
}
