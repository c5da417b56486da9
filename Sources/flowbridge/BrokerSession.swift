import Bridge
import Delivery
import Mosquitto
import Readings

/// The connection to the broker for as long as the daemon lives: connects, subscribes, and connects again.
struct BrokerSession: ~Copyable {
    private enum State {
        case waiting(until: Duration)
        case connecting(MosquittoClient, until: Duration)
        case connected(MosquittoClient, since: Duration)
        /// The farewell is on its way.
        case leaving(MosquittoClient)
        case left
    }

    /// How long TCP, TLS and the greeting may take together. The kernel alone would wait for two minutes.
    private static let longestAttempt = Duration.seconds(20)
    /// How often libmosquitto looks after its pings.
    private static let pingCheck = Duration.seconds(1)

    private var options: MosquittoOptions
    private let filters: [String]
    private let statusTopic: String
    private var policy: ReconnectPolicy
    private var keepalive: VictronKeepalive
    private var pace = ListeningPace()
    private var state = State.waiting(until: .zero)
    private var nextPingCheck = Duration.zero
    /// The last trouble that was told, so that an outage of hours is one line.
    private var toldTrouble: String?
    /// Whether sessions are made and lost in quick succession, which is told once, not each time.
    private var isFlapping = false

    /// Makes a session that connects with the first `advance`.
    init(_ options: MosquittoOptions, filters: [TopicFilter], seed: UInt64) {
        self.options = options
        keepalive = VictronKeepalive(filters: filters)
        self.filters = filters.map(\.description) + [keepalive.discovery].compactMap(\.self)
        statusTopic = "flowbridge/\(Self.topicLevel(options.clientID))/status"
        self.options.will = MosquittoOptions.Will(topic: statusTopic, payload: "offline")
        policy = ReconnectPolicy(seed: seed)
    }

    /// What to wait for now; `nil` while there is nothing, or messages are left to gather.
    var descriptor: Int32? { pace.resumes == nil || wantsWrite ? client?.descriptor : nil }

    /// Whether to wait for `descriptor` to become writable as well.
    var wantsWrite: Bool { client?.wantsWrite ?? false }

    /// When `advance` has something to do.
    var nextDeadline: Duration? {
        switch state {
        case .waiting(let until): until
        case .connecting(_, let until): min(until, nextPingCheck)
        case .connected, .leaving:
            min(pace.resumes ?? nextPingCheck, keepalive.nextDeadline ?? nextPingCheck, nextPingCheck)
        case .left: nil
        }
    }

    /// Whether there is nothing more to do after `leave`.
    var hasLeft: Bool {
        if case .left = state { true } else { false }
    }

    /// In a few words, for whoever looks.
    var status: String {
        switch state {
        case .waiting, .connecting: "Waiting for the broker."
        case .connected: "Connected to the broker."
        case .leaving, .left: "Stopping."
        }
    }

    /// Takes what came in.
    ///
    /// - Returns: whether more may be there, so that the loop must not wait.
    mutating func read(at now: Moment, handler: MosquittoClient.MessageHandler) -> Bool {
        guard let client else { return false }
        var messages = 0
        let hasMore = client.read { topic, payload, retained in
            messages += 1
            keepalive.learn(from: topic, at: now.uptime)
            handler(topic, payload, retained)
        }
        pace.heard(messages, hasMore: hasMore, at: now.uptime)
        takeEvents(of: client, at: now.uptime)
        return hasMore
    }

    /// Sends what waits to be sent.
    mutating func write(at now: Moment) {
        guard let client else { return }
        client.write()
        takeEvents(of: client, at: now.uptime)
    }

