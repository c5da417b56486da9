import EnergyFlow
import Readings
import Widgets

/// The delivery of one widget: what the server is known to hold, what it should hold, and at most one request in flight.
///
/// There is no queue. After any outage the newest wanted document goes, whatever was tried before.
struct WidgetDelivery: Sendable {
    /// The widget's slug.
    let slug: Slug
    let policy: PushPolicy

    private(set) var shadow: Shadow = .unknown
    private(set) var wanted: WidgetDocument?
    private(set) var inFlight: InFlight?
    /// The plan for a limited number of updates; `nil` while as many may go as are worth it.
    var spending: SpendingPlan?
    /// What an earlier run left about them.
    var note: SpendingNote?
    /// Whether a patch that changes nothing spends no update.
    var heartbeatsAreFree = false

    private var backoff = Backoff()
    /// Not before this, after a failure.
    private var retryAt: Duration?
    /// When the last body that changes the widget went out.
    private var lastPush: Duration?
    /// When the service last held what it should, as far as it said.
    private var lastTouch: Duration
    /// When the service last told what it holds.
    private var lastHeard: Duration?
    /// Since when something has been waiting to be sent.
    private(set) var waitingSince: Duration?
    /// The next request that changes something, and how much it matters.
    private var next: Next?
    /// Whether a push was tried and did not arrive: it goes as soon as it can, whatever it is worth by now.
    private var isOwed = false
    private var own: OwnMembers
    private var reduction = ContentReduction()
    /// Bodies that must not be sent again: refused by the service, or accepted and not kept.
    private var barred: [JSONObject] = []
    private var recreations: [Duration] = []

    /// A request on its way.
    struct InFlight: Sendable, Equatable {
        var id: Int
        var method: RequestMethod
        var body: JSONObject?
        var wanted: WidgetDocument?
        var isHeartbeat: Bool
        /// When the widget was pushed before this request.
        var previousPush: Duration?
    }

    /// What is to be sent next.
    private struct Next: Sendable, Equatable {
        var method: RequestMethod
        var body: JSONObject?
        var significance = Significance.urgent
    }

    /// The service is asked this often what it holds, in case someone changed it on the phone.
    private static let drift = Duration.seconds(6 * 3600)

    /// - Parameter own: what an earlier run left in `ownMembers`.
    init(slug: Slug, policy: PushPolicy, own: String? = nil, at now: Moment) {
        self.slug = slug
        self.policy = policy
        self.own = OwnMembers(note: own)
        lastTouch = now.uptime
        plan(at: now)
    }

    /// Sets what the server should hold.
    mutating func want(_ document: WidgetDocument, at now: Moment) {
        guard document != wanted else { return }
        if let wanted { own.leave(wanted.content) }
        wanted = document
        observe(at: now)
        plan(at: now)
    }

    /// The members of the content that flowbridge has set, for the next run.
    var ownMembers: String {
        own.note(wanted: wanted?.content, showsAge: policy.showsAge)
    }

    /// What is to go. What is only left out of a request because the service refused it stays.
    private func abandoned(by wanted: WidgetDocument?) -> [String] {
        wanted.map { own.abandoned(wanted: $0.content, showsAge: policy.showsAge) } ?? []
    }

    /// Whether the next request changes the widget.
    var isPush: Bool {
        inFlight == nil && next != nil && next?.method != .get
    }

    /// The uptime from which the next request may go; `nil` when there is none or an answer is awaited.
    func due(at now: Moment, _ asked: Delivery.Circumstances) -> Duration? {
        guard inFlight == nil else { return nil }
        let due = [pushDue(at: now), heartbeatDue(at: now, asked.lastLife), readDue].compactMap { $0 }.min()
        return due.map { max($0, retryAt ?? .zero) }
    }

    private func pushDue(at now: Moment) -> Duration? {
        guard let next else { return nil }
        switch next.method {
        case .get: return .zero
        case .delete: return nil
        case .post: return recreationDue
        case .patch:
            guard let spending else { return unlimitedDue(next.significance) }
            if isOwed, spending.left > 0 { return .zero }
            // A flow is always a little wrong, and waits for the best moment. The others move by themselves, and change
            // only when it matters.
            if wanted?.content["template"] != "flow" {
                guard spending.left > 0, let due = unlimitedDue(next.significance) else { return nil }
                // Looked at again, since the plan moves with time.
                return spending.isAffordable(at: now) ? due : max(due, now.uptime + .seconds(120))
            }
            let spaced = lastPush.map { $0 + policy.every } ?? .zero
            return spending.due(at: now).map { max($0, spaced) }
        }
    }

