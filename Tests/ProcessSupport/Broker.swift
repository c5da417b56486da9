import Glibc

/// A mosquitto that a test owns, on a free loopback port, with its files in a directory of its own.
package final class Broker {
    package let directory: String
    package let port: UInt16
    private let process: ChildProcess

    /// Starts one, and waits until it lets clients in.
    ///
    /// - Parameter configuration: without its listener; `DIRECTORY` in it stands for the directory's path.
    package init(_ configuration: String, directory: String, port: UInt16) async throws {
        self.directory = directory
        self.port = port
        let file = "\(directory)/mosquitto.conf"
        let text = configuration.replacing("DIRECTORY", with: directory)
        try write("listener \(port) 127.0.0.1\n\(text)\n", to: file)
        process = try ChildProcess("/usr/sbin/mosquitto", ["-c", file])
        while !Loopback.accepts(port) {
            guard process.isRunning else { throw ProcessError("mosquitto did not start with \(text).") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Ends it, as a machine does that is shut down.
    package func stop() {
        process.end(with: SIGTERM)
    }

    /// Makes it read its passwords again.
    package func reload() {
        process.signal(SIGHUP)
    }

    /// Ends it, as a power cut does.
    package func kill() {
        process.end(with: SIGKILL)
    }

    /// Publishes a message, which the broker has when this returns.
    package func publish(_ topic: String, _ payload: String, retain: Bool = false, as user: [String] = []) throws {
        try ChildProcess.run(
            "/usr/bin/mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-m", payload] + (retain ? ["-r"] : []) + user
        )
    }
}

/// Runs `body` with a broker, which ends with it.
package func withBroker(
    _ configuration: String = "allow_anonymous true",
    prepare: (String) throws -> Void = { _ in },
    _ body: (Broker) async throws -> Void
) async throws {
    try await withDirectory { directory in
        try prepare(directory)
        let broker = try await Broker(configuration, directory: directory, port: Loopback.freePort())
        defer { broker.stop() }
        try await body(broker)
    }
}
