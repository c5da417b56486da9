/// When to listen to the broker again.
///
/// A process that is woken for each of a hundred messages a second spends ten times what the messages themselves cost. So
/// while they come in a steady stream, it lets them gather for a moment that nobody can see on a phone.
public struct ListeningPace: Sendable {
    /// How long messages gather.
    public static let pause = Duration.milliseconds(50)

    /// The uptime until which not to listen; `nil` to listen now.
    public private(set) var resumes: Duration?
    private var lastTurn: Duration?

    /// Makes a pace that listens.
    public init() {}

    /// Ends the pause.
    public mutating func resume() {
        resumes = nil
    }

    /// Takes note of what listening brought.
    /// - Parameter hasMore: whether more is there already. That is taken without a pause: a broker drops what it cannot hand
    ///   over.
    public mutating func heard(_ messages: Int, hasMore: Bool, at now: Duration) {
        resumes = nil
        guard messages > 0 else { return }
        let isSteady = lastTurn.map { now - $0 <= ListeningPace.pause * 2 } ?? false
        lastTurn = now
        if isSteady, !hasMore { resumes = now + ListeningPace.pause }
    }
}