    private func unlimitedDue(_ significance: Significance) -> Duration? {
        switch significance {
        case .none: nil
        case .minor: (lastPush ?? lastTouch) + PushPolicy.rest
        case .ordinary: lastPush.map { $0 + policy.every } ?? .zero
        case .urgent: lastPush.map { $0 + policy.urgent } ?? .zero
        }
    }

    /// Something may keep deleting the widget, and creating it may cost an update: there is a bound for an hour.
    private var mostRecreationsAnHour: Int { spending == nil ? 30 : 6 }

    private var recreationDue: Duration {
        guard recreations.count >= mostRecreationsAnHour else { return .zero }
        return recreations[recreations.count - mostRecreationsAnHour] + .seconds(3600)
    }

    /// A sign of life keeps the widget from being dimmed, only while its sources live: a dead one is to go stale.
    private func heartbeatDue(at now: Moment, _ lastLife: Duration?) -> Duration? {
        guard case .held = shadow, let staleAfter = wanted?.staleAfter, let lastLife else { return nil }
        let window = Duration.seconds(staleAfter)
        let due = lastTouch + max(window / 2, .seconds(30))
        // What was alive longer ago than the window is no longer.
        guard lastLife + window > max(due, now.uptime) else { return nil }
        if let spending, !heartbeatsAreFree, !spending.hasSurplus(at: now) { return nil }
        return due
    }

    private var readDue: Duration? {
        guard case .held = shadow, let lastHeard else { return nil }
        return lastHeard + WidgetDelivery.drift
    }

    /// Takes the next request out, to be sent now.
    mutating func send(
        id: Int,
        at now: Moment,
        _ asked: Delivery.Circumstances,
        isFlush: Bool = false
    ) -> WidgetRequest? {
        guard inFlight == nil, let next = isFlush ? next : request(at: now, asked) else { return nil }
        let isHeartbeat = next.method == .patch && next.significance == .none
        inFlight = InFlight(
            id: id,
            method: next.method,
            body: next.body,
            wanted: wanted,
            isHeartbeat: isHeartbeat,
            previousPush: lastPush
        )
        if next.method != .get {
            if !isHeartbeat { lastPush = now.uptime }
            if !(isHeartbeat && heartbeatsAreFree) { spending?.spend(at: now) }
        }
        waitingSince = nil
        let path = next.method == .post ? ServicePath.widgets : ServicePath.widget(slug)
        let body = next.body.map { isHeartbeat ? $0 : dated($0, sample: asked.lastSample, at: now) }
        return WidgetRequest(id: id, method: next.method, path: path, body: body.map(JSONValue.object))
    }

    /// Whether the request that would be sent now may spend an update.
    func wouldSpend(at now: Moment, _ asked: Delivery.Circumstances, isFlush: Bool) -> Bool {
        let next = isFlush ? next : request(at: now, asked)
        return next.map { $0.method != .get } ?? false
    }

    /// What is due by now: a change first, then a sign of life, then a look.
    private func request(at now: Moment, _ asked: Delivery.Circumstances) -> Next? {
        if let next, pushDue(at: now).map({ $0 <= now.uptime }) == true { return next }
        if let wanted, heartbeatDue(at: now, asked.lastLife).map({ $0 <= now.uptime }) == true {
            return Next(method: .patch, body: wanted.heartbeat, significance: .none)
        }
        if readDue.map({ $0 <= now.uptime }) == true { return Next(method: .get) }
        return nil
    }

    /// With the age of the data, if it is shown. It rides along and never starts a push: the phone counts by itself.
    private func dated(_ body: JSONObject, sample: Duration?, at now: Moment) -> JSONObject {
        guard policy.showsAge, let sample, case .object(var content)? = body["content"] else { return body }
        let date = RFC3339.text(now.wall - (now.uptime - sample))
        content[OwnMembers.age] = ["date": .string(date), "style": "relative"]
        var body = body
        body["content"] = .object(content)
        return body
    }

    /// Works out what is to be sent, from what the server holds and should hold.
    private mutating func plan(at now: Moment) {
        next = nextRequest(at: now.wall)
        if let body = next?.body, barred.contains(body) { next = nil }
        waitingSince = next == nil ? nil : (waitingSince ?? now.uptime)
    }

