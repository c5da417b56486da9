import Glibc
import Synchronization

/// A server on a free loopback port that answers each connection as the test's script says, on a thread of its own.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let requests = Mutex<[String]>([])
    private let script: @Sendable (Connection) -> Void

    /// - Parameter script: called with each connection, one after the other.
    init(_ script: @escaping @Sendable (Connection) -> Void) {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 8)
                _ = getsockname(listener, $0, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<ScriptedServer>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        pthread_detach(thread)
    }

    /// Ends the server; the connection that it serves ends with its script.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var received: [String] { requests.withLock { $0 } }

    private func serve() {
        while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
            script(Connection(descriptor: descriptor, server: self))
            close(descriptor)
        }
        close(listener)
    }

    /// One connection to the server.
    struct Connection {
        fileprivate let descriptor: Int32
        fileprivate let server: ScriptedServer

        /// Reads one request, head and body, and notes it.
        ///
        /// - Returns: whether there was one.
        @discardableResult
        func readRequest() -> Bool {
            var text = ""
            while !Self.isWhole(text) {
                var buffer = [UInt8](repeating: 0, count: 65536)
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return false }
                text += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            server.requests.withLock { $0.append(text) }
            return true
        }

        func answer(_ text: String) {
            let bytes = Array(text.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }

        /// Answers with a body.
        func answer(_ status: String, headers: String = "", body: String) {
            answer("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
        }

        /// Makes the end of the connection a reset.
        func resetAtEnd() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }

        /// Waits until the other side closes.
        func waitForEnd() {
            var buffer = [UInt8](repeating: 0, count: 1024)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }

        private static func isWhole(_ text: String) -> Bool {
            guard let end = text.firstRange(of: "\r\n\r\n") else { return false }
            let head = text[..<end.lowerBound]
            guard let length = head.firstMatch(of: /Content-Length: (\d+)/) else { return true }
            return text[end.upperBound...].utf8.count >= Int(length.1) ?? 0
        }
    }
}
