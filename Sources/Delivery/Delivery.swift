public import EnergyFlow
public import Readings
public import Widgets

/// When what is sent to which widget, and what each answer means: all that is decided between a finished frame and the
/// network.
///
/// The state is retried, never a request: there is what the server is known to hold, what it should hold, and at most one
/// request in flight for each widget.
public struct Delivery: Sendable {
    /// One widget's slug and how it is pushed.
    public typealias Widget = (slug: Slug, policy: PushPolicy)

    /// What the delivery asks about a widget when it decides.
    public struct Circumstances {
        /// Whether a newer frame is about to settle. Then a push waits for it: an older one would bar it for an interval.
        public var isHeld: Bool
        /// The uptime of the newest live sample behind the widget; `nil` when there is none to tell the age of.
        public var lastSample: Duration?
        /// The uptime up to which a source of the widget was certainly alive; `nil` when what it shows is not known.
        public var lastLife: Duration?

        /// Makes circumstances.
        public init(isHeld: Bool, lastSample: Duration?, lastLife: Duration?) {
            self.isHeld = isHeld
            self.lastSample = lastSample
            self.lastLife = lastLife
        }
    }

    private var widgets: [WidgetDelivery]
    private var gate: ServiceGate
    private var random: SplitMix
    private let calendar: LocalCalendar
    private var lastID = 0

    /// Makes a delivery for widgets that the server may or may not hold already.
    /// - Parameters:
    ///   - calendar: decides what a day of a budget is.
    ///   - notes: what an earlier run left in `notes`.
    ///   - seed: decides the jitter.
    public init(
        widgets: [Widget],
        calendar: LocalCalendar,
        restoring notes: [String: String] = [:],
        seed: UInt64,
        at now: Moment
    ) {
        self.calendar = calendar
        self.widgets = widgets.map {
            WidgetDelivery(slug: $0.slug, policy: $0.policy, own: notes["content.\($0.slug)"], at: now)
        }
        gate = ServiceGate(
            asksAccount: widgets.contains { $0.policy.budget != .unlimited },
            noOpCost: NoOpCost(note: notes["no-op"]),
            at: now.uptime
        )
        random = SplitMix(seed: seed)
        for index in self.widgets.indices {
            let note = notes["spending.\(self.widgets[index].slug)"].flatMap(SpendingNote.init)
            self.widgets[index].restore(note, calendar: calendar, at: now)
        }
    }

    /// What the next run should know, by name.
    public var notes: [String: String] {
        var notes: [String: String] = [:]
        for widget in widgets {
            notes["content.\(widget.slug)"] = widget.ownMembers
            if let spending = widget.spending { notes["spending.\(widget.slug)"] = SpendingNote(spending).description }
        }
        notes["no-op"] = gate.noOpCost.note
        return notes
    }

    /// By widget, the members of its content that are the bridge's own, for comparing.
    public var ownMembers: [String] {
        widgets.map(\.ownMembers)
    }

    /// Sets what the server should hold for the widget at `index`.
    public mutating func want(_ document: WidgetDocument, forWidget index: Int, at now: Moment) {
        widgets[index].want(document, at: now)
    }

    /// What the server certainly holds for the widget at `index`; `nil` while that is not certain, and when it is nothing.
    public func held(_ index: Int) -> WidgetDocument? {
        guard case .held(let documents) = widgets[index].shadow, documents.count == 1 else { return nil }
        return documents[0]
    }

    /// The uptime at which `requests(at:_:)` may have something to send; `nil` while only an answer can change that.
    public func nextDeadline(at now: Moment, _ circumstances: [Circumstances]) -> Duration? {
        let due = widgets.indices.compactMap { index -> Duration? in
            let asked = circumstances[index]
            let widget = widgets[index]
            guard !isHeldBack(widget, asked), let due = widget.due(at: now, asked) else {
                return nil
            }
            return gate.opens(notBefore: due, isUpdate: widget.isPush, at: now)
        }
        return [due.min(), gate.nextAccountRequest].compactMap { $0 }.min()
    }