    private func nextRequest(at wall: Duration) -> Next? {
        switch shadow {
        case .unknown:
            return Next(method: .get)
        case .absent:
            return reducedWanted.map { Next(method: .post, body: $0.creation(slug: slug)) }
        case .held(let documents):
            let abandoned = abandoned(by: wanted)
            guard let wanted = reducedWanted, let patch = shadow.patch(to: wanted, abandoning: abandoned) else {
                return nil
            }
            // Where it is uncertain what the server holds, only a patch can make it certain.
            let significance = documents.count > 1 ? .urgent : significance(of: wanted, since: documents[0], at: wall)
            guard significance > .none else { return nil }
            return Next(method: .patch, body: patch, significance: significance)
        }
    }

    private func significance(
        of wanted: WidgetDocument,
        since held: WidgetDocument,
        at wall: Duration
    ) -> Significance {
        let isSame =
            held.name == wanted.name && held.staleAfter == wanted.staleAfter
            && (wanted.pushThrottle == nil || held.pushThrottle == wanted.pushThrottle)
            && abandoned(by: self.wanted).allSatisfy { held.content[$0] == nil }
        let significance = Significance(from: held.content, to: wanted.content, band: policy.deadband, at: wall)
        return isSame ? significance : max(significance, .ordinary)
    }

    private var reducedWanted: WidgetDocument? {
        wanted.map { wanted in
            var reduced = wanted
            reduced.content = reduction.applied(to: wanted.content)
            return reduced
        }
    }

    /// Lets the plan for a limited number of updates know how wrong the phone is.
    private mutating func observe(at now: Moment) {
        guard spending != nil, let actual = wanted.flatMap({ FlowFigures($0.content) }) else { return }
        guard case .held(let documents) = shadow, let shown = documents.first.flatMap({ FlowFigures($0.content) })
        else {
            let all = actual.throughput
            spending?.observe(error: all, lasting: all, throughput: all, at: now)
            return
        }
        spending?.observe(
            error: shown.error(against: actual),
            lasting: shown.commonError(against: actual),
            throughput: actual.throughput,
            at: now
        )
    }
}

// MARK: - Answers

extension WidgetDelivery {
    /// Takes the answer to the request in flight.
    mutating func receive(_ answer: ServiceAnswer, at now: Moment, using random: inout SplitMix) -> LogEntry? {
        guard let request = inFlight else { return nil }
        inFlight = nil
        let hadFailed = backoff.failures > 0
        defer {
            observe(at: now)
            plan(at: now)
        }
        switch answer {
        case .widget(let document, let updated):
            settle(request, on: document, updated: updated, at: now)
            return hadFailed ? LogEntry(.notice, "The widget '\(slug)' is being updated again.") : nil
        case .noWidget:
            shadow = .absent
            // A service that keeps answering 404 to POST must not be asked without pause.
            if request.method == .post { return fail(request, "answered 404", at: now.uptime, using: &random) }
            guard request.method != .get || lastHeard != nil else { return nil }
            return LogEntry(.notice, "The widget '\(slug)' is gone from the service; it is created again.")
        case .contentRefused(let locations, let reason):
            return refused(request, locations, reason, at: now.uptime, using: &random)
        case .requestRefused(let reason):
            bar(request.body)
            return pause(
                request,
                at: now.uptime,
                for: .seconds(60),
                "The service refuses a \(request.method.rawValue) for the widget '\(slug)' (\(reason)); "
                    + "the same is not sent again."
            )
        case .forbidden(let reason):
            return pause(
                request,
                at: now.uptime,
                for: .seconds(1800),
                "The key may not write the widget '\(slug)' (\(reason)): give it the widgets permission, or see to the "
                    + "subscription. The next try is in 30 minutes."
            )
        case .widgetLimit(let reason):
            return pause(
                request,
                at: now.uptime,
                for: .seconds(3 * 3600),
                "The account has no room for the widget '\(slug)' (\(reason)): delete one that you no longer need. "
                    + "The next try is in 3 hours."
            )
        case .redirected(let status):
            return pause(
                request,
                at: now.uptime,
                for: .seconds(900),
                "The service answered with a redirect (\(status)), which is not followed: check the address under "
                    + "'pushward'."
            )
        case .keyRefused, .rateLimited, .quotaExceeded, .account:
            // The whole process waits; for the widget it is as if the request had not been made.
            takeBack(request, at: now.uptime)
            return nil
        case .unavailable(let status, let wait):
            // A gateway in front of the service may give up while the service goes on.
            markUncertain(request)
            return fail(request, "answered \(status)", atLeast: wait, at: now.uptime, using: &random)
        case .unreadable:
            markUncertain(request)
            return fail(request, "answered something that is no widget", at: now.uptime, using: &random)
        }
    }

