import Foundation
import Glibc
import Testing

/// A mosquitto that a test owns, on a free loopback port, with its files in a directory of its own.
final class Broker {
    let directory: URL
    let port: UInt16
    private let process: ChildProcess

    init(configuration: String, directory: URL, port: UInt16) async throws {
        self.directory = directory
        self.port = port
        let file = directory.appending(path: "mosquitto.conf")
        try "listener \(port) 127.0.0.1\n\(configuration)\n".write(to: file, atomically: true, encoding: .utf8)
        process = try ChildProcess("/usr/sbin/mosquitto", ["-c", file.path])
        while !accepts(port) {
            guard process.isRunning else {
                throw ChildProcessError(description: "mosquitto did not start with \(configuration).")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func stop() {
        process.terminate()
    }
}

/// Runs `body` with a broker, which ends with it.
func withBroker(
    _ configuration: String = "allow_anonymous true",
    prepare: (URL) throws -> Void = { _ in },
    _ body: (Broker) async throws -> Void
) async throws {
    try await withDirectory { directory in
        try prepare(directory)
        let text = configuration.replacing("DIRECTORY", with: directory.path)
        let broker = try await Broker(configuration: text, directory: directory, port: freePort())
        defer { broker.stop() }
        try await body(broker)
    }
}

/// Runs `body` with an empty directory, which is removed afterwards.
func withDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "flowbridge-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // A mosquitto that root starts becomes the user "mosquitto", who must be able to read the files.
    chmod(directory.path, 0o755)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
}

/// A loopback port where nothing listens.
func freePort() -> UInt16 {
    withListener { $1 }
}

/// Runs `body` with a listening socket and its port.
func withListener<Result>(backlog: Int32 = 8, _ body: (Int32, UInt16) throws -> Result) rethrows -> Result {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = bind(descriptor, $0, length)
            _ = listen(descriptor, backlog)
            _ = getsockname(descriptor, $0, &length)
        }
    }
    return try body(descriptor, UInt16(bigEndian: address.sin_port))
}

private func accepts(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// Begins a connection to a loopback port, without waiting for it.
func beginToConnect(to port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = loopback(port)
    withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return descriptor
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}
