import Glibc
import ProcessSupport
import Testing
import Widgets

/// A broker, a stand-in for the widget service and the built daemon between them, in a directory and on ports of their own.
///
/// Nothing in it sleeps to let things happen: what a test waits for is a condition, and its deadline only ends a test that
/// has failed.
final class Home {
    let directory: String
    let brokerPort = Loopback.freePort()
    let servicePort = Loopback.freePort()
    /// Without its listener.
    var brokerConfiguration = "allow_anonymous true\nmax_queued_messages 0"
    private(set) var broker: Broker?
    private(set) var service: EmulatorProcess?
    private(set) var daemon: ChildProcess?
    /// Whom the daemon tells how it is, if somebody.
    var manager: NotifySocket?
    /// What the daemon finds in its environment besides.
    var environment: [String: String] = [:]
    private var serviceStarts = 0
    private var daemonStarts = 0

    static let key = "hlk_SecretOfTheEndToEndTests00000000"

    fileprivate init(_ directory: String) throws {
        self.directory = directory
        try write("\(Home.key)\n", to: "\(directory)/key")
        try configure(Configuration())
    }

    fileprivate func end() {
        daemon?.end(with: SIGKILL)
        broker?.kill()
        _ = service?.end(with: SIGKILL)
    }

    // MARK: - Who lives here

    func startBroker() async throws {
        broker = try await Broker(brokerConfiguration, directory: directory, port: brokerPort)
    }

    func killBroker() {
        broker?.kill()
        broker = nil
    }

    /// Starts the widget service, which remembers nothing of an earlier one.
    func startService(_ arguments: String...) throws {
        serviceStarts += 1
        let fixed = ["--port", "\(servicePort)", "--trace", traceFile, "--key", Home.key]
        service = try EmulatorProcess(fixed + arguments)
        guard service?.port == servicePort else {
            throw ProcessError("The emulator did not start: \(service?.end() as Any)")
        }
    }

    func killService() {
        _ = service?.end(with: SIGKILL)
        service = nil
    }

    /// Starts the daemon and nothing else; `start` starts all three.
    func startDaemon() throws {
        daemonStarts += 1
        daemon = try withFile(logFile, O_WRONLY | O_APPEND) { log in
            try ChildProcess(
                ChildProcess.built("flowbridge"),
                ["run", "--config", "\(directory)/flowbridge.yaml", "--state", "\(directory)/state.sqlite"],
                environment: environment.merging(manager?.environment ?? [:]) { $1 },
                output: log,
                errors: log
            )
        }
    }

    /// Starts all three, and returns when the daemon hears what is published.
    func start() async throws {
        try await startBroker()
        try startService()
        try startDaemon()
        try await awaitConnection()
    }

    /// Ends the daemon, and says how it ended and how long that took.
    ///
    /// It blocks, so that no other test's work is part of the time.
    func endDaemon(with signal: Int32 = SIGTERM) throws -> (ending: ChildProcess.Ending, time: Duration) {
        let daemon = try #require(daemon)
        let clock = ContinuousClock()
        let start = clock.now
        let ending = daemon.end(with: signal)
        return (ending, clock.now - start)
    }

    // MARK: - What is said

    func publish(_ topic: String, _ payload: String, retain: Bool = false) throws {
        try #require(broker).publish(topic, payload, retain: retain)
    }

    /// All that the daemon has said since it was last started.
    var log: String {
        get throws { try contents(of: logFile) }
    }

    var logLines: [Substring] {
        get throws { try log.split(separator: "\n") }
    }

    private var logFile: String { "\(directory)/flowbridge-\(daemonStarts).log" }
    var traceFile: String { "\(directory)/trace-\(serviceStarts)" }

    func awaitLog(_ text: String, _ place: SourceLocation = #_sourceLocation) async throws {
        try await self.wait(for: "the log to say '\(text)'", place) { try log.contains(text) }
    }

    func awaitConnection(_ place: SourceLocation = #_sourceLocation) async throws {
        // The daemon says that it is online after it has subscribed.
        try await self.wait(for: "the daemon to subscribe", place) { try status(within: 1) == "online" }
    }

    /// What the broker keeps under the daemon's status topic; `nil` if nothing came in time.
    func status(within seconds: Int = 30) throws -> String? {
        let file = "\(directory)/status"
        let ending = try withFile(file, O_WRONLY | O_TRUNC) { output in
            try ChildProcess(
                "/usr/bin/mosquitto_sub",
                ["-h", "127.0.0.1", "-p", "\(brokerPort)", "-t", "flowbridge/+/status", "-C", "1", "-W", "\(seconds)"],
                output: output
            ).wait()
        }
        return try ending == .code(0) ? contents(of: file).trimming("\n") : nil
    }

    // MARK: - Waiting

    /// Waits until a condition is true.
    func wait(
        for what: @autoclosure () -> String,
        _ place: SourceLocation = #_sourceLocation,
        _ condition: () throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(90)
        while try !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record("Waited in vain for \(what()). The log:\n\(try log)", sourceLocation: place)
                throw ProcessError("Waited in vain for \(what()).")
            }
            // A manager that does not listen would stop the daemon: the kernel keeps few messages for it.
            manager?.listen()
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

extension String {
    fileprivate func trimming(_ character: Character) -> String {
        String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
    }
}

/// Runs `body` with a home in which nobody runs yet. Whatever happens there, no log holds the key.
func withHome(_ body: (Home) async throws -> Void) async throws {
    try await withDirectory { directory in
        let home = try Home(directory)
        defer { home.end() }
        try await body(home)
        for name in try home.logFiles {
            let text = try contents(of: name)
            #expect(!text.contains(Home.key) && !text.contains("SecretOf"), "\(name) holds the key")
            #expect(!text.contains(".. "), "\(name) has a sentence that ends twice")
        }
    }
}

extension Home {
    fileprivate var logFiles: [String] {
        get throws { (0...daemonStarts).map { "\(directory)/flowbridge-\($0).log" } }
    }
}
