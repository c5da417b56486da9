import Glibc
import ProcessSupport
import Testing

@Suite("The weight of the daemon", .timeLimit(.minutes(3)))
struct WeightTests {
    @Test("the daemon links no Foundation")
    func noFoundation() async throws {
        try await withDirectory { directory in
            let list = "\(directory)/libraries"
            let ending = try withFile(list, O_WRONLY) { output in
                try ChildProcess("/usr/bin/ldd", [ChildProcess.built("flowbridge")], output: output).wait()
            }
            #expect(ending == .code(0))
            let libraries = try contents(of: list)
            #expect(libraries.contains("libmosquitto"))
            #expect(!libraries.contains("Foundation"))
        }
    }

    @Test(
        "after a day's traffic it is right and stays light",
        arguments: [
            Day(capture: "spring-opendtu-shelly-victron", example: "opendtu-shelly-victron"),
            Day(capture: "summer-evcc", example: "evcc"),
        ]
    )
    func day(day: Day) async throws {
        try await withHome { home in
            try home.configure(day)
            try await home.start()
            let captures = "\(Day.package)/Tests/Captures"
            let player = try withFile("\(home.directory)/player.log", O_WRONLY) { log in
                try ChildProcess(
                    ChildProcess.built("capture-player"),
                    [
                        "--broker-port", "\(home.brokerPort)", "--service", "http://127.0.0.1:\(home.servicePort)",
                        "--key", "\(home.directory)/key", "--trace", home.traceFile,
                        "--truth", "\(captures)/\(day.capture).truth.csv", "--seconds", "5",
                        "\(captures)/\(day.capture).tsv",
                    ],
                    output: log,
                    errors: log
                )
            }
            try await home.wait(for: "the end of the day") { !player.isRunning }
            let said = try contents(of: "\(home.directory)/player.log")
            #expect(player.wait() == .code(0), "\(said)")
            #expect(try home.requests.allSatisfy { $0.status < 400 || $0.method == "GET" })

            let memory = try home.memory
            print("WeightTests: \(day.capture): \(memory.resident) kB resident, \(memory.anonymous) kB anonymous")
            #expect(memory.anonymous < 4 * 1024)
            // The code of a debug build is some megabytes larger, and nobody runs that.
            if ChildProcess.products != nil { #expect(memory.resident < 20 * 1024) }
        }
    }
}

/// A recorded day, and the example that is made for it.
struct Day: Sendable {
    var capture: String
    var example: String

    /// Where this package lies.
    static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
}

extension Home {
    /// Takes an example but for where to connect, with pushes as fast as the day.
    fileprivate func configure(_ day: Day) throws {
        var isElsewhere = false
        var lines: [Substring] = []
        let example = try contents(of: "\(Day.package)/config/examples/\(day.example).yaml")
        for line in example.split(separator: "\n") {
            if let first = line.first, first.isLetter {
                isElsewhere = line.hasPrefix("broker:") || line.hasPrefix("pushward:")
            }
            if !isElsewhere { lines.append(line) }
            if line == "    template: flow" {
                lines.append("    push_throttle: 1s")
                lines.append("    push: { every: 1s, urgent: 1s, settle: 1s, deadband: 0 }")
            }
        }
        lines.append("broker: { url: \"mqtt://127.0.0.1:\(brokerPort)\" }")
        lines.append("pushward: { url: \"http://127.0.0.1:\(servicePort)\", key: { file: key } }\n")
        try write(lines.joined(separator: "\n"), to: "\(directory)/flowbridge.yaml")
    }

    /// What the daemon holds in memory, in kB.
    fileprivate var memory: (resident: Int, anonymous: Int) {
        get throws {
            let table = try contents(of: "/proc/\(#require(daemon).identifier)/smaps_rollup")
            func number(_ name: String) throws -> Int {
                let line = try #require(table.split(separator: "\n").first { $0.hasPrefix("\(name):") })
                return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
            }
            return (try number("Rss"), try number("Anonymous"))
        }
    }
}
