import Glibc
import Mosquitto
import Testing

/// A message as a test wants to see it.
struct Received: Equatable {
    var topic: String
    var payload: String
    var retained: Bool
}

/// Drives a client as the event loop does, until something is there or the time is over.
final class Driver {
    let client: MosquittoClient
    private(set) var events: [MosquittoEvent] = []
    private(set) var messages: [Received] = []
    /// The longest that a single call to the client took.
    private(set) var longestStall = Duration.zero

    init(_ options: MosquittoOptions) throws {
        client = try MosquittoClient(options)
        client.connect()
    }

    /// The reason for which the connection ended.
    var end: MosquittoError? {
        guard case .ended(let error)? = events.last else { return nil }
        return error
    }

    /// - Returns: whether the condition came true within ten seconds.
    @discardableResult
    func run(until condition: (Driver) -> Bool) -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(10)
        while !condition(self) {
            guard clock.now < deadline else { return false }
            if let descriptor = client.descriptor {
                let interest = client.wantsWrite ? POLLIN | POLLOUT : POLLIN
                var watched = pollfd(fd: descriptor, events: Int16(interest), revents: 0)
                poll(&watched, 1, 100)
            }
            let stall = clock.measure(turn)
            longestStall = max(longestStall, stall)
        }
        return true
    }

    func runUntilConnected() -> Bool {
        let isOver = run { $0.events.contains(.connected) || $0.end != nil }
        if let end { Issue.record("\(end)") }
        return isOver && end == nil
    }

    /// Runs until the connection ends, and tells why.
    func runToEnd() -> MosquittoError? {
        run { $0.end != nil }
        return end
    }

    private func turn() {
        while client.read(handler: { topic, payload, retained in
            let topic = String(decoding: topic, as: UTF8.self)
            messages.append(
                Received(topic: topic, payload: String(decoding: payload, as: UTF8.self), retained: retained)
            )
        }) {}
        client.write()
        client.misc()
        events += client.takeEvents()
    }
}
