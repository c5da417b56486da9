public import Readings
public import Widgets

/// When what is sent to which widget, and what each answer means: all that is decided between a finished frame and the
/// network.
///
/// The state is retried, never a request: there is what the server is known to hold, what it should hold, and at most one
/// request in flight for each widget.
public struct Delivery: Sendable {
    private var widgets: [WidgetDelivery]
    private var gate = ServiceGate()
    private var random: SplitMix
    private var lastID = 0

    /// Makes a delivery for widgets that the server may or may not hold already.
    /// - Parameter seed: decides the jitter.
    public init(widgets: [(slug: Slug, policy: PushPolicy)], seed: UInt64) {
        self.widgets = widgets.map { WidgetDelivery(slug: $0.slug, policy: $0.policy) }
        random = SplitMix(seed: seed)
    }

    /// Sets what the server should hold for the widget at `index`.
    public mutating func want(_ document: WidgetDocument, forWidget index: Int, at now: Moment) {
        widgets[index].want(document, at: now.uptime)
    }

    /// The uptime at which `requests(at:isHeld:)` may have something to send; `nil` while only an answer can change that.
    public func nextDeadline(isHeld: (Int) -> Bool) -> Duration? {
        let due = widgets.indices.compactMap { isHeld($0) && widgets[$0].isPush ? nil : widgets[$0].due }.min()
        return [due.map { gate.opens(notBefore: $0) }, gate.probeDue].compactMap { $0 }.min()
    }

    /// The requests that may go now, the longest waiting first.
    /// - Parameter isHeld: whether the widget at an index has a newer frame that is about to settle: then its push waits
    ///   for that frame, since an older one would bar it for an interval.
    public mutating func requests(at now: Moment, isHeld: (Int) -> Bool) -> [WidgetRequest] {
        var requests: [WidgetRequest] = []
        if let due = gate.probeDue, due <= now.uptime {
            lastID += 1
            gate.probe(id: lastID)
            requests.append(WidgetRequest(id: lastID, method: .get, path: ServicePath.account))
        }
        let ready = widgets.indices.filter { index in
            widgets[index].due.map { $0 <= now.uptime } == true && !(widgets[index].isPush && isHeld(index))
        }
        requests += send(ready, at: now)
        return requests
    }

    /// The requests that bring the server up to date before the process ends: intervals no longer count, the service's
    /// own limits do.
    public mutating func flush(at now: Moment) -> [WidgetRequest] {
        send(widgets.indices.filter { widgets[$0].isPush }, at: now)
    }

    private mutating func send(_ indices: [Int], at now: Moment) -> [WidgetRequest] {
        let oldestFirst = indices.sorted { left, right in
            (widgets[left].waitingSince ?? .zero, left) < (widgets[right].waitingSince ?? .zero, right)
        }
        var requests: [WidgetRequest] = []
        for index in oldestFirst where gate.admit(at: now.uptime) {
            lastID += 1
            if let request = widgets[index].send(id: lastID, at: now.uptime) { requests.append(request) }
        }
        return requests
    }

    /// Takes the outcome of a request that `requests(at:)` or `flush(at:)` gave.
    public mutating func complete(_ request: Int, with outcome: RequestOutcome, at now: Moment) -> [LogEntry] {
        if gate.isProbe(request) {
            return [gate.completeProbe(with: outcome, at: now, using: &random)].compactMap { $0 }
        }
        guard let index = widgets.firstIndex(where: { $0.inFlight?.id == request }),
            let method = widgets[index].inFlight?.method
        else { return [] }
        switch outcome {
        case .failure(let failure):
            return [widgets[index].receive(failure, at: now.uptime, using: &random)].compactMap { $0 }
        case .response(let response):
            let path = ServicePath.widget(widgets[index].slug)
            let answer = ServiceAnswer(to: method, path: path, response, at: now)
            let line = gate.receive(answer, at: now.uptime, using: &random)
            return [line, widgets[index].receive(answer, at: now.uptime, using: &random)].compactMap { $0 }
        }
    }

    /// Whether any request is on its way.
    public var isBusy: Bool {
        widgets.contains { $0.inFlight != nil }
    }
}
