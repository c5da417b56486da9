import Glibc
import ProcessSupport
import Testing
import Widgets

@Suite("Trouble with the broker", .timeLimit(.minutes(3)))
struct BrokerTroubleTests {
    @Test("a broker that is away at the start is told of, and found once it is there")
    func awayAtBoot() async throws {
        try await withHome { home in
            try home.startService()
            try home.startDaemon()
            try await home.awaitLog("warning: Nothing listens at 127.0.0.1:\(home.brokerPort).\n")
            try await home.startBroker()
            try home.publish("home/grid", "100", retain: true)
            try await home.awaitRates([100])
            #expect(
                try home.logLines == [
                    "warning: Nothing listens at 127.0.0.1:\(home.brokerPort).",
                    "notice: Connected to the broker 127.0.0.1:\(home.brokerPort) as home.",
                ]
            )
        }
    }

    @Test("a wrong password is told of, and the daemon is let in once it is right")
    func wrongPassword() async throws {
        try await withHome { home in
            home.brokerConfiguration = "password_file DIRECTORY/passwords"
            try write("SecretOfTheBroker\n", to: "\(home.directory)/mqtt-password")
            try home.setPassword("another")
            try await home.startBroker()
            try home.startService()
            try home.configure(Home.Configuration(broker: ", username: me, password: { file: mqtt-password }"))
            try home.startDaemon()
            try await home.awaitLog(
                "warning: The broker 127.0.0.1:\(home.brokerPort) refuses the connection: not authorized; "
                    + "are the user name and the password right?\n"
            )
            try home.setPassword("SecretOfTheBroker")
            home.broker?.reload()
            try await home.awaitLog("notice: Connected to the broker 127.0.0.1:\(home.brokerPort) as home.\n")
            #expect(try home.logLines.count == 2)
        }
    }

    @Test("a subscription that the broker refuses is told of by its topic, and the others go on")
    func refusedSubscription() async throws {
        try await withHome { home in
            try home.forbidSolar()
            try await home.start()
            try home.publish("home/solar", "300")
            try home.publish("home/grid", "100")
            try await home.awaitRates([100])
            let refusal = "The broker refuses the subscription to home/solar: not authorized."
            #expect(try home.logLines.filter { $0.contains("refuse") } == ["error: \(refusal)"])
        }
    }

    @Test("a name that nobody knows is told of, and meanwhile the manager hears that the daemon lives")
    func unknownHost() async throws {
        try await withHome { home in
            let manager = try NotifySocket(in: home.directory)
            home.manager = manager
            try home.startService()
            try home.configure(Home.Configuration(brokerURL: "mqtt://broker.invalid"))
            try home.startDaemon()
            try await home.awaitLog("warning: The name broker.invalid is not known: ")
            let beats = manager.beats
            try await home.wait(for: "two more signs of life") { manager.beats >= beats + 2 }
            #expect(try home.endDaemon().ending == .code(0))
            manager.listen()
            #expect(manager.messages.first == "READY=1")
            #expect(manager.messages.contains("STATUS=Waiting for the broker."))
            #expect(manager.messages.contains("STOPPING=1"))
            #expect(try home.logLines.count == 1)
        }
    }

    @Test("while a broker swallows packets, readings expire, pushes go out and the manager hears that the daemon lives")
    func swallowed() async throws {
        try await withHome { home in
            let manager = try NotifySocket(in: home.directory)
            home.manager = manager
            var configuration = Home.Configuration()
            configuration.solar = ", expires: 10s, expired: zero"
            try home.configure(configuration)
            try await home.startBroker()
            try home.startService()
            try home.startDaemon()
            try await home.awaitConnection()
            try await home.wait(for: "the manager to hear of it") {
                manager.messages.contains("STATUS=Connected to the broker.")
            }
            try home.publish("home/grid", "100")
            try home.publish("home/solar", "400")
            try await home.awaitRates([400, 100, 500])

            home.killBroker()
            let listener = try Listener(port: home.brokerPort, backlog: 0)
            let queue = (0..<4).map { _ in Loopback.beginToConnect(to: listener.port) }
            defer { for connection in queue { close(connection) } }
            try await home.awaitLog("The connection to the broker")
            try await home.awaitRates([0, 100, 100])
            let beats = manager.beats
            try await home.wait(for: "two more signs of life") { manager.beats >= beats + 2 }
            #expect(manager.messages.last { $0.hasPrefix("STATUS=") } == "STATUS=Waiting for the broker.")
        }
    }

    @Test("a server that accepts and never greets is told of, and another that greets is found")
    func silentBroker() async throws {
        try await withHome { home in
            do {
                let listener = try Listener(port: home.brokerPort)
                try home.startService()
                try home.startDaemon()
                try await home.awaitLog("warning: The broker did not answer within 20 s.\n")
                #expect(listener.hasVisitor)
            }
            try await home.startBroker()
            try await home.awaitLog("notice: Connected to the broker 127.0.0.1:\(home.brokerPort) as home.\n")
        }
    }

    @Test("a certificate of an unknown authority is refused, and nothing is said in clear", arguments: [true, false])
    func unknownAuthority(hasAuthority: Bool) async throws {
        try await withHome { home in
            home.brokerConfiguration = """
                allow_anonymous true
                certfile DIRECTORY/server.pem
                keyfile DIRECTORY/server.key
                log_type all
                log_dest file DIRECTORY/broker.log
                """
            try makeAuthority(home.directory, "ca")
            try makeAuthority(home.directory, "other")
            try makeCertificate(home.directory, "server")
            try write("", to: "\(home.directory)/broker.log")
            chmod("\(home.directory)/broker.log", 0o666)
            try await home.startBroker()
            try home.startService()
            let authority = hasAuthority ? ", ca: other.pem" : ""
            let url = "mqtts://localhost:\(home.brokerPort)"
            try home.configure(Home.Configuration(broker: authority, brokerURL: url))
            try home.startDaemon()
            try await home.awaitLog(
                "warning: The certificate of localhost:\(home.brokerPort) is refused: "
                    + "unable to get local issuer certificate; is it signed by the configured authority?\n"
            )
            // The second attempt is as strict as the first.
            try await home.wait(for: "another attempt") {
                try contents(of: "\(home.directory)/broker.log").split(separator: "New connection").count > 3
            }
            _ = try home.endDaemon()
            #expect(try !contents(of: "\(home.directory)/broker.log").contains("CONNECT"))
            let lines = try home.logLines
            #expect(lines.count == 1)
        }
    }
}

