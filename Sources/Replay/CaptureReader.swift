import Readings
import Widgets

/// Reads what `mosquitto_sub -F '%U\t%r\t%t\t%p'`, `-F %j` or `-F %J` prints, line by line.
///
/// A payload may hold line feeds: a line that does not begin a message belongs to the payload before it.
public struct CaptureReader: Sendable {
    private var pending: CapturedMessage?
    private var line = 0

    /// Makes a reader at the beginning of a recording.
    public init() {}

    /// Takes the next line, without its line feed, and gives the message that it shows to be complete, if any.
    public mutating func read(_ bytes: some Collection<UInt8>) throws(CaptureError) -> CapturedMessage? {
        line += 1
        let bytes = Array(bytes)
        var begun = CaptureReader.tabbed(bytes)
        if begun == nil { begun = try json(bytes) }
        if let begun {
            defer { pending = begun }
            return pending
        }
        if pending == nil, bytes.isEmpty { return nil }
        guard pending != nil else {
            throw CaptureError(
                line: line,
                description:
                    "Line \(line) is no recorded message; record with mosquitto_sub -F '%U\\t%r\\t%t\\t%p' or -F %j."
            )
        }
        pending?.payload.append(UInt8(ascii: "\n"))
        pending?.payload.append(contentsOf: bytes)
        return nil
    }

    /// Gives the last message, once there are no more lines.
    public mutating func finish() -> CapturedMessage? {
        defer { pending = nil }
        return pending
    }

    /// `seconds.fraction TAB retain TAB topic TAB payload`.
    private static func tabbed(_ bytes: [UInt8]) -> CapturedMessage? {
        let fields = bytes.split(separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
        guard fields.count == 4, let wall = seconds(fields[0]), !fields[2].isEmpty,
            fields[1].elementsEqual("0".utf8) || fields[1].elementsEqual("1".utf8)
        else { return nil }
        return CapturedMessage(
            wall: wall,
            retained: fields[1].elementsEqual("1".utf8),
            topic: Array(fields[2]),
            payload: Array(fields[3])
        )
    }

    /// Unix seconds with up to nine digits of fraction, exact.
    private static func seconds(_ text: ArraySlice<UInt8>) -> Duration? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let whole = parts.first, (1...12).contains(whole.count),
            parts.allSatisfy({ $0.allSatisfy(digits.contains) })
        else { return nil }
        let fraction = parts.count == 2 ? parts[1].prefix(9) : []
        func number(_ digits: ArraySlice<UInt8>) -> Int64 {
            digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        var nanoseconds = number(fraction)
        for _ in fraction.count..<9 { nanoseconds *= 10 }
        return .seconds(number(whole)) + .nanoseconds(nanoseconds)
    }

    /// `{"tst":…,"topic":…,"retain":0,"payload":…}`; the payload is text, with `%J` any JSON, and `null` when empty.
    private func json(_ bytes: [UInt8]) throws(CaptureError) -> CapturedMessage? {
        guard bytes.first == UInt8(ascii: "{"), let object = Self.object(bytes),
            let topic = object["topic"]?.asString, let time = object["tst"]?.asString
        else { return nil }
        guard let wall = Self.wall(time) else {
            throw CaptureError(
                line: line,
                description: "Line \(line) has a time that cannot be read: \(time.prefix(40))."
            )
        }
        let payload: [UInt8] =
            switch object["payload"] {
            case nil, .null: []
            case .string(let text): Array(text.utf8)
            case .some(let value): Array(value.description.utf8)
            }
        return CapturedMessage(
            wall: wall,
            retained: object["retain"]?.asNumber == 1,
            topic: Array(topic.utf8),
            payload: payload
        )
    }

    /// A line of a payload may look like JSON and be none; then it is no message, which the caller handles.
    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        do {
            return try JSONValue(parsing: bytes).asObject
        } catch {
            return nil
        }
    }

    /// mosquitto_sub prints local time with both a `Z` and an offset: `2026-03-19T12:00:00.123456Z+0100`.
    private static func wall(_ text: String) -> Duration? {
        guard let mark = text.firstIndex(of: "Z"), text.index(after: mark) < text.endIndex else {
            return RFC3339.parse(text)
        }
        let offset = text[text.index(after: mark)...]
        guard offset.utf8.count == 5 else { return nil }
        return RFC3339.parse("\(text[..<mark])\(offset.prefix(3)):\(offset.suffix(2))")
    }
}

/// A recording that cannot be read.
public struct CaptureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// A sentence that ends in a period.
    public let description: String
}
