import Glibc
import Synchronization

/// Places on 127.0.0.1.
package enum Loopback {
    /// A port where nothing listens.
    ///
    /// It is none of those from which the kernel gives connections a port of their own, which could take it meanwhile.
    package static func freePort() -> UInt16 {
        while true {
            let port = UInt16.random(in: 12_000..<32_000)
            let descriptor = openSocket()
            defer { close(descriptor) }
            guard withAddress(port, { bind(descriptor, $0, $1) }) == 0 else { continue }
            if given.withLock({ $0.insert(port).inserted }) { return port }
        }
    }

    /// The ports that `freePort` gave: another test may not have begun to listen yet.
    private static let given = Mutex<Set<UInt16>>([])

    /// Whether somebody listens at a port.
    package static func accepts(_ port: UInt16) -> Bool {
        let descriptor = openSocket()
        defer { close(descriptor) }
        return withAddress(port) { connect(descriptor, $0, $1) } == 0
    }

    /// Begins a connection, without waiting for it.
    package static func beginToConnect(to port: UInt16) -> Int32 {
        let descriptor = openSocket(SOCK_NONBLOCK)
        _ = withAddress(port) { connect(descriptor, $0, $1) }
        return descriptor
    }

    /// No program that another test starts at the same time may inherit it: it would stay open for longer.
    fileprivate static func openSocket(_ options: __socket_type = SOCK_CLOEXEC) -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | options.rawValue), 0)
    }

    fileprivate static func withAddress<Result>(
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// A socket that listens on 127.0.0.1 until it is dropped. Nobody is accepted unless a test does so.
package final class Listener {
    package let descriptor: Int32
    package let port: UInt16

    /// Listens.
    ///
    /// - Parameter port: where; 0 for any port that is free.
    package init(port: UInt16 = 0, backlog: Int32 = 8) throws {
        let descriptor = Loopback.openSocket()
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard Loopback.withAddress(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            close(descriptor)
            throw ProcessError("127.0.0.1:\(port) cannot be listened on: \(String(cString: strerror(errno))).")
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        self.descriptor = descriptor
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }

    /// Whether somebody has connected and was not accepted yet.
    package var hasVisitor: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }
}

/// Runs `body` with a listening socket and its port.
package func withListener<Result>(backlog: Int32 = 8, _ body: (Int32, UInt16) throws -> Result) throws -> Result {
    let listener = try Listener(backlog: backlog)
    return try withExtendedLifetime(listener) { try body(listener.descriptor, listener.port) }
}
