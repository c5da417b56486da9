import Glibc
import Readings

/// The machine's clocks.
enum Clock {
    /// This moment.
    static func now() -> Moment {
        Moment(uptime: read(CLOCK_MONOTONIC), wall: read(CLOCK_REALTIME))
    }

    private static func read(_ clock: Int32) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
