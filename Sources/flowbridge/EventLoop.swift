import Bridge
import Configuration
import Delivery
import Glibc
import HTTPTransport
import Readings
import Replay
import Widgets

/// Runs the daemon until a signal ends it.
///
/// - Returns: the exit code.
func runDaemon(_ options: DaemonOptions, bridge: consuming Bridge) -> Int32 {
    guard let signals = Signals() else {
        Log.write(LogEntry(.error, "No descriptor is left for signals."))
        return EX_OSERR
    }
    do throws(HTTPTransportError) {
        var loop = try EventLoop(options, bridge: bridge, signals: signals)
        return try loop.run()
    } catch {
        Log.write(LogEntry(.error, error.description))
        return EX_SOFTWARE
    }
}

/// The one thread and its one wait: for the broker, the widget service, signals and the next deadline.
///
/// A value with one owner: to every property of a class the runtime asks whether somebody else is at it, some twenty times
/// in a turn.
private struct EventLoop: ~Copyable {
    private enum Phase {
        case running
        /// A signal came; what is in flight may come back until then.
        case stopping(until: Duration, hasFlushed: Bool)
        case stopped
    }

    private enum Destination {
        case service(url: String, reread: () -> Secret?)
        case output(VirtualServer)
    }

    /// How long a stop waits for answers: service managers and people alike expect an end within two seconds.
    private static let longestStop = Duration.milliseconds(1500)
    /// Every wait ends by then, should a deadline be missing.
    private static let longestWait = Duration.seconds(60)

    private var bridge: Bridge
    private var broker: BrokerSession
    private let transport: HTTPTransport
    private var destination: Destination
    private let signals: Signals
    private let keep: DaemonOptions.Keeper
    private var systemd: Systemd
    private var startupCode: StartupCode
    private var phase = Phase.running
    /// Whether the broker may have sent more than the last turn took.
    private var hasBacklog = false
    private var watched: [WatchedDescriptor] = []

    init(_ options: DaemonOptions, bridge: consuming Bridge, signals: Signals) throws(HTTPTransportError) {
        var transport = HTTPTransport.Options(userAgent: "flowbridge/\(CommandLineOptions.version)")
        switch options.service {
        case .live(let url, let key, let reread):
            transport.authorization = "Bearer \(key.exposed)"
            destination = .service(url: url, reread: reread)
        case .dryRun:
            destination = .output(VirtualServer())
        }
        self.transport = try HTTPTransport(transport)
        broker = BrokerSession(options.broker, filters: bridge.filters, seed: options.seed)
        let now = MonotonicClock.now.uptime
        systemd = Systemd(at: now)
        startupCode = StartupCode(at: now)
        keep = options.keep
        self.bridge = bridge
        self.signals = signals
    }

    mutating func run() throws(HTTPTransportError) -> Int32 {
        systemd.ready()
        while true {
            let now = MonotonicClock.now
            advance(to: now)
            if case .stopped = phase { return EX_OK }
            try wait(from: now)
            try serve(at: MonotonicClock.now)
        }
    }

    /// Does what is due by now.
    private mutating func advance(to now: Moment) {
        broker.advance(to: now)
        systemd.advance(to: now.uptime)
        systemd.show(broker.status)
        startupCode.advance(to: now.uptime)
        switch phase {
        case .running:
            if let due = bridge.nextDeadline, due <= now.uptime { perform(bridge.advance(to: now), at: now) }
        case .stopping(let until, let hasFlushed):
            advanceStop(until: until, hasFlushed: hasFlushed, at: now)
        case .stopped:
            break
        }
    }

    private mutating func wait(from now: Moment) throws(HTTPTransportError) {
        watched.removeAll(keepingCapacity: true)
        watched.append(WatchedDescriptor(signals.descriptor))
        if let descriptor = broker.descriptor {
            watched.append(WatchedDescriptor(descriptor, wantsWrite: broker.wantsWrite))
        }
        let time = hasBacklog ? .zero : min(max(nextDeadline - now.uptime, .zero), Self.longestWait)
        try transport.wait(for: &watched, atMost: time)
    }

