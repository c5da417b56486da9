import Glibc

/// What the service manager wants to know, as sd_notify(3) and sd_watchdog_enabled(3) lay it down. Without a manager, all
/// of it does nothing.
///
/// Each word is one datagram to `$NOTIFY_SOCKET`. It is sent here and not through libsystemd, whose send blocks: a manager
/// that does not read its socket would stop the loop, and with it every push. The library would also take 1 MB of memory.
struct Systemd {
    /// When the watchdog wants to hear from us next; `nil` without a watchdog.
    private(set) var nextDeadline: Duration?
    /// Half of what the manager waits before it takes us for dead, as sd_watchdog_enabled(3) advises.
    private let interval: Duration?
    private let socket: NotifySocket?
    private var status = ""

    /// Looks whether there is a manager, and whether it has a watchdog for this process.
    init(at now: Duration) {
        socket = NotifySocket()
        interval = socket == nil ? nil : Systemd.watchdog.map { .microseconds($0) / 2 }
        nextDeadline = interval.map { now + $0 }
    }

    /// Tells that the start is over.
    func ready() {
        socket?.send("READY=1")
    }

    /// Tells that the end has begun.
    func stopping() {
        socket?.send("STOPPING=1")
    }

    /// Sets the line that `systemctl status` shows.
    mutating func show(_ status: String) {
        guard status != self.status else { return }
        self.status = status
        socket?.send("STATUS=\(status)")
    }

    /// Tells the watchdog that the loop turns, when it is time.
    mutating func advance(to now: Duration) {
        guard let interval, let due = nextDeadline, due <= now else { return }
        nextDeadline = now + interval
        socket?.send("WATCHDOG=1")
    }

    /// `$WATCHDOG_USEC`, unless `$WATCHDOG_PID` names another process.
    private static var watchdog: Int64? {
        guard let text = getenv("WATCHDOG_USEC"), let microseconds = Int64(String(cString: text)), microseconds > 0
        else {
            return nil
        }
        guard let owner = getenv("WATCHDOG_PID") else { return microseconds }
        return Int32(String(cString: owner)) == getpid() ? microseconds : nil
    }
}

/// The manager's datagram socket.
private final class NotifySocket {
    private let descriptor: Int32
    private var address = sockaddr_un()
    private let length: socklen_t

    /// `nil` where there is no manager, or none that can be spoken to.
    init?() {
        guard let text = getenv("NOTIFY_SOCKET") else { return nil }
        var path = Array(String(cString: text).utf8)
        let start = path.first
        guard start == UInt8(ascii: "/") || start == UInt8(ascii: "@"),
            path.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        // An abstract name begins with a zero byte, and has no other end than its length.
        if start == UInt8(ascii: "@") { path[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let datagrams = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = Glibc.socket(AF_UNIX, datagrams, 0)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Sends a word, or loses it when the manager does not read: the next sign of life makes up for it.
    func send(_ word: String) {
        let bytes = Array(word.utf8)
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
