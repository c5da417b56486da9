import Glibc
import ProcessSupport
import Testing

@Suite("What the daemon is told", .timeLimit(.minutes(3)))
struct ConfigurationTests {
    @Test("a wrong configuration ends it with 78 and all its problems, before anything is started")
    func wrong() async throws {
        try await withHome { home in
            let broker = try Listener(port: home.brokerPort)
            let service = try Listener(port: home.servicePort)
            var configuration = Home.Configuration(push: "every: 0s, often: true")
            configuration.solar = ", path: power"
            try home.configure(configuration)
            try home.startDaemon()
            let daemon = try #require(home.daemon)
            #expect(daemon.wait() == .code(78))
            let log = try home.log
            let problems = try home.logLines.filter { $0.contains(": error: ") }
            #expect(problems.count == 3, "\(log)")
            #expect(problems.allSatisfy { $0.hasPrefix("\(home.directory)/flowbridge.yaml:") })
            #expect(try home.logLines.last == "flowbridge: the configuration has 3 errors.")
            #expect(!broker.hasVisitor)
            #expect(!service.hasVisitor)
            #expect(access("\(home.directory)/state.sqlite", F_OK) != 0)
        }
    }

    @Test("a key that cannot be read ends it with 78, before anything is started")
    func noKey() async throws {
        try await withHome { home in
            let broker = try Listener(port: home.brokerPort)
            unlink("\(home.directory)/key")
            try home.startDaemon()
            #expect(try #require(home.daemon).wait() == .code(78))
            #expect(try home.log.contains("\(home.directory)/key"))
            #expect(!broker.hasVisitor)
        }
    }

    @Test("check ends with 0 when all is well, with 78 when something is wrong, and with 64 when it is asked wrongly")
    func check() async throws {
        try await withHome { home in
            let file = "\(home.directory)/flowbridge.yaml"
            #expect(try check(["--config", file]) == .code(0))
            #expect(try check(["--config", "\(home.directory)/missing.yaml"]) == .code(78))
            #expect(try check(["--config", file, "--final"]) == .code(64))
            try home.configure(Home.Configuration(push: "every: soon"))
            #expect(try check(["--config", file]) == .code(78))
        }
    }

    private func check(_ arguments: [String]) throws -> ChildProcess.Ending {
        try ChildProcess(ChildProcess.built("flowbridge"), ["check"] + arguments).wait()
    }
}