    private var nextDeadline: Duration {
        var earliest = min(broker.nextDeadline ?? .maximum, systemd.nextDeadline ?? .maximum)
        earliest = min(earliest, startupCode.due ?? .maximum)
        switch phase {
        case .running: earliest = min(earliest, bridge.nextDeadline ?? .maximum)
        case .stopping(let until, _): earliest = min(earliest, until)
        case .stopped: break
        }
        return earliest
    }

    /// Takes what came.
    private mutating func serve(at now: Moment) throws(HTTPTransportError) {
        if watched[0].isReadable {
            while let signal = signals.next() { take(signal, at: now) }
        }
        if watched.count > 1 {
            if watched[1].isReadable || hasBacklog { read(at: now) }
            if watched[1].isWritable { broker.write(at: now) }
        } else {
            // A session that ended with something unread leaves nothing to come back for at once.
            hasBacklog = false
        }
        for completion in try transport.perform() {
            bridge.complete(completion.id, with: RequestOutcome(completion.outcome), at: now)
        }
    }

    private mutating func read(at now: Moment) {
        guard case .running = phase else {
            hasBacklog = broker.read(at: now) { _, _, _ in }
            return
        }
        hasBacklog = broker.read(at: now) { topic, payload, retained in
            bridge.receive(topic: topic, payload: payload, retained: retained, at: now)
        }
    }

    private mutating func perform(_ actions: [BridgeAction], at now: Moment) {
        for action in actions {
            switch action {
            case .log(let entry): Log.write(entry)
            case .keep(let state, let notes, let closing): keep(state, notes, closing)
            case .send(let request): send(request, at: now)
            }
        }
    }

    private mutating func send(_ request: WidgetRequest, at now: Moment) {
        switch destination {
        case .service(let url, let reread):
            // The account is asked while the key is refused, and a person may have put another in place.
            if request.path == ServicePath.account, let key = reread() {
                transport.authorize("Bearer \(key.exposed)")
            }
            transport.send(HTTPRequest(request, base: url), id: request.id)
        case .output(var server):
            let outcome = server.answer(request, at: now)
            destination = .output(server)
            if request.method != .get, let line = Replay.Output.write(at: now.wall, request).line {
                StandardStreams.output(line + "\n")
            }
            bridge.complete(request.id, with: outcome, at: now)
        }
    }
}

// MARK: - The end

extension EventLoop {
    private mutating func take(_ signal: Int32, at now: Moment) {
        guard signal != SIGHUP else {
            Log.write(LogEntry(.notice, "A changed configuration is read at the next start."))
            return
        }
        switch phase {
        case .running:
            systemd.stopping()
            phase = .stopping(until: now.uptime + Self.longestStop, hasFlushed: false)
            perform(bridge.finish(at: now), at: now)
            broker.leave()
        case .stopping, .stopped:
            // Whoever asks twice is in a hurry.
            phase = .stopped
        }
    }

    private mutating func advanceStop(until: Duration, hasFlushed: Bool, at now: Moment) {
        if transport.pending == 0, !hasFlushed {
            // What was in flight when the signal came has kept the newest state of its widget back. It goes now, once.
            phase = .stopping(until: until, hasFlushed: true)
            perform(bridge.finish(at: now), at: now)
        }
        if transport.pending == 0, broker.hasLeft {
            phase = .stopped
        } else if until <= now.uptime {
            phase = .stopped
            guard transport.pending > 0 else { return }
            Log.write(LogEntry(.warning, "The service did not answer the last requests in time."))
        }
    }
}

extension Duration {
    /// Later than every deadline.
    fileprivate static let maximum = Duration.seconds(Int64.max)
}