extension Home {
    /// Only the plugin of mosquitto refuses a subscription; its access list grants each and brings no message.
    fileprivate func forbidSolar() throws {
        #if arch(arm64)
            let libraries = "/usr/lib/aarch64-linux-gnu"
        #else
            let libraries = "/usr/lib/x86_64-linux-gnu"
        #endif
        let rules: JSONObject = [
            "defaultACLAccess": ["publishClientSend": true, "publishClientReceive": true, "subscribe": true],
            "anonymousGroup": "all",
            "groups": [["groupname": "all", "roles": [["rolename": "reader"]]]],
            "roles": [
                [
                    "rolename": "reader",
                    "acls": [
                        ["acltype": "subscribeLiteral", "topic": "home/solar", "priority": 0, "allow": false]
                    ],
                ]
            ],
        ]
        try write(rules.description, to: "\(directory)/rules.json")
        brokerConfiguration = """
            allow_anonymous true
            plugin \(libraries)/mosquitto_dynamic_security.so
            plugin_opt_config_file DIRECTORY/rules.json
            """
    }

    fileprivate func setPassword(_ password: String) throws {
        try ChildProcess.run(
            "/usr/bin/mosquitto_passwd",
            ["-c", "-b", "\(directory)/passwords", "me", password]
        )
        chmod("\(directory)/passwords", 0o644)
    }
}

extension NotifySocket {
    fileprivate var beats: Int { messages.count { $0 == "WATCHDOG=1" } }
}
