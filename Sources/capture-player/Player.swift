import Demonstration
import Glibc
import HTTPTransport
import Mosquitto
import Replay
import Widgets

/// Plays a recorded day through a broker while the daemon listens there, and watches what the service is sent.
struct Player {
    private let options: PlayerOptions
    private let messages: [CapturedMessage]
    private let truth: Truth
    private let broker: MosquittoClient
    private let transport: HTTPTransport
    private var trace: TraceFollower
    private var history = WidgetHistory(slug: Player.slug)
    /// Of the widgets beside the flow.
    private var sides: [(slug: String, history: WidgetHistory)]
    /// The moments between which the countdown counts, once the play has begun.
    private var span: (start: Duration, end: Duration)?
    private var stage = Stage()
    private var isDaemonThere = false
    private var lastUpkeep = Duration.zero
    private var lastEntry = Duration.zero

    /// The widget of the example configurations.
    private static let slug = "power"
    /// How long nothing may be written before the widgets count as being at rest: longer than the demonstration's longest
    /// `every` and its `settle` together.
    private static let rest = Duration.seconds(5)
    /// How long the daemon may take to connect, and the widget to come to rest.
    private static let patience = Duration.seconds(20)

    /// Opens all that the play needs.
    init(_ options: PlayerOptions) throws {
        self.options = options
        messages = try Player.messages(of: options.capture)
        sides = [options.progress, options.countdown].compactMap(\.self).map { ($0, WidgetHistory(slug: $0)) }
        truth = try Truth(table: String(decoding: WholeFile.bytes(options.truth), as: UTF8.self))
        trace = try TraceFollower(options.trace)
        let key = String(decoding: try WholeFile.bytes(options.key), as: UTF8.self)
        let authorization = "Bearer \(key.prefix { !$0.isWhitespace })"
        transport = try HTTPTransport(HTTPTransport.Options(userAgent: "capture-player", authorization: authorization))
        let client = MosquittoOptions(host: "127.0.0.1", port: options.brokerPort, clientID: "capture-player")
        broker = try MosquittoClient(client)
    }

    /// Plays, and tells whether the widget shows the truth at the end.
    mutating func run() throws -> Bool {
        try awaitDaemon()
        try play()
        return try judge()
    }

    private static func messages(of path: String) throws -> [CapturedMessage] {
        var reader = CaptureReader()
        var messages: [CapturedMessage] = []
        for line in try WholeFile.bytes(path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if let message = try reader.read(line) { messages.append(message) }
        }
        if let message = reader.finish() { messages.append(message) }
        guard !messages.isEmpty else { throw PlayerFailure(description: "\(path) holds no message.") }
        return messages
    }

    /// Messages that are not retained reach only who is there already.
    private mutating func awaitDaemon() throws {
        broker.connect()
        let start = RecordedClock.uptime
        while !isDaemonThere {
            guard RecordedClock.uptime - start < Player.patience else {
                throw PlayerFailure(description: "flowbridge did not connect to the broker.")
            }
            try wait(atMost: .milliseconds(100))
        }
    }

    private mutating func play() throws {
        let clock = Playback(from: messages[0].wall, to: messages[messages.count - 1].wall, within: options.length)
        stage.say(
            "Playing \(messages.count) messages of one day in \(options.length.components.seconds) s, "
                + "\(Int(clock.speed.rounded())) times as fast as it was."
        )
        stage.say()
        publishSpan()
        let start = RecordedClock.uptime
        var next = 0
        while true {
            let elapsed = RecordedClock.uptime - start
            while next < messages.count, clock.due(messages[next].wall) <= elapsed {
                publish(messages[next])
                next += 1
            }
            if next == messages.count {
                let quiet = RecordedClock.uptime - max(lastEntry, start + clock.due(messages[next - 1].wall))
                if quiet > Player.rest || elapsed > clock.length + Player.patience { break }
            }
            try showUpdates(at: clock.wall(after: elapsed))
            stage.draw(at: clock.wall(after: elapsed), progress: clock.progress(after: elapsed))
            let pause = next < messages.count ? clock.due(messages[next].wall) - elapsed : .milliseconds(50)
            try wait(atMost: min(max(pause, .milliseconds(5)), .milliseconds(50)))
        }
    }

    /// A phone counts in real time, and the recorded day passes in seconds: what is really over in a known time is the play.
    private mutating func publishSpan() {
        let start = RecordedClock.present
        span = (start, start + options.length)
        for (name, moment) in [("begins", start), ("ends", start + options.length)] {
            broker.publish(topic: "demonstration/\(name)", payload: "\(moment.components.seconds)", retain: true)
        }
    }

