public import Delivery
import EnergyFlow
public import Readings
import Widgets

/// The whole bridge as one value: messages and time go in, requests and log lines come out. It does no I/O.
public struct Bridge {
    private var readings: Readings
    private var feeds: [FlowFeed]
    private var delivery: Delivery
    /// The widgets that a reading feeds, by the reading's index.
    private let widgetsOfReading: [[Int]]
    /// Reused for every message.
    private var events: [ReadingEvent] = []
    private var deadline: Duration?
    private var lines: [LogEntry] = []

    /// Makes a bridge that has heard nothing yet.
    /// - Parameter seed: decides the jitter; the same seed and inputs give the same outputs.
    public init(_ definition: BridgeDefinition, seed: UInt64) {
        readings = Readings(definition.readings)
        feeds = definition.widgets.map { FlowFeed($0, readings: definition.readings) }
        delivery = Delivery(widgets: definition.widgets.map { ($0.widget.slug, $0.push) }, seed: seed)
        var widgets = Array(repeating: [Int](), count: definition.readings.count)
        for (index, feed) in feeds.enumerated() {
            for reading in feed.readings { widgets[reading].append(index) }
        }
        widgetsOfReading = widgets
        deadline = .zero
    }

    /// The topics to subscribe to.
    public var filters: [TopicFilter] {
        readings.filters
    }

    /// The uptime at which `advance` has something to do; `nil` while only a message or an answer can change that.
    public var nextDeadline: Duration? {
        deadline
    }

    /// Takes a message. What it changes is told by the next `advance`, once `nextDeadline` has come.
    public mutating func receive(
        topic: UnsafeRawBufferPointer,
        payload: UnsafeRawBufferPointer,
        retained: Bool,
        at now: Moment
    ) {
        readings.receive(topic: topic, payload: payload, retained: retained, at: now, events: &events)
        takeEvents(at: now)
        if let due = readings.problemsDue { deadline = min(deadline ?? due, due) }
    }

    /// Lets time pass up to `now`: readings expire, frames settle, requests become due.
    public mutating func advance(to now: Moment) -> [BridgeAction] {
        readings.advance(to: now, events: &events)
        takeEvents(at: now)
        for index in feeds.indices {
            guard let due = evaluationDue(index), due <= now.uptime else { continue }
            evaluate(index, at: now)
        }
        let requests = delivery.requests(at: now) { feeds[$0].settling.isWaiting }
        return actions(sending: requests, at: now)
    }

    /// Takes the outcome of a request. What follows from it is told by the next `advance`.
    public mutating func complete(_ request: Int, with outcome: RequestOutcome, at now: Moment) {
        lines += delivery.complete(request, with: outcome, at: now)
        deadline = now.uptime
    }

    /// The last requests before the process ends: what differs now goes, settled or not, whatever the intervals say.
    public mutating func finish(at now: Moment) -> [BridgeAction] {
        for index in feeds.indices where feeds[index].settling.isWaiting {
            evaluate(index, at: now)
        }
        return actions(sending: delivery.flush(at: now), at: now)
    }

    private mutating func takeEvents(at now: Moment) {
        guard !events.isEmpty else { return }
        for event in events {
            for widget in widgetsOfReading[event.reading] {
                if event.changed { feeds[widget].settling.change(at: now.uptime) }
                // Also an unchanged report may be the one that a waiting frame still lacks.
                if let settles = settles(widget) { deadline = min(deadline ?? settles, settles) }
            }
        }
        events.removeAll(keepingCapacity: true)
    }

    private func settles(_ widget: Int) -> Duration? {
        let feed = feeds[widget]
        guard feed.settling.isWaiting else { return nil }
        return feed.settling.settles(
            sources: feed.readings.lazy.map { reading in
                FrameSettling.Rhythm(
                    lastReport: readings.lastFresh(reading),
                    interval: readings.interval(reading)
                )
            }
        )
    }

    private func evaluationDue(_ widget: Int) -> Duration? {
        [settles(widget), feeds[widget].recheck].compactMap { $0 }.min()
    }

    private mutating func evaluate(_ widget: Int, at now: Moment) {
        feeds[widget].settling.take()
        let evaluation = feeds[widget].evaluate(readings, at: now)
        lines += evaluation.lines
        if let document = evaluation.document { delivery.want(document, forWidget: widget, at: now) }
    }

    private mutating func actions(sending requests: [WidgetRequest], at now: Moment) -> [BridgeAction] {
        lines += readings.takeProblems(at: now).map(LogEntry.init)
        let actions = lines.map(BridgeAction.log) + requests.map(BridgeAction.send)
        lines = []
        deadline = earliestDeadline()
        return actions
    }

    private func earliestDeadline() -> Duration? {
        let evaluation = feeds.indices.lazy.compactMap { evaluationDue($0) }.min()
        let due = delivery.nextDeadline { feeds[$0].settling.isWaiting }
        return [readings.nextDeadline, readings.problemsDue, evaluation, due].compactMap { $0 }.min()
    }
}
