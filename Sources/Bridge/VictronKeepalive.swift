public import Readings

/// Keeps Victron's Venus OS talking: it publishes only while somebody asks for it, once a minute at least.
///
/// Which installations to ask follows from the topics, `N/<portal>/…`. Where the portal is a wildcard, it is learnt from
/// the one topic that Venus OS publishes unasked. See the README of victronenergy/dbus-flashmq.
public struct VictronKeepalive: Sendable {
    /// The service forgets after 60 s; two requests may be lost.
    fileprivate static let interval = Duration.seconds(25)
    /// Values that do not change are not repeated unless everything is, and would seem to be out of date.
    fileprivate static let fullInterval = Duration.seconds(300)

    /// A message to publish, not retained: a retained request would come back to the device with each of its restarts.
    public struct Request: Sendable, Equatable {
        /// The topic.
        public var topic: String
        /// The payload.
        public var payload: String
    }

    /// What to subscribe to in order to learn the portals; `nil` if they are all known or there are none.
    public let discovery: String?

    private var portals: [Portal]

    /// Makes a keepalive for the installations that these filters speak of.
    public init(filters: [TopicFilter]) {
        var names: [[UInt8]] = []
        var hasWildcard = false
        for filter in filters {
            guard let name = Self.split(filter.description.utf8)?.portal else { continue }
            if name == [UInt8(ascii: "+")] {
                hasWildcard = true
            } else if !names.contains(name) {
                names.append(name)
            }
        }
        portals = names.map { Portal(name: $0) }
        discovery = hasWildcard ? "N/+/system/0/Serial" : nil
    }

    /// When `advance` has something to publish; `nil` while it has not.
    public var nextDeadline: Duration? {
        // Asked in every turn of the loop, so without a list.
        portals.reduce(nil) { earliest, portal in
            portal.due.map { min(earliest ?? $0, $0) } ?? earliest
        }
    }

    /// Takes note of a new session with the broker: everything is asked for at once, as nobody may have asked before.
    public mutating func connected(at now: Duration) {
        portals = portals.map { Portal(name: $0.name, due: now, fullDue: now) }
    }

    /// Takes note that the session has ended, so that nothing is due.
    public mutating func disconnected() {
        for index in portals.indices { portals[index].due = nil }
    }

    /// Looks whether a message tells of an installation that is not known yet, which is then asked at once.
    public mutating func learn(from topic: UnsafeRawBufferPointer, at now: Duration) {
        // Every message comes by here, and to take a topic to pieces costs more than the rest of a message.
        guard discovery != nil, portals.count < Self.mostPortals,
            topic.suffix(Self.serial.utf8.count).elementsEqual(Self.serial.utf8),
            let (name, rest) = Self.split(topic), rest.elementsEqual("system/0/Serial".utf8),
            !portals.contains(where: { $0.name == name })
        else { return }
        portals.append(Portal(name: name, due: now, fullDue: now))
    }

    /// The messages that are due.
    public mutating func advance(to now: Duration) -> [Request] {
        var requests: [Request] = []
        for index in portals.indices {
            guard let due = portals[index].due, due <= now else { continue }
            requests.append(portals[index].request(at: now))
        }
        return requests
    }

    /// Anybody may publish, and each installation is asked every 25 s.
    private static let mostPortals = 100
    private static let serial = "/system/0/Serial"

    /// The portal in a topic or filter, and what stands below it.
    private static func split<Bytes: Collection<UInt8>>(_ topic: Bytes) -> (portal: [UInt8], rest: Bytes.SubSequence)? {
        let levels = topic.split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false)
        guard levels.count == 3, levels[0].elementsEqual("N".utf8), !levels[1].isEmpty else { return nil }
        return (Array(levels[1]), levels[2])
    }
}

/// One installation.
private struct Portal: Sendable {
    let name: [UInt8]
    /// When to ask again; `nil` without a session.
    var due: Duration?
    /// When to ask for everything again.
    var fullDue: Duration = .zero

    mutating func request(at now: Duration) -> VictronKeepalive.Request {
        due = now + VictronKeepalive.interval
        let topic = "R/\(String(decoding: name, as: UTF8.self))/keepalive"
        guard fullDue <= now else {
            return VictronKeepalive.Request(topic: topic, payload: #"{"keepalive-options":["suppress-republish"]}"#)
        }
        fullDue = now + VictronKeepalive.fullInterval
        return VictronKeepalive.Request(topic: topic, payload: "")
    }
}
