import Widgets

/// A failure that the emulator is told to show, instead of what it would have done.
public struct Fault: Sendable, Equatable {
    /// What the client sees.
    public enum Effect: Sendable, Equatable {
        /// A refusal: its status (300...599), the code in its problem, and what it says of coming back.
        case refuse(status: Int, code: String?, retryAfter: Duration?)
        /// No answer until the client lets go.
        case silence(isApplied: Bool)
        /// A connection that ends without an answer.
        case reset(isApplied: Bool)
    }

    /// What the client sees.
    public var effect: Effect
    /// To how many requests it happens; at least 1.
    public var count: Int

    /// Makes a fault.
    public init(_ effect: Effect, count: Int = 1) {
        self.effect = effect
        self.count = count
    }

    /// Reads `STATUS[:COUNT]`, as on the command line: a status, or one of `timeout`, `timeout-before`, `reset` and
    /// `reset-before`.
    public init(argument: String) throws(FaultError) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let effect = Fault.effect(word: parts[0]) ?? Fault.effect(status: Int(parts[0])) else {
            throw FaultError("'\(parts[0])' is neither a status from 300 to 599 nor one of \(Fault.words).")
        }
        guard parts.count < 3, let count = parts.count == 2 ? Int(parts[1]) : 1, count > 0 else {
            throw FaultError("'\(argument)' must end in ':' and a count of at least 1, or in neither.")
        }
        self.init(effect, count: count)
    }

    /// Reads `{"status":503,"count":3,"retry_after":2,"code":"..."}`, where the status may be a word as well.
    init(document: JSONObject) throws(FaultError) {
        for (key, _) in document where !["status", "count", "retry_after", "code"].contains(key) {
            throw FaultError("'\(key)' is not one of status, count, retry_after and code.")
        }
        let retryAfter = try Fault.seconds(document["retry_after"])
        let code = try Fault.code(document["code"])
        let effect =
            switch document["status"] {
            case .string(let word)?: Fault.effect(word: word)
            case .number(let status)?:
                Fault.effect(status: Int(exactly: status.value), code: code, retryAfter: retryAfter)
            default: Effect?.none
            }
        guard let effect else {
            throw FaultError("'status' must be a status from 300 to 599, or one of \(Fault.words).")
        }
        let count = try Fault.count(document["count"])
        self.init(effect, count: count)
    }

    private static let words = "timeout, timeout-before, reset, reset-before"

    private static func effect(word: String) -> Effect? {
        switch word {
        case "timeout": .silence(isApplied: true)
        case "timeout-before": .silence(isApplied: false)
        case "reset": .reset(isApplied: true)
        case "reset-before": .reset(isApplied: false)
        default: nil
        }
    }

    /// A refusal as the service would word it, where the caller says nothing else.
    private static func effect(status: Int?, code: String? = nil, retryAfter: Duration? = nil) -> Effect? {
        guard let status, (300...599).contains(status) else { return nil }
        let code = code ?? usualCode(of: status)
        return .refuse(status: status, code: code, retryAfter: retryAfter ?? usualWait(code: code))
    }

    private static func usualCode(of status: Int) -> String? {
        switch status {
        case 401: "token.invalid"
        case 404: "widget.not_found"
        case 422: "widget.content_invalid"
        case 429: "rate_limit.exceeded"
        case 503: "service.unavailable"
        default: nil
        }
    }

    private static func usualWait(code: String?) -> Duration? {
        switch code {
        case "rate_limit.exceeded": RateLimit.window
        case "service.unavailable": .seconds(1)
        default: nil
        }
    }

    private static func count(_ value: JSONValue?) throws(FaultError) -> Int {
        guard let value else { return 1 }
        guard let count = value.asNumber.flatMap({ Int(exactly: $0) }), count > 0 else {
            throw FaultError("'count' must be a whole number of at least 1.")
        }
        return count
    }

    private static func seconds(_ value: JSONValue?) throws(FaultError) -> Duration? {
        guard let value else { return nil }
        guard let seconds = value.asNumber, (0...1e9).contains(seconds) else {
            throw FaultError("'retry_after' must be a number of seconds.")
        }
        return .seconds(seconds)
    }

    private static func code(_ value: JSONValue?) throws(FaultError) -> String? {
        guard let value else { return nil }
        guard let code = value.asString else { throw FaultError("'code' must be a text.") }
        return code
    }
}

/// Why a fault cannot be taken.
public struct FaultError: Error, Equatable, CustomStringConvertible {
    /// One sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
