import Readings
import Widgets

/// The delivery of one widget: what the server is known to hold, what it should hold, and at most one request in flight.
///
/// There is no queue. After any outage the newest wanted document goes, whatever was tried before.
struct WidgetDelivery: Sendable {
    /// The widget's slug.
    let slug: Slug
    private let policy: PushPolicy

    private(set) var shadow: Shadow = .unknown
    private(set) var wanted: WidgetDocument?
    private(set) var inFlight: InFlight?
    private var backoff = Backoff()
    /// Not before this, after a failure.
    private var retryAt: Duration?
    /// When the last body that changes the widget went out.
    private var lastPush: Duration?
    /// Since when something has been waiting to be sent.
    private(set) var waitingSince: Duration?
    /// The next request that changes something, and whether it may go early.
    private var next: Next?
    /// Bodies that must not be sent again: refused by the service, or accepted and not kept.
    private var barred: [JSONObject] = []

    /// A request on its way.
    struct InFlight: Sendable, Equatable {
        var id: Int
        var method: RequestMethod
        var body: JSONObject?
        var wanted: WidgetDocument?
        /// When the widget was pushed before this request.
        var previousPush: Duration?
    }

    /// What is to be sent next.
    private struct Next: Sendable, Equatable {
        var method: RequestMethod
        var body: JSONObject?
        var isUrgent = false
    }

    init(slug: Slug, policy: PushPolicy) {
        self.slug = slug
        self.policy = policy
        plan(at: .zero)
    }

    /// Sets what the server should hold.
    mutating func want(_ document: WidgetDocument, at now: Duration) {
        guard document != wanted else { return }
        wanted = document
        plan(at: now)
    }

    /// The uptime from which the next request may go; `nil` when there is none or an answer is awaited.
    var due: Duration? {
        guard inFlight == nil, let next else { return nil }
        var due = retryAt ?? .zero
        if next.method == .patch, let lastPush {
            due = max(due, lastPush + (next.isUrgent ? policy.urgent : policy.every))
        }
        return due
    }

    /// Whether the next request changes the widget.
    var isPush: Bool {
        inFlight == nil && next != nil && next?.method != .get
    }

    /// Takes the next request out, to be sent now.
    mutating func send(id: Int, at now: Duration) -> WidgetRequest? {
        guard inFlight == nil, let next else { return nil }
        inFlight = InFlight(id: id, method: next.method, body: next.body, wanted: wanted, previousPush: lastPush)
        if next.method != .get { lastPush = now }
        waitingSince = nil
        let path = next.method == .post ? ServicePath.widgets : ServicePath.widget(slug)
        return WidgetRequest(id: id, method: next.method, path: path, body: next.body.map(JSONValue.object))
    }

    /// Works out what is to be sent, from what the server holds and should hold.
    private mutating func plan(at now: Duration) {
        next = nextRequest()
        if let body = next?.body, barred.contains(body) { next = nil }
        waitingSince = next == nil ? nil : (waitingSince ?? now)
    }

    private func nextRequest() -> Next? {
        switch shadow {
        case .unknown:
            return Next(method: .get)
        case .absent:
            return wanted.map { Next(method: .post, body: $0.creation(slug: slug)) }
        case .held(let documents):
            guard let wanted, let patch = shadow.patch(to: wanted) else { return nil }
            let isUrgent = documents.contains { PushUrgency.isUrgent(from: $0.content, to: wanted.content) }
            return Next(method: .patch, body: patch, isUrgent: isUrgent)
        }
    }
}

// MARK: - Answers

