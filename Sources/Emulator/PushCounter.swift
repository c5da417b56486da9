/// How many pushes the phone gets for one widget, given that those closer together than the throttle become one.
struct PushCounter {
    /// The service's own throttle, for widgets that set none.
    static let usualThrottle = Duration.seconds(15)

    private var sent = 0
    private var last: Duration?
    private var due: Duration?

    /// Counts a change: pushed at once when the last push is long enough ago, otherwise when the throttle is over,
    /// together with every other change until then.
    mutating func change(at uptime: Duration, throttle: Duration) {
        advance(to: uptime)
        guard due == nil else { return }
        if let last, uptime - last < throttle {
            due = last + throttle
        } else {
            push(at: uptime)
        }
    }

    /// The pushes until now; one that is still held back is not among them.
    mutating func pushes(at uptime: Duration) -> Int {
        advance(to: uptime)
        return sent
    }

    private mutating func advance(to uptime: Duration) {
        if let due, due <= uptime { push(at: due) }
    }

    private mutating func push(at uptime: Duration) {
        sent += 1
        last = uptime
        due = nil
    }
}
