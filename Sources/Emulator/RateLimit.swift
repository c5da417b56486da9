/// How many requests each client may make in a rolling minute.
struct RateLimit {
    /// Requests a window.
    static let limit = 200
    /// The window, and also what a refused client is told to wait.
    static let window = Duration.seconds(60)

    private var admitted: [String: [Duration]] = [:]

    /// Whether one more request of a client is admitted, which is then counted. Refused ones are not counted, so a
    /// client that keeps knocking is let in again as soon as its window has room.
    mutating func admits(_ client: String, at uptime: Duration) -> Bool {
        var recent = admitted[client, default: []]
        recent.removeAll { $0 <= uptime - RateLimit.window }
        let fits = recent.count < RateLimit.limit
        if fits { recent.append(uptime) }
        admitted[client] = recent
        return fits
    }
}
