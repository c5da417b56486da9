import Glibc

/// What the clock on the wall showed, in the time zone of the environment.
enum RecordedClock {
    /// As `11:42`.
    static func time(_ wall: Duration) -> String { text(wall, "%H:%M") }

    /// As `Thursday 19 March 2026, 11:42`.
    static func date(_ wall: Duration) -> String { text(wall, "%A %e %B %Y, %H:%M") }

    /// What the clock of this machine shows now, cut down to the second.
    static var present: Duration { .seconds(Glibc.time(nil)) }

    private static func text(_ wall: Duration, _ format: String) -> String {
        var seconds = time_t(wall.components.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Monotonic time since some fixed start.
    static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
