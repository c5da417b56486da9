import Glibc
import ProcessSupport
import Testing

@Suite("The allocations of the daemon", .timeLimit(.minutes(2)))
struct AllocationTests {
    /// Few frames, so that messages are counted and not what is made of them once a second.
    private static let push = "{ every: 20m, settle: 10m }"

    @Test(
        "a message costs none, whatever it is, and a turn of the loop one",
        .enabled(if: ChildProcess.products != nil, "The counts of a build for debugging are others."),
        arguments: [
            ("test/grid", "%.1f"),
            ("test/solar", #"{"id":0,"a_act_power":951.2,"b_act_power":-951.1,"power":%.1f,"total_act":1234.5}"#),
            ("test/inverter/7/power", "%.1f"),
        ]
    )
    func message(topic: String, payload: String) async throws {
        try await withHome { home in
            home.environment = [
                "LD_PRELOAD": try ChildProcess.besideTests("libAllocationCounter.so"),
                "ALLOCATION_COUNTS": "\(home.directory)/allocations",
            ]
            try home.configure(push: AllocationTests.push)
            try await home.start()
            try await home.send(2000, topic, payload)
            let before = try home.allocations

            try await home.send(20_000, topic, payload)

            let after = try home.allocations
            // A counter that does not know the program would count nothing.
            #expect(before.program > 1000)
            // libmosquitto's own, by which the messages are seen to have come at all.
            let theirs = after.mosquitto - before.mosquitto
            #expect(theirs >= 40_000)
            // A turn takes up to a hundred messages and costs one, for the closure that they are handed to.
            let ours = after.program - before.program
            print("AllocationTests: 20,000 messages to \(topic): \(ours) allocations, libmosquitto \(theirs)")
            #expect(ours <= 20_000 / 20)
        }
    }
}

extension Home {
    fileprivate func configure(push: String) throws {
        try write(
            """
            broker: { url: "mqtt://127.0.0.1:\(brokerPort)" }
            pushward: { url: "http://127.0.0.1:\(servicePort)", key: { file: key } }
            timezone: UTC
            readings:
              inverters: { topic: test/inverter/+/power, unit: W, combine: sum }
              grid_power:  { topic: test/grid, unit: W }
              solar_power: { topic: test/solar, path: /power, unit: W }
              solar_total: { topic: test/solar, path: /total_act, unit: Wh, counts: lifetime }
            widgets:
              power:
                template: flow
                name: Home
                unit: W
                push: \(push)
                inputs:
                  - { name: Inverters, rate: inverters, total: integrate }
                  - { name: Solar, rate: solar_power, total: solar_total }
                exchange: { rate: { import: grid_power }, total: integrate }
                output: { rate: balance, total: integrate }

            """,
            to: "\(directory)/flowbridge.yaml"
        )
    }

    /// Publishes many messages whose value changes, and returns when the daemon has taken them all.
    fileprivate func send(_ count: Int, _ topic: String, _ payload: String) async throws {
        let lines = (0..<count).map { payload.replacing("%.1f", with: "\(1000 + $0 % 7).5") }
        let file = "\(directory)/messages"
        try write(lines.joined(separator: "\n") + "\n", to: file)
        try withFile(file, O_RDONLY) { input in
            try ChildProcess.run("/usr/bin/mosquitto_pub", ["-p", "\(brokerPort)", "-t", topic, "-l"], input: input)
        }
        // The daemon lets messages gather for 50 ms, so that it has been quiet for longer than a pause when all are taken.
        var last = try allocations.mosquitto
        var quiet = 0
        try await wait(for: "the messages to be taken") {
            let now = try allocations.mosquitto
            quiet = now == last ? quiet + 1 : 0
            last = now
            return quiet >= 50
        }
    }

    /// The first two numbers of `struct allocation_counts`. The counter itself is not linked here, where it would stand before
    /// the allocator of all tests.
    fileprivate var allocations: (program: Int, mosquitto: Int) {
        get throws {
            let file = "\(directory)/allocations"
            var counts = [UInt64](repeating: 0, count: 2)
            let size = counts.count * MemoryLayout<UInt64>.size
            let count = try withFile(file, O_RDONLY) { read($0, &counts, size) }
            guard count == size else { throw ProcessError("\(file) holds no counts.") }
            return (Int(counts[0]), Int(counts[1]))
        }
    }
}
