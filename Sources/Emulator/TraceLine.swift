import Readings
import Widgets

/// One line of the trace: what came in, and which status went out.
struct TraceLine: CustomStringConvertible {
    /// Compact JSON without a line feed, neither at its end nor inside.
    let description: String

    /// Words a line. The `Authorization` header is left out: a trace is a file that people pass on.
    init(_ request: Request, status: Int, at now: Moment) {
        let line: JSONObject = [
            "at": .string(RFC3339.text(now.wall, milliseconds: true)),
            "method": .string(request.method),
            "path": .string(request.target),
            "content_type": request.contentType.map(JSONValue.string) ?? .null,
            "body": TraceLine.value(of: request.body),
            "status": JSONValue(status),
        ]
        description = line.description
    }

    private static func value(of body: [UInt8]) -> JSONValue {
        if body.isEmpty { return .null }
        do {
            return try JSONValue(parsing: body)
        } catch {
            return .string(String(decoding: body, as: UTF8.self))
        }
    }
}
