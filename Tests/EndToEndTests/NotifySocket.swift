import Glibc
import ProcessSupport

/// Stands in for systemd: hears what a service tells its manager.
final class NotifySocket {
    /// What a service that is to be heard finds in its environment: the manager wants to hear from it each second.
    let environment: [String: String]
    private let descriptor: Int32
    /// All that was told until `listen` was last called, in order.
    private(set) var messages: [String] = []

    init(in directory: String) throws {
        let path = "\(directory)/notify"
        environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "1000000"]
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard code == 0 else { throw ProcessError("\(path) cannot be listened on.") }
    }

    deinit {
        close(descriptor)
    }

    /// Takes what was told meanwhile.
    func listen() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            messages += String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
