import Glibc
import Mosquitto
import ProcessSupport
import Testing

@Suite("A connection to a broker")
struct ConnectionTests {
    private func options(_ broker: Broker, _ clientID: String = "test") -> MosquittoOptions {
        MosquittoOptions(host: "127.0.0.1", port: broker.port, clientID: clientID)
    }

    @Test("carries messages", arguments: [MosquittoOptions.ProtocolVersion.v5, .v311])
    func messages(version: MosquittoOptions.ProtocolVersion) async throws {
        try await withBroker { broker in
            var options = options(broker)
            options.protocolVersion = version
            let driver = try Driver(options)
            #expect(driver.runUntilConnected())
            driver.client.publish(topic: "kept", payload: "1", retain: true)
            driver.client.subscribe(["kept", "a/+"])
            #expect(driver.run { $0.events.count == 3 && $0.messages.count == 1 })
            #expect(driver.events == [.connected, .subscribed(filter: "kept"), .subscribed(filter: "a/+")])
            driver.client.publish(topic: "a/b", payload: "", retain: false)
            #expect(driver.run { $0.messages.count == 2 })
            #expect(
                driver.messages == [
                    Received(topic: "kept", payload: "1", retained: true),
                    Received(topic: "a/b", payload: "", retained: false),
                ]
            )
        }
    }

    @Test("brings every message of a burst, some turns after another")
    func burst() async throws {
        try await withBroker("allow_anonymous true\nmax_queued_messages 0") { broker in
            let driver = try Driver(options(broker))
            #expect(driver.runUntilConnected())
            driver.client.subscribe(["burst"])
            #expect(driver.run { $0.events.contains(.subscribed(filter: "burst")) })
            for number in 0..<2000 {
                driver.client.publish(topic: "burst", payload: "\(number)", retain: false)
            }
            #expect(driver.run { $0.messages.count == 2000 })
            #expect(driver.messages.map(\.payload) == (0..<2000).map(String.init))
        }
    }

    @Test("is spared a message of megabytes")
    func longMessage() async throws {
        try await withBroker { broker in
            let driver = try Driver(options(broker))
            #expect(driver.runUntilConnected())
            driver.client.subscribe(["t"])
            #expect(driver.run { $0.events.contains(.subscribed(filter: "t")) })
            driver.client.publish(topic: "t", payload: String(repeating: "x", count: 2 << 20), retain: false)
            driver.client.publish(topic: "t", payload: "short", retain: false)
            #expect(driver.run { !$0.messages.isEmpty })
            #expect(driver.messages == [Received(topic: "t", payload: "short", retained: false)])
        }
    }

    @Test("returns after the packets that it was asked for, and says that more may wait")
    func bounded() async throws {
        try await withBroker { broker in
            let client = try MosquittoClient(options(broker))
            let sender = try Driver(options(broker, "sender"))
            #expect(sender.runUntilConnected())
            sender.client.publish(topic: "a", payload: "1", retain: true)
            sender.client.publish(topic: "b", payload: "2", retain: true)
            client.connect()
            var isConnected = false
            while !isConnected {
                _ = client.read { _, _, _ in }
                client.write()
                isConnected = client.takeEvents().contains(.connected)
                try await Task.sleep(for: .milliseconds(5))
            }
            client.subscribe(["+"])
            client.write()
            try await Task.sleep(for: .milliseconds(200))
            var packets = 0
            while client.read(upTo: 1, handler: { _, _, _ in }) { packets += 1 }
            #expect(packets == 3)
        }
    }

    @Test("publishes the last will when it is dropped, and not after a farewell", arguments: [true, false])
    func lastWill(farewell: Bool) async throws {
        try await withBroker { broker in
            let watcher = try Driver(options(broker, "watcher"))
            #expect(watcher.runUntilConnected())
            watcher.client.subscribe(["status", "end"])
            #expect(watcher.run { $0.events.contains(.subscribed(filter: "end")) })

            var options = options(broker)
            options.will = MosquittoOptions.Will(topic: "status", payload: "offline")
            var leaving: Driver? = try Driver(options)
            #expect(leaving?.runUntilConnected() == true)
            if farewell {
                leaving?.client.disconnect()
                #expect(leaving?.run { $0.client.descriptor == nil } == true)
                #expect(leaving?.events == [.connected])
            }
            leaving = nil
            watcher.client.publish(topic: "end", payload: "", retain: false)
            #expect(watcher.run { $0.messages.contains { $0.topic == "end" } })
            try await Task.sleep(for: .milliseconds(50))
            #expect(watcher.run { farewell || $0.messages.contains { $0.topic == "status" } })
            #expect(watcher.messages.contains { $0.payload == "offline" } == !farewell)
        }
    }

    @Test(
        "names the subscription that the broker refuses, and keeps the others",
        arguments: [
            // CONNACK, and the SUBACKs of packets 1 and 2.
            Refusal(.v5, [0x20, 3, 0, 0, 0], [0x90, 4, 0, 1, 0, 0x87, 0x90, 4, 0, 2, 0, 0], "not authorized"),
            Refusal(.v311, [0x20, 2, 0, 0], [0x90, 3, 0, 1, 0x80, 0x90, 3, 0, 2, 0], "refused"),
        ]
    )
    func refusedSubscription(refusal: Refusal) throws {
        try withListener { listener, port in
            var options = MosquittoOptions(host: "127.0.0.1", port: port, clientID: "test")
            options.protocolVersion = refusal.version
            let driver = try Driver(options)
            let broker = accept(listener, nil, nil)
            defer { close(broker) }
            send(refusal.welcome, to: broker)
            #expect(driver.runUntilConnected())
            driver.client.subscribe(["secret", "open"])
            send(refusal.answers, to: broker)
            #expect(driver.run { $0.events.count == 3 })
            #expect(
                driver.events == [
                    .connected, .subscriptionRefused(filter: "secret", reason: refusal.reason),
                    .subscribed(filter: "open"),
                ]
            )
        }
    }

    @Test("refuses a filter that is none without asking the broker")
    func invalidFilter() async throws {
        try await withBroker { broker in
            let driver = try Driver(options(broker))
            #expect(driver.runUntilConnected())
            driver.client.subscribe(["a/#/b"])
            #expect(driver.run { $0.events.count == 2 })
            #expect(
                driver.events[1]
                    == .subscriptionRefused(filter: "a/#/b", reason: "Invalid function arguments provided.")
            )
        }
    }

    @Test("tells of a wrong password, and connects once it is right")
    func wrongPassword() async throws {
        try await withBroker("password_file DIRECTORY/passwords") { directory in
            try ChildProcess.run(
                "/usr/bin/mosquitto_passwd",
                ["-c", "-b", "\(directory)/passwords", "me", "right"]
            )
            chmod("\(directory)/passwords", 0o644)
        } _: { broker in
            var options = options(broker)
            options.username = "me"
            for (version, reason) in [
                (MosquittoOptions.ProtocolVersion.v5, "not authorized"), (.v311, "not authorised"),
            ] {
                options.protocolVersion = version
                options.password = "hunter2"
                let end = try Driver(options).runToEnd()
                #expect(end?.code == .notAuthorized)
                #expect(
                    end?.description
                        == "The broker 127.0.0.1:\(broker.port) refuses the connection: \(reason); "
                        + "are the user name and the password right?"
                )
                options.password = "right"
                #expect(try Driver(options).runUntilConnected())
            }
            #expect(!"\(options)".contains("right"))
        }
    }

    @Test("tells that another client came with the same id, where the broker says so")
    func takenOver() throws {
        try withListener { listener, port in
            let driver = try Driver(MosquittoOptions(host: "127.0.0.1", port: port, clientID: "test"))
            let broker = accept(listener, nil, nil)
            defer { close(broker) }
            send([0x20, 3, 0, 0, 0], to: broker)
            #expect(driver.runUntilConnected())
            send([0xe0, 1, 0x8e], to: broker)
            let end = driver.runToEnd()
            #expect(end?.code == .sessionTakenOver)
            #expect(end?.description == "Another client connected to 127.0.0.1:\(port) as test.")
        }
    }

    @Test("ends when another client comes with the same id, even where the broker says nothing")
    func silentlyTakenOver() async throws {
        try await withBroker { broker in
            let first = try Driver(options(broker))
            #expect(first.runUntilConnected())
            let second = try Driver(options(broker))
            #expect(second.runUntilConnected())
            #expect(first.runToEnd() != nil)
            #expect(second.end == nil)
        }
    }

    @Test("ends when the broker stops, and the next finds the broker that comes back")
    func restart() async throws {
        try await withDirectory { directory in
            let port = Loopback.freePort()
            let first = try await Broker("allow_anonymous true", directory: directory, port: port)
            let driver = try Driver(options(first))
            #expect(driver.runUntilConnected())
            first.stop()
            #expect(driver.runToEnd()?.code == .connectionLost)
            #expect(try Driver(options(first)).runToEnd()?.description == "Nothing listens at 127.0.0.1:\(port).")
            let second = try await Broker("allow_anonymous true", directory: directory, port: port)
            defer { second.stop() }
            #expect(try Driver(options(second)).runUntilConnected())
        }
    }

    @Test("falls silent after its end")
    func afterTheEnd() throws {
        let driver = try Driver(MosquittoOptions(host: "127.0.0.1", port: Loopback.freePort(), clientID: "test"))
        #expect(driver.runToEnd()?.code == .connectionRefused)
        driver.client.connect()
        driver.client.subscribe(["a"])
        driver.client.publish(topic: "a", payload: "", retain: false)
        driver.client.misc()
        driver.client.write()
        driver.client.disconnect()
        #expect(driver.client.descriptor == nil)
        #expect(driver.client.takeEvents().isEmpty)
    }

    @Test("tells of a name that nobody knows, without holding the loop up")
    func unknownHost() throws {
        let driver = try Driver(MosquittoOptions(host: "broker.invalid", port: 1883, clientID: "test"))
        let end = driver.runToEnd()
        #expect(end?.code == .unknownHost)
        #expect(end?.description.hasPrefix("The name broker.invalid is not known: ") == true)
        #expect(driver.longestStall < .milliseconds(100))
    }

    @Test("can be dropped while it connects")
    func droppedEarly() throws {
        for _ in 0..<20 {
            let client = try MosquittoClient(
                MosquittoOptions(host: "127.0.0.1", port: Loopback.freePort(), clientID: "test")
            )
            client.connect()
        }
    }

    @Test("does not hold the loop up while its packets are swallowed, and goes when the attempt ends")
    func swallowed() async throws {
        weak var dropped: MosquittoClient?
        try withListener(backlog: 0) { _, port in
            // Nobody accepts, and the queue is full after these: the kernel drops what comes to ask for a connection.
            let queue = (0..<4).map { _ in Loopback.beginToConnect(to: port) }
            defer { queue.forEach { close($0) } }
            let driver = try Driver(MosquittoOptions(host: "127.0.0.1", port: port, clientID: "test"))
            let start = ContinuousClock.now
            driver.run { _ in ContinuousClock.now - start > .milliseconds(300) }
            #expect(driver.events.isEmpty)
            #expect(driver.client.descriptor != nil)
            #expect(driver.longestStall < .milliseconds(100))
            dropped = driver.client
        }
        // The helper thread holds it. With the listener gone the kernel refuses the next packet, a second or two later.
        #expect(dropped != nil)
        for _ in 0..<1000 where dropped != nil {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(dropped == nil)
    }

    @Test("tells of a server that does not speak MQTT")
    func notMQTT() throws {
        try withListener { listener, port in
            let driver = try Driver(MosquittoOptions(host: "127.0.0.1", port: port, clientID: "test"))
            let accepted = accept(listener, nil, nil)
            send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), to: accepted)
            close(accepted)
            #expect(driver.runToEnd()?.code == .noGreeting)
        }
    }

    @Test("asks for an older protocol only where the broker refuses this one")
    func protocolRefused() throws {
        try withListener { listener, port in
            let driver = try Driver(MosquittoOptions(host: "127.0.0.1", port: port, clientID: "test"))
            let accepted = accept(listener, nil, nil)
            // A CONNACK of MQTT 3.1.1: unacceptable protocol version.
            send([0x20, 2, 0, 1], to: accepted)
            let end = driver.runToEnd()
            close(accepted)
            #expect(end?.code == .protocolRefused)
        }
    }
}

/// A broker that refuses the first of two subscriptions.
struct Refusal: Sendable {
    var version: MosquittoOptions.ProtocolVersion
    var welcome: [UInt8]
    var answers: [UInt8]
    var reason: String

    init(_ version: MosquittoOptions.ProtocolVersion, _ welcome: [UInt8], _ answers: [UInt8], _ reason: String) {
        self.version = version
        self.welcome = welcome
        self.answers = answers
        self.reason = reason
    }
}

private func send(_ bytes: [UInt8], to descriptor: Int32) {
    _ = Glibc.write(descriptor, bytes, bytes.count)
}
