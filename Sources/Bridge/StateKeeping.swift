import Readings

/// When the state is to be kept: often enough that a power cut loses minutes, seldom enough that an SD card lasts.
struct StateKeeping: Sendable {
    private static let interval = Duration.seconds(300)

    private var lastKept: Duration
    private var hasNews = false

    init(lastKept: Duration) {
        self.lastKept = lastKept
    }

    /// Takes note that there is something to keep.
    mutating func note() {
        hasNews = true
    }

    /// The uptime at which the state is to be kept; `nil` while nothing has happened.
    var due: Duration? {
        hasNews ? lastKept + StateKeeping.interval : nil
    }

    /// Takes note that the state is kept.
    mutating func keep(at now: Duration) {
        lastKept = now
        hasNews = false
    }
}