    /// Takes note that the request in flight had no answer.
    mutating func receive(_ failure: TransportFailure, at now: Moment, using random: inout SplitMix) -> LogEntry? {
        guard let request = inFlight else { return nil }
        inFlight = nil
        defer {
            observe(at: now)
            plan(at: now)
        }
        if failure.reach == .unanswered { markUncertain(request) }
        return fail(request, "cannot be reached: \(failure.reason.droppingPeriod)", at: now.uptime, using: &random)
    }

    private mutating func settle(
        _ request: InFlight,
        on document: WidgetDocument,
        updated: Duration?,
        at now: Moment
    ) {
        backoff.succeed()
        retryAt = nil
        if request.method != .get { isOwed = false }
        if request.method == .post { recreations = recreations.suffix(mostRecreationsAnHour - 1) + [now.uptime] }
        shadow = .held([document])
        own.confirm(document.content)
        lastHeard = now.uptime
        if request.method == .get {
            // A person may have mended by hand what was refused.
            barred = []
            lastTouch = now.uptime - max(now.wall - (updated ?? now.wall), .zero)
        } else {
            lastTouch = now.uptime
            let wanted = request.wanted.map { $0.with(reduction.applied(to: $0.content)) }
            if !request.isHeartbeat, let wanted, let body = request.body,
                shadow.patch(to: wanted, abandoning: abandoned(by: request.wanted)) == body
            {
                // Accepted, and yet not kept: sending it again and again would spend an update each time.
                bar(body)
            }
        }
    }

    /// Each refusal takes one step of the reduction. Once there is nothing left to leave out the tries get rare, since
    /// every new value would be refused as well.
    private mutating func refused(
        _ request: InFlight,
        _ locations: [String],
        _ reason: String,
        at now: Duration,
        using random: inout SplitMix
    ) -> LogEntry? {
        takeBack(request, at: now)
        let places = locations.isEmpty ? "" : " at \(locations.prefix(3).joined(separator: ", "))"
        let sentence = "The service refuses the content of the widget '\(slug)'\(places) (\(reason)); "
        bar(request.body)
        guard let given = reduction.refuse(locations) else {
            let isFirst = backoff.failures == 0
            retryAt = now + max(backoff.fail(using: &random) * 15, .seconds(60))
            guard isFirst else { return nil }
            return LogEntry(.error, sentence + "nothing is left to leave out, so it is tried ever more rarely.")
        }
        return LogEntry(.error, sentence + "it is sent without \(given).")
    }

    private mutating func pause(
        _ request: InFlight,
        at now: Duration,
        for wait: Duration,
        _ sentence: String
    ) -> LogEntry {
        takeBack(request, at: now)
        retryAt = now + wait
        return LogEntry(.error, sentence)
    }

    /// Undoes what a request that did not arrive has changed: the interval is between pushes that arrive, and a failed one
    /// must not make the next wait for it.
    private mutating func takeBack(_ request: InFlight, at now: Duration) {
        lastPush = request.previousPush
        guard request.method != .get else { return }
        if !(request.isHeartbeat && heartbeatsAreFree) { spending?.refund() }
        // A sign of life that is refused is not repeated before the next is due.
        if request.isHeartbeat { lastTouch = now } else { isOwed = true }
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
        atLeast wait: Duration? = nil,
        at now: Duration,
        using random: inout SplitMix
    ) -> LogEntry? {
        let isFirst = backoff.failures == 0
        takeBack(request, at: now)
        retryAt = now + max(backoff.fail(using: &random), wait ?? .zero)
        guard isFirst else { return nil }
        return LogEntry(.warning, "The widget service \(what). The newest state of '\(slug)' is kept and tried again.")
    }
}

extension WidgetDocument {
    /// The same document with another content.
    fileprivate func with(_ content: JSONObject) -> WidgetDocument {
        var document = self
        document.content = content
        return document
    }
}

extension String {
    /// A sentence's text, to stand within another sentence.
    fileprivate var droppingPeriod: String {
        hasSuffix(".") ? String(dropLast()) : self
    }
}
