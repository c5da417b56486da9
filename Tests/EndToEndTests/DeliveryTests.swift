import Glibc
import ProcessSupport
import Testing
import Widgets

@Suite("The daemon between a broker and the widget service", .timeLimit(.minutes(3)))
struct DeliveryTests {
    @Test("readings arrive as a widget that is created once and then patched with what changed")
    func happyPath() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/solar", "300")
            try home.publish("home/grid", "200")
            try await home.awaitRates([300, 200, 500])
            let requests = try home.requests("power")
            #expect(requests.prefix(2).map(\.method) == ["GET", "POST"])

            try home.publish("home/solar", "350")
            try await home.awaitRates([350, 200, 550])
            try home.publish("home/grid", "-150")
            try await home.awaitRates([350, -150, 200])
            let patches = try home.requests("power").dropFirst(requests.count)
            #expect(patches.allSatisfy { $0.method == "PATCH" })
            #expect(
                patches.map(\.body) == [
                    [
                        "content": [
                            "flow": [
                                "inputs": [
                                    ["rate": 350, "name": "Solar", "icon": "sun.max.fill", "color": "yellow"]
                                ],
                                "output": ["rate": 550],
                            ]
                        ]
                    ],
                    ["content": ["flow": ["exchange": ["rate": -150], "output": ["rate": 200]]]],
                ]
            )
            // The widget is asked for, and is not there yet; all else passes.
            #expect(try home.requests.map(\.status).filter { $0 >= 400 } == [404, 404])
            #expect(try home.logLines.allSatisfy { $0.hasPrefix("notice: ") })
        }
    }

    @Test("a thousand payloads that are no numbers are one line of the log, and the next good one counts")
    func badPayloads() async throws {
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100")
            let storm = String(repeating: "no number\n", count: 1000)
            try write(storm, to: "\(home.directory)/storm")
            try withFile("\(home.directory)/storm") { storm in
                try ChildProcess.run(
                    "/usr/bin/mosquitto_pub",
                    ["-h", "127.0.0.1", "-p", "\(home.brokerPort)", "-q", "1", "-t", "home/solar", "-l"],
                    input: storm
                )
            }
            try home.publish("home/solar", "400")
            try await home.awaitRates([400, 100, 500])
            let lines = try home.logLines.filter { $0.contains("home/solar") }
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            // How many had come when it was told is a matter of how many were read at once.
            #expect(line.hasPrefix("warning: The reading 'solar' cannot use what came on the topic 'home/solar'"))
            #expect(line.hasSuffix(": 'no number' is no number."))
        }
    }

    @Test(
        "the status topic says online while the daemon runs, and offline however it ended",
        arguments: [SIGTERM, SIGKILL]
    )
    func lastWill(signal: Int32) async throws {
        try await withHome { home in
            try await home.start()
            #expect(try home.status() == "online")
            _ = try home.endDaemon(with: signal)
            try await home.wait(for: "the status to be offline") { try home.status() == "offline" }
        }
    }

    @Test("a day's total goes on after a restart, and nothing is sent when nothing moved")
    func restart() async throws {
        try await withHome { home in
            // What the broker kept comes one after the other, and a frame of half of it would be another widget. The fence
            // settles as slowly, so that it is still the later one.
            let push = "every: 1s, urgent: 1s, settle: 2s"
            try home.configure(Home.Configuration(push: push, fencePush: push))
            try await home.start()
            try home.publish("home/solar", "300", retain: true)
            try home.publish("home/grid", "200", retain: true)
            try home.publish("home/energy", "1000", retain: true)
            try await home.awaitFence(1)
            try home.publish("home/energy", "1001.5", retain: true)
            try await home.wait(for: "the total 1.5") { try home.solarTotal == 1.5 }
            #expect(try home.endDaemon().ending == .code(0))

            let before = try home.requests("power").count
            try home.startDaemon()
            try await home.awaitConnection()
            try await home.awaitFence(2)
            #expect(try home.requests("power").dropFirst(before).map(\.method) == ["GET"])

            try home.publish("home/energy", "1002", retain: true)
            try await home.wait(for: "the total 2") { try home.solarTotal == 2 }
        }
    }
}

extension Home {
    /// The total of the first input in the last request that told one.
    fileprivate var solarTotal: Double? {
        get throws {
            try requests("power").reversed().lazy.compactMap { request in
                let inputs = request.body.asObject?["content"]?.asObject?["flow"]?.asObject?["inputs"]?.asArray
                return inputs?.first?.asObject?["total"]?.asNumber
            }.first
        }
    }
}
