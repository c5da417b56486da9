import Glibc
import ProcessSupport
import Testing
import Widgets

@Suite("The end of the daemon", .timeLimit(.minutes(3)))
struct EndTests {
    private static let longest = Duration.seconds(2)

    @Test("a change that still waits for its interval is sent before the end", arguments: [SIGTERM, SIGINT])
    func lastPush(signal: Int32) async throws {
        try await withHome { home in
            try home.configure(Home.Configuration(push: "every: 1h, urgent: 1h, settle: 0s"))
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.wait(for: "the widget") { try home.requests("power").contains { $0.method == "POST" } }
            try home.publish("home/grid", "150")
            try await home.awaitFence(1)
            #expect(try home.requests("power").count == 2)

            let (ending, time) = try home.endDaemon(with: signal)
            #expect(ending == .code(0))
            #expect(time < EndTests.longest)
            #expect(try home.requests("power").last?.body == ["content": ["flow": ["exchange": ["rate": 150]]]])
            #expect(try home.requests("power").last?.status == 200)
        }
    }

    @Test("a service that does not answer does not hold the end up")
    func hangingService() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            try await home.awaitFence(1)
            try home.fail("timeout", count: 9)
            try home.publish("home/grid", "150")
            try await home.wait(for: "a request without an answer") { try home.requests("power").last?.status == 0 }
            let (ending, time) = try home.endDaemon()
            #expect(ending == .code(0))
            #expect(time < EndTests.longest)
            #expect(try home.log.hasSuffix("warning: The service did not answer the last requests in time.\n"))
        }
    }

    @Test("a broker that is away does not hold the end up")
    func absentBroker() async throws {
        try await withHome { home in
            try home.startDaemon()
            try await home.awaitLog("Nothing listens at 127.0.0.1:\(home.brokerPort).")
            let (ending, time) = try home.endDaemon()
            #expect(ending == .code(0))
            #expect(time < EndTests.longest)
        }
    }

    @Test("a broker that does not greet does not hold the end up")
    func silentBroker() async throws {
        try await withHome { home in
            let listener = try Listener(port: home.brokerPort)
            try home.startDaemon()
            try await home.wait(for: "the daemon to connect") { listener.hasVisitor }
            let (ending, time) = try home.endDaemon()
            #expect(ending == .code(0))
            #expect(time < EndTests.longest)
        }
    }

    @Test("a broker whose packets are swallowed does not hold the end up")
    func swallowed() async throws {
        try await withHome { home in
            let manager = try NotifySocket(in: home.directory)
            home.manager = manager
            let listener = try Listener(port: home.brokerPort, backlog: 0)
            // The queue is full after these, and the kernel drops what comes to ask for a connection.
            let queue = (0..<4).map { _ in Loopback.beginToConnect(to: listener.port) }
            defer { for connection in queue { close(connection) } }
            try home.startDaemon()
            try await home.wait(for: "the daemon to be ready") { manager.messages.contains("READY=1") }
            let (ending, time) = try home.endDaemon()
            #expect(ending == .code(0))
            #expect(time < EndTests.longest)
        }
    }
}