    /// The requests that may go now, the longest waiting first.
    public mutating func requests(at now: Moment, _ circumstances: [Circumstances]) -> [WidgetRequest] {
        for index in widgets.indices { widgets[index].spending?.renew(at: now) }
        var requests: [WidgetRequest] = []
        if let due = gate.nextAccountRequest, due <= now.uptime {
            lastID += 1
            gate.asked(id: lastID, at: now.uptime)
            requests.append(WidgetRequest(id: lastID, method: .get, path: ServicePath.account))
        }
        let ready = widgets.indices.filter { index in
            guard !isHeldBack(widgets[index], circumstances[index]) else { return false }
            return widgets[index].due(at: now, circumstances[index]).map { $0 <= now.uptime } == true
        }
        return requests + send(ready, at: now, circumstances)
    }

    /// The requests that bring the server up to date before the process ends: intervals no longer count, what is left of
    /// a budget does.
    public mutating func flush(at now: Moment, _ circumstances: [Circumstances]) -> [WidgetRequest] {
        let ready = widgets.indices.filter { widgets[$0].isPush && widgets[$0].spending == nil }
        return send(ready, at: now, circumstances, isFlush: true)
    }

    /// A push waits for a frame that is about to settle, and for the account's word on what may be spent. A first read
    /// waits for neither.
    private func isHeldBack(_ widget: WidgetDelivery, _ asked: Circumstances) -> Bool {
        widget.isPush && (asked.isHeld || (!gate.knowsAccount && widget.policy.budget == .auto))
    }

    private mutating func send(
        _ indices: [Int],
        at now: Moment,
        _ circumstances: [Circumstances],
        isFlush: Bool = false
    ) -> [WidgetRequest] {
        let oldestFirst = indices.sorted { left, right in
            (widgets[left].waitingSince ?? .zero, left) < (widgets[right].waitingSince ?? .zero, right)
        }
        var requests: [WidgetRequest] = []
        for index in oldestFirst {
            let asked = circumstances[index]
            let isUpdate = widgets[index].wouldSpend(at: now, asked, isFlush: isFlush)
            guard gate.admit(isUpdate: isUpdate, at: now) else { continue }
            lastID += 1
            let request = widgets[index].send(id: lastID, at: now, asked, isFlush: isFlush)
            if let request { requests.append(request) }
        }
        return requests
    }

    /// Takes the outcome of a request that `requests(at:_:)` or `flush(at:_:)` gave.
    public mutating func complete(_ request: Int, with outcome: RequestOutcome, at now: Moment) -> [LogEntry] {
        if gate.isAccountRequest(request) {
            let line = gate.completeAccountRequest(with: outcome, at: now, using: &random)
            shareAccount(at: now)
            for index in widgets.indices { widgets[index].heartbeatsAreFree = gate.noOpCost.isFree }
            return [line].compactMap { $0 }
        }
        guard let index = widgets.firstIndex(where: { $0.inFlight?.id == request }) else { return [] }
        switch outcome {
        case .failure(let failure):
            return [widgets[index].receive(failure, at: now, using: &random)].compactMap { $0 }
        case .response(let response):
            let isHeartbeat = widgets[index].inFlight?.isHeartbeat == true
            let isWrite = widgets[index].inFlight?.method != .get
            let answer = ServiceAnswer(to: ServicePath.widget(widgets[index].slug), response, at: now)
            let line = gate.receive(answer, at: now, using: &random)
            if case .widget = answer, isWrite { gate.accepted(isHeartbeat: isHeartbeat, at: now.uptime) }
            return [line, widgets[index].receive(answer, at: now, using: &random)].compactMap { $0 }
        }
    }

    /// Shares what the account has among the widgets: evenly at first, and then each spends its own. Were what is left shared
    /// anew each time, one that changes often would spend the updates of all others.
    private mutating func shareAccount(at now: Moment) {
        guard gate.knowsAccount else { return }
        guard let account = gate.account, let limit = account.limit, let left = account.left else {
            for index in widgets.indices { widgets[index].share(limit: nil, calendar: calendar, at: now) }
            return
        }
        let share = max(1, limit / widgets.count)
        let sharing = widgets.filter { $0.sharesMonth(of: share) }
        // Somebody else spends from the account too, or has given something back.
        let known = sharing.compactMap(\.spending?.left).reduce(0, +)
        let surplus = sharing.isEmpty ? 0 : (left * sharing.count / widgets.count - known) / sharing.count
        for index in widgets.indices {
            let mine = widgets[index].sharesMonth(of: share) ? widgets[index].spending.map { $0.left + surplus } : nil
            let share = (limit: share, left: max(0, mine ?? left / widgets.count))
            widgets[index].share(limit: share, calendar: calendar, at: now)
        }
    }
}