extension WidgetDelivery {
    /// Takes the answer to the request in flight.
    mutating func receive(_ answer: ServiceAnswer, at now: Duration, using random: inout SplitMix) -> LogEntry? {
        guard let request = inFlight else { return nil }
        inFlight = nil
        let hadFailed = backoff.failures > 0
        defer { plan(at: now) }
        switch answer {
        case .widget(let document):
            settle(request, on: document)
            return hadFailed ? LogEntry(.notice, "The widget '\(slug)' is being updated again.") : nil
        case .done:
            shadow = .absent
            return nil
        case .noWidget:
            let isNews = request.method != .get
            shadow = .absent
            // A service that keeps answering 404 to POST must not be asked without pause.
            if request.method == .post { retryAt = now + backoff.fail(using: &random) }
            return isNews ? LogEntry(.notice, "The widget '\(slug)' is gone from the service; it is created again.") : nil
        case .contentRefused(let locations, let reason):
            bar(request.body)
            let places = locations.isEmpty ? "" : " at \(locations.prefix(3).joined(separator: ", "))"
            return LogEntry(
                .error,
                "The service refuses the content of the widget '\(slug)'\(places) (\(reason)); the same is not sent again."
            )
        case .requestRefused(let reason):
            bar(request.body)
            return LogEntry(
                .error,
                "The service refuses a \(request.method.rawValue) for the widget '\(slug)' (\(reason)); the same is not sent again."
            )
        case .forbidden(let reason):
            retryAt = now + .seconds(1800)
            return LogEntry(
                .error,
                "The key may not write the widget '\(slug)' (\(reason)); give it the widgets permission. The next try is in 30 minutes."
            )
        case .widgetLimit(let reason):
            retryAt = now + .seconds(3 * 3600)
            return LogEntry(
                .error,
                "The account has no room for the widget '\(slug)' (\(reason)); delete one with 'flowbridge widget delete'. The next try is in 3 hours."
            )
        case .quotaExceeded(_, let reason):
            retryAt = now + .seconds(3600)
            return LogEntry(
                .warning,
                "The account's updates are used up (\(reason)); the newest state of '\(slug)' goes when there are new ones."
            )
        case .redirected(let status):
            retryAt = now + .seconds(900)
            return LogEntry(
                .error,
                "The service answered with a redirect (\(status)), which is not followed; check the address under 'pushward'."
            )
        case .keyRefused, .rateLimited:
            // The whole process waits; for the widget it is as if the request had not been made.
            lastPush = request.previousPush
            return nil
        case .unavailable(let status, let wait):
            // A gateway in front of the service may give up while the service goes on.
            markUncertain(request)
            return fail(request, "answered \(status)", atLeast: wait, at: now, using: &random)
        case .unreadable:
            markUncertain(request)
            return fail(request, "answered something that is no widget", atLeast: nil, at: now, using: &random)
        }
    }

    /// Takes note that the request in flight had no answer.
    mutating func receive(_ failure: TransportFailure, at now: Duration, using random: inout SplitMix) -> LogEntry? {
        guard let request = inFlight else { return nil }
        inFlight = nil
        defer { plan(at: now) }
        if failure.reach == .unanswered { markUncertain(request) }
        return fail(request, "cannot be reached: \(failure.reason)", atLeast: nil, at: now, using: &random)
    }

    private mutating func settle(_ request: InFlight, on document: WidgetDocument) {
        backoff.succeed()
        retryAt = nil
        shadow = .held([document])
        if request.method == .get {
            barred = []
        } else if let wanted = request.wanted, let body = request.body, shadow.patch(to: wanted) == body {
            // Accepted, and yet not kept: sending it again and again would spend an update each time.
            bar(body)
        }
    }

    private mutating func bar(_ body: JSONObject?) {
        guard let body else { return }
        barred.append(body)
        if barred.count > 8 { barred.removeFirst() }
    }

    private mutating func markUncertain(_ request: InFlight) {
        switch request.method {
        case .patch: if let body = request.body { shadow.mayHaveApplied(body) }
        case .post, .delete: shadow = .unknown
        case .get: break
        }
    }

    /// One line when it starts to fail, none while it goes on.
    private mutating func fail(
        _ request: InFlight,
        _ what: String,
        atLeast wait: Duration?,
        at now: Duration,
        using random: inout SplitMix
    ) -> LogEntry? {
        let isFirst = backoff.failures == 0
        // The interval is between pushes that arrive; a failed one must not make the next wait for it.
        lastPush = request.previousPush
        retryAt = now + max(backoff.fail(using: &random), wait ?? .zero)
        guard isFirst else { return nil }
        return LogEntry(
            .warning,
            "The widget service \(what). The newest state of '\(slug)' is kept and tried again."
        )
    }
}
