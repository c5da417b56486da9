import Glibc
import Readings

/// The two clocks of the machine, read together.
enum MonotonicClock {
    /// The present moment.
    ///
    /// Uptime is `CLOCK_BOOTTIME`, which goes on while the machine sleeps: a reading from before the sleep is old after
    /// it. `CLOCK_MONOTONIC` would take it for fresh. Waits do not notice the sleep, but none is longer than a second
    /// while there is a broker.
    static var now: Moment {
        Moment(uptime: read(CLOCK_BOOTTIME), wall: read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
