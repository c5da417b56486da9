import CSystemd
import Glibc

/// What the service manager wants to know. Without one, all of it does nothing.
struct Systemd {
    /// When the watchdog wants to hear from us next; `nil` without a watchdog.
    private(set) var nextDeadline: Duration?
    /// Half of what the manager waits before it takes us for dead, as sd_watchdog_enabled(3) advises.
    private let interval: Duration?
    private var status = ""

    /// Looks whether the manager has a watchdog for this process.
    init(at now: Duration) {
        var microseconds: UInt64 = 0
        interval = sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(microseconds) / 2 : nil
        nextDeadline = interval.map { now + $0 }
    }

    /// Tells that the start is over.
    func ready() {
        sd_notify(0, "READY=1")
    }

    /// Tells that the end has begun.
    func stopping() {
        sd_notify(0, "STOPPING=1")
    }

    /// Sets the line that `systemctl status` shows.
    mutating func show(_ status: String) {
        guard status != self.status else { return }
        self.status = status
        sd_notify(0, "STATUS=\(status)")
    }

    /// Tells the watchdog that the loop turns, when it is time.
    mutating func advance(to now: Duration) {
        guard let interval, let due = nextDeadline, due <= now else { return }
        nextDeadline = now + interval
        sd_notify(0, "WATCHDOG=1")
    }
}
