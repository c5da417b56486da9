import Readings
import Widgets

/// What an answer of the widget service means, whatever request it answers. One case for each behaviour.
enum ServiceAnswer {
    /// 200 or 201 with a widget: this is what the server holds now, last changed at this wall time.
    case widget(WidgetDocument, updated: Duration?)
    /// 200 from the account.
    case account(ServiceAccount)
    /// 404: there is no such widget.
    case noWidget
    /// 401, or 404 on the account: the key is not valid. Nothing can be sent until it is.
    case keyRefused(String)
    /// 403: the key is valid, but not for this widget or not for this plan.
    case forbidden(String)
    /// 422: the content is refused, for these places if the service names them.
    case contentRefused(locations: [String], String)
    /// 400, 405, 413, 415: the request itself is wrong. The same will never be accepted.
    case requestRefused(String)
    /// 429 for the address: the whole process waits.
    case rateLimited(Duration)
    /// 429 for the month: no update until the reset.
    case quotaExceeded(reset: Duration?, String)
    /// 409 or 429: the account has as many widgets as it may.
    case widgetLimit(String)
    /// 3xx: never followed, since that would carry the key elsewhere.
    case redirected(status: Int)
    /// 5xx, and whatever else is a matter of time.
    case unavailable(status: Int, wait: Duration?)
    /// Success by status, but the body is no widget: something in front of the service answered.
    case unreadable
}

extension ServiceAnswer {
    /// Reads an answer.
    ///
    /// The `code` of the problem document decides, never its `detail`: the texts may change. It may be absent, and the
    /// body may be no JSON at all when something in front of the service answers.
    init(to path: String, _ response: ServiceResponse, at now: Moment) {
        let problem = Problem(body: response.body)
        let wait = RetryHint.wait(
            header: response.retryAfter,
            milliseconds: problem.retryAfterMilliseconds,
            // A box whose clock is slow would wait a day too long for a date.
            now: response.date.flatMap(HTTPDate.parse) ?? now.wall
        )
        switch response.status {
        case 200..<300 where path == ServicePath.account:
            self =
                ServiceAnswer.json(in: response.body).flatMap(ServiceAccount.init).map(ServiceAnswer.account)
                ?? .unreadable
        case 200..<300:
            self = ServiceAnswer(widget: response.body) ?? .unreadable
        case 300..<400:
            self = .redirected(status: response.status)
        case 401:
            self = .keyRefused(problem.text)
        case 403:
            self = .forbidden(problem.text)
        case 404 where path == ServicePath.account:
            self = .keyRefused(problem.text)
        case 404:
            self = .noWidget
        case 409 where problem.code == "widget.limit_exceeded", 429 where problem.code == "widget.limit_exceeded":
            self = .widgetLimit(problem.text)
        case 422:
            self = .contentRefused(locations: problem.locations, problem.text)
        case 429 where problem.code == "quota.exceeded":
            self = .quotaExceeded(reset: problem.reset ?? wait.map { now.wall + $0 }, problem.text)
        case 429:
            self = .rateLimited(wait ?? .seconds(60))
        case 400, 405, 413, 415:
            self = .requestRefused(problem.text)
        default:
            self = .unavailable(status: response.status, wait: wait.map { min($0, ServiceAnswer.longestWait) })
        }
    }
}

extension ServiceAnswer {
    /// The widget in an answer's body, if it is one.
    private init?(widget body: [UInt8]) {
        guard let json = ServiceAnswer.json(in: body), let document = WidgetDocument(widget: json) else { return nil }
        self = .widget(document, updated: json.asObject?["updated_at"]?.asString.flatMap(RFC3339.parse))
    }

    /// The body as JSON, `nil` when it is anything else: then what decides is the status alone.
    fileprivate static func json(in body: [UInt8]) -> JSONValue? {
        do {
            return try JSONValue(parsing: body)
        } catch {
            return nil
        }
    }
}

extension ServiceAnswer {
    /// A service that is down for a moment may ask for a month; it is looked after sooner.
    private static let longestWait = Duration.seconds(900)
}

/// The parts of a problem document (RFC 9457) that decide something.
private struct Problem {
    var code: String?
    var text: String
    var retryAfterMilliseconds: Double?
    var reset: Duration?
    var locations: [String]

    init(body: [UInt8]) {
        // What is not JSON is a page of some proxy, which tells a person nothing.
        let members = ServiceAnswer.json(in: body)?.asObject ?? [:]
        code = members["code"]?.asString
        retryAfterMilliseconds = members["retry_after_ms"]?.asNumber
        reset = members["reset_at"]?.asString.flatMap(RFC3339.parse)
        locations = (members["errors"]?.asArray ?? []).compactMap { $0.asObject?["location"]?.asString }
        let words = ["detail", "title", "error"].compactMap { members[$0]?.asString }.first { !$0.isEmpty }
        let reason = [code, words].compactMap { $0 }.joined(separator: ": ")
        text = Problem.printable(reason.isEmpty ? "no reason given" : reason)
    }

    /// The service's words go into a log line: no line breaks, no control characters, and not without end.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(200).map { $0.value < 0x20 ? " " : $0 }))
    }
}