    private func publish(_ message: CapturedMessage) {
        broker.publish(
            topic: String(decoding: message.topic, as: UTF8.self),
            payload: String(decoding: message.payload, as: UTF8.self),
            retain: message.retained
        )
    }

    private mutating func showUpdates(at wall: Duration) throws {
        for entry in try trace.next() {
            lastEntry = RecordedClock.uptime
            if let update = history.take(entry) {
                stage.show(update, at: wall)
            } else if showSide(entry, at: wall) {
                continue
            } else if entry.method != "GET" {
                stage.say("\(RecordedClock.time(wall))  \(entry.method) \(entry.path) was answered \(entry.status)")
            }
        }
    }

    /// Shows what a request has made of a widget beside the flow, if it is one's.
    private mutating func showSide(_ entry: TraceEntry, at wall: Duration) -> Bool {
        for index in sides.indices {
            guard let update = sides[index].history.take(entry) else { continue }
            stage.show(update, of: sides[index].slug, patches: sides[index].history.patches, at: wall)
            return true
        }
        return false
    }

    private mutating func judge() throws -> Bool {
        let content = try content(of: Player.slug)
        let bytes = history.bytes
        stage.keep()
        stage.say(
            "\(history.patches) patches, \(bytes.patches) bytes; the whole content each time would have been \(bytes.full) bytes."
        )
        for side in sides {
            let (patches, bytes) = (side.history.patches, side.history.bytes)
            let cost = patches == 0 ? "no patch" : "\(patches) patches, \(bytes.patches) bytes of \(bytes.full)"
            stage.say("\(side.slug): \(cost).")
        }
        stage.say()
        var verdict = Verdict(widget: FlowState(content: content), truth: truth.state)
        if let slug = options.progress {
            verdict.add(progress: try self.content(of: slug), truth: truth.state)
        }
        if let slug = options.countdown, let span {
            verdict.add(countdown: try self.content(of: slug), from: span.start, to: span.end)
        }
        for line in verdict.table { stage.say(line) }
        stage.say()
        let (subject, verb) = sides.isEmpty ? ("The widget", "shows") : ("The widgets", "show")
        let negation = sides.isEmpty ? "does not show" : "do not all show"
        stage.say("\(subject) \(verdict.isRight ? verb : negation) the truth.")
        if options.printsDocument {
            let line: JSONObject = ["slug": .string(Player.slug), "content": .object(content)]
            stage.say(line.description)
        }
        return verdict.isRight
    }

    /// What the service holds of a widget, asked of itself.
    private mutating func content(of slug: String) throws -> JSONObject {
        transport.send(HTTPRequest(method: "GET", url: "\(options.service)/widgets/\(slug)"), id: 0)
        while true {
            guard let completion = try wait(atMost: .seconds(1)).first else { continue }
            switch completion.outcome {
            case .failure(_, let reason):
                throw PlayerFailure(description: reason)
            case .response(let response) where response.status != 200:
                throw PlayerFailure(
                    description: "The service answered \(response.status) to who asked for the widget '\(slug)'."
                )
            case .response(let response):
                guard let content = try JSONValue(parsing: response.body).asObject?["content"]?.asObject else {
                    throw PlayerFailure(description: "The service's widget '\(slug)' has no content.")
                }
                return content
            }
        }
    }

    /// Waits for the broker and the service, and does what they ask for.
    @discardableResult
    private mutating func wait(atMost time: Duration) throws -> [HTTPTransport.Completion] {
        var watched = broker.descriptor.map { [WatchedDescriptor($0, wantsWrite: broker.wantsWrite)] } ?? []
        try transport.wait(for: &watched, atMost: time)
        var isDaemonHeard = false
        // Only the daemon's status is subscribed to.
        while broker.read(handler: { _, status, _ in isDaemonHeard = status.elementsEqual("online".utf8) }) {}
        isDaemonThere = isDaemonThere || isDaemonHeard
        broker.write()
        if RecordedClock.uptime - lastUpkeep > .seconds(1) {
            lastUpkeep = RecordedClock.uptime
            broker.misc()
        }
        for event in broker.takeEvents() {
            switch event {
            case .connected: broker.subscribe(["flowbridge/+/status"])
            case .ended(let error): throw PlayerFailure(description: error.description)
            case .subscribed, .subscriptionRefused: break
            }
        }
        return try transport.perform()
    }
}
