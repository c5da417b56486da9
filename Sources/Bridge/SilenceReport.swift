import Delivery
import Readings

/// Tells once which readings have brought nothing since the start: a slip in a topic or path makes a slot that never
/// appears, and nothing else would say why.
struct SilenceReport: Sendable {
    /// The slowest common source reports every five minutes.
    private static let patience = Duration.seconds(330)
    /// Longer lists are of no use in one line.
    private static let most = 10

    /// When to look; `nil` once that is done.
    private(set) var due: Duration?

    init(at now: Duration) {
        due = now + SilenceReport.patience
    }

    /// The line, if there is something to tell.
    mutating func take(
        at now: Duration,
        _ readings: [ReadingDefinition],
        isSilent: (Int) -> Bool
    ) -> LogEntry? {
        guard let due, due <= now else { return nil }
        self.due = nil
        let silent = readings.indices.filter(isSilent)
        guard !silent.isEmpty else { return nil }
        let names = silent.prefix(SilenceReport.most).map { "'\(readings[$0].name)' (\(readings[$0].topic))" }
        let more = silent.count > names.count ? " and \(silent.count - names.count) more" : ""
        return LogEntry(
            .warning,
            "Nothing has come yet for the reading \(names.joined(separator: ", "))\(more): check 'topic' and 'path', byte "
                + "for byte, or wait if the source sleeps."
        )
    }
}
