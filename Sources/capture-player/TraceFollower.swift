import Demonstration
import Widgets

/// Reads the service's trace while it grows.
struct TraceFollower {
    private let file: WholeFile
    private var partial: [UInt8] = []

    /// Opens a trace.
    init(_ path: String) throws(PlayerFailure) {
        file = try WholeFile(path)
    }

    /// The requests that are new since the last call.
    mutating func next() throws(PlayerFailure) -> [TraceEntry] {
        partial += try file.rest()
        var entries: [TraceEntry] = []
        while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(partial[..<end])
            partial.removeSubrange(...end)
            do {
                guard let entry = TraceEntry(line: try JSONValue(parsing: line)) else { continue }
                entries.append(entry)
            } catch {
                throw PlayerFailure(description: "The trace has a line that is no JSON: \(error)")
            }
        }
        return entries
    }
}
