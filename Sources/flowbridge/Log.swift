import Delivery
import Glibc

/// The log: one line each on standard error, with a systemd priority when the journal reads it.
enum Log {
    static func write(_ entry: LogEntry) {
        guard entry.level < .debug else { return }
        let prefix = readsJournal ? "<\(entry.level.rawValue)>" : "\(entry.level): "
        StandardStreams.error(prefix + entry.message + "\n")
    }

    private static let readsJournal = getenv("JOURNAL_STREAM") != nil
}