    /// Does what is due: attempts, time-outs, pings and keepalive requests.
    mutating func advance(to now: Moment) {
        let now = now.uptime
        if let resumes = pace.resumes, resumes <= now { pace.resume() }
        switch state {
        case .waiting(let until):
            if until <= now { attempt(at: now) }
            return
        case .connecting(_, let until) where until <= now:
            // Dropping the client leaves a helper thread behind that hangs in the kernel; it cleans up after itself.
            ended("The broker did not answer within \(Self.longestAttempt.components.seconds) s.", at: now)
            return
        case .connecting, .connected, .leaving, .left:
            break
        }
        guard let client else { return }
        if nextPingCheck <= now {
            nextPingCheck = now + Self.pingCheck
            client.misc()
            noteDuration(at: now)
        }
        for request in keepalive.advance(to: now) {
            client.publish(topic: request.topic, payload: request.payload, retain: false)
        }
        takeEvents(of: client, at: now)
    }

    /// Says farewell. The loop goes on until `hasLeft`, or as long as it likes.
    mutating func leave() {
        guard case .connected(let client, _) = state else {
            state = .left
            return
        }
        state = .leaving(client)
        keepalive.disconnected()
        client.publish(topic: statusTopic, payload: "offline", retain: true)
        client.disconnect()
        noteDeparture(of: client)
    }

    private var client: MosquittoClient? {
        switch state {
        case .connecting(let client, _), .connected(let client, _), .leaving(let client): client
        case .waiting, .left: nil
        }
    }

    private mutating func attempt(at now: Duration) {
        options.protocolVersion = policy.usesOldProtocol ? .v311 : .v5
        do throws(MosquittoError) {
            let client = try MosquittoClient(options)
            state = .connecting(client, until: now + Self.longestAttempt)
            nextPingCheck = now + Self.pingCheck
            client.connect()
            takeEvents(of: client, at: now)
        } catch {
            ended(error.description, at: now)
        }
    }

    private mutating func takeEvents(of client: MosquittoClient, at now: Duration) {
        for event in client.takeEvents() {
            switch event {
            case .connected: greet(client, at: now)
            case .subscribed: break
            case .subscriptionRefused(let filter, let reason):
                Log.write(LogEntry(.error, "The broker refuses the subscription to \(filter): \(reason)."))
            case .ended(let error): ended(error.description, protocolRefused: error.code == .protocolRefused, at: now)
            }
        }
        noteDeparture(of: client)
    }

    /// Subscriptions and status belong to the session: a broker that restarted knows nothing of them.
    private mutating func greet(_ client: MosquittoClient, at now: Duration) {
        state = .connected(client, since: now)
        policy.connected(at: now)
        keepalive.connected(at: now)
        if !isFlapping {
            toldTrouble = nil
            Log.write(LogEntry(.notice, "Connected to the broker \(options)."))
        }
        client.subscribe(filters)
        client.publish(topic: statusTopic, payload: "online", retain: true)
    }

    private mutating func noteDuration(at now: Duration) {
        guard isFlapping, case .connected(_, let since) = state, now - since >= ReconnectPolicy.shortestSession
        else { return }
        isFlapping = false
        toldTrouble = nil
        Log.write(LogEntry(.notice, "The connection to the broker \(options) lasts again."))
    }

    private mutating func noteDeparture(of client: MosquittoClient) {
        if case .leaving = state, client.descriptor == nil { state = .left }
    }

    private mutating func ended(_ trouble: String, protocolRefused: Bool = false, at now: Duration) {
        if case .leaving = state {
            state = .left
            return
        }
        let verdict = policy.ended(protocolRefused: protocolRefused, at: now)
        isFlapping = isFlapping || verdict.kind == .shortSession
        keepalive.disconnected()
        pace = ListeningPace()
        state = .waiting(until: now + verdict.wait)
        guard trouble != toldTrouble else { return }
        toldTrouble = trouble
        let hint =
            switch verdict.kind {
            case .ordinary: ""
            case .shortSession: " The session was short: another client with the same id?"
            case .olderProtocol: " It is spoken to in MQTT 3.1.1 from now on."
            }
        Log.write(LogEntry(.warning, trouble + hint))
    }

    /// A client id as one level of a topic.
    private static func topicLevel(_ text: String) -> String {
        String(text.map { "+#/".contains($0) ? "_" : $0 })
    }
}
