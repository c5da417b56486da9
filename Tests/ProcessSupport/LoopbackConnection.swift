import Glibc

/// A plain TCP connection to the program.
package final class LoopbackConnection {
    private let descriptor: Int32

    /// How a connection ended.
    package enum End: Equatable {
        /// The other side closed it after this text.
        case closed(String)
        /// The other side reset it after this text.
        case reset(String)
        /// Nothing happened for 30 seconds, which only a broken program lets happen.
        case stuck
    }

    /// Connects; throws when nobody listens.
    package init(port: UInt16, address: UInt32 = INADDR_LOOPBACK) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = address.bigEndian
        let status = withUnsafeBytes(of: &target) {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        if status != 0 { throw Refused() }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of a text.
    package func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more will be sent.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether there is something to read, or an end, right now.
    package var hasNews: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    /// Reads to the end.
    package func receive() -> End {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            let text = String(decoding: bytes, as: UTF8.self)
            if count == 0 { return .closed(text) }
            if count < 0 { return errno == ECONNRESET ? .reset(text) : .stuck }
            bytes += buffer.prefix(count)
        }
    }

    package struct Refused: Error {}
}
