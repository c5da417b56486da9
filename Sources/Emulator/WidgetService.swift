public import Readings
import Widgets

/// The widget service, as one value: a request and a moment go in, what to do with the request comes out.
///
/// It keeps the service's promises and bounds to the letter, and where their descriptions leave something open it takes
/// the reading that a careful client must be ready for:
///
/// * a patch must be sent as `application/merge-patch+json`, and must have content with at least one member;
/// * a POST to a slug that exists replaces all of the widget; `push_throttle` and `stale_after` that are left out go;
/// * a patch that changes nothing costs no update (`Quota.chargesForNoChange`).
public struct WidgetService: Sendable {
    /// The most widgets of an account.
    static let largestCount = 50

    let key: String?
    var quota: Quota
    var faults: [Fault]
    var widgets: [StoredWidget] = []
    var requests = 0
    var updates = 0
    /// Pushes of widgets that are gone.
    var earlierPushes = 0
    private var rateLimit = RateLimit()

    /// Starts without widgets.
    ///
    /// - Parameters:
    ///   - plan: What the account has paid for.
    ///   - key: The only key that is let in; `nil` lets in any that looks like one.
    ///   - faults: What happens to the first requests, in order.
    ///   - now: The clock.
    public init(plan: Plan, key: String? = nil, faults: [Fault] = [], at now: Moment) {
        self.key = key
        self.faults = faults
        quota = Quota(plan: plan, at: now.wall)
    }

    /// What is done with a request, and what the trace says of it.
    public struct Answer: Sendable {
        /// What the driver does.
        public var outcome: Outcome
        /// One line of JSON without its line feed; `nil` for requests that are not to the service but about it.
        public var trace: String?
    }

    /// Takes a request.
    public mutating func answer(_ request: Request, at now: Moment) -> Answer {
        quota.advance(to: now.wall)
        if isControl(request) { return Answer(outcome: .response(control(request, at: now)), trace: nil) }
        requests += 1
        let outcome = takeOutcome(for: request, at: now)
        return Answer(outcome: outcome, trace: TraceLine(request, status: outcome.status, at: now).description)
    }

    private mutating func takeOutcome(for request: Request, at now: Moment) -> Outcome {
        switch nextFault() {
        case nil:
            return .response(serve(request, at: now))
        case .refuse(let status, let code, let retryAfter)?:
            var problem = Problem(status, code, "this failure was asked for")
            if code == "quota.exceeded" { problem = quotaProblem(at: now) }
            problem.status = status
            problem.retryAfter = retryAfter ?? problem.retryAfter
            return .response(Response(problem, instance: instance))
        case .silence(let isApplied)?:
            if isApplied { _ = serve(request, at: now) }
            return .silence
        case .reset(let isApplied)?:
            if isApplied { _ = serve(request, at: now) }
            return .reset
        }
    }

    private mutating func nextFault() -> Fault.Effect? {
        guard let effect = faults.first?.effect else { return nil }
        faults[0].count -= 1
        if faults[0].count <= 0 { faults.removeFirst() }
        return effect
    }

    private var instance: String { "/requests/\(requests)" }

    private mutating func serve(_ request: Request, at now: Moment) -> Response {
        do throws(Problem) {
            guard rateLimit.admits(request.client, at: now.uptime) else {
                var problem = Problem(429, "rate_limit.exceeded", "rate limit exceeded")
                problem.retryAfter = RateLimit.window
                throw problem
            }
            return try route(request, at: now)
        } catch {
            return Response(error, instance: instance)
        }
    }

    private mutating func route(_ request: Request, at now: Moment) throws(Problem) -> Response {
        let segments = request.segments.map(String.init)
        switch (segments.first, segments.count) {
        case ("health", 1):
            try allow(["GET"], request)
            return Response(200, ["status": "ok"])
        case ("auth", 2) where segments[1] == "me":
            try allow(["GET"], request)
            try authorize(request)
            return Response(200, user(at: now))
        case ("widgets", 1):
            try allow(["GET", "POST"], request)
            try authorize(request)
            return request.method == "GET" ? list() : try create(request, at: now)
        case ("widgets", 2):
            try allow(["GET", "PATCH", "DELETE"], request)
            try authorize(request)
            let index = try position(of: segments[1])
            switch request.method {
            case "GET": return Response(200, widgets[index].answer)
            case "PATCH": return try patch(index, request, at: now)
            default: return delete(index, at: now)
            }
        default:
            throw Problem(404, nil, "no such endpoint")
        }
    }

    private func allow(_ methods: [String], _ request: Request) throws(Problem) {
        guard !methods.contains(request.method) else { return }
        var problem = Problem(405, nil, "method not allowed")
        problem.moreHeaders = [Response.Header(name: "Allow", value: methods.joined(separator: ", "))]
        throw problem
    }

    private func authorize(_ request: Request) throws(Problem) {
        let scheme = "Bearer "
        guard let header = request.authorization, header.hasPrefix(scheme) else {
            throw Problem(401, "token.invalid", "invalid token")
        }
        let offered = String(header.dropFirst(scheme.count))
        let isAccepted = key.map { $0.utf8.elementsEqual(offered.utf8) } ?? WidgetService.isKey(offered)
        if !isAccepted { throw Problem(401, "token.invalid", "invalid token") }
    }

    /// Whether a text looks like a key: `hlk_` and 32 letters or digits.
    public static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 36 && bytes.starts(with: Array("hlk_".utf8))
            && bytes.dropFirst(4).allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: false
                }
            }
    }
}
