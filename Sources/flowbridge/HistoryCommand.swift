import Glibc
import StateStore

/// `flowbridge history`: the closed days, for people or machines.
enum HistoryCommand {
    static func run(_ options: CommandLineOptions) -> Int32 {
        let path = options.state ?? StatePath.standard
        do throws(StoreError) {
            let days = try StateStore.history(at: path, days: options.days)
            if days.isEmpty { StandardStreams.error("flowbridge: No day is over yet in '\(path)'.\n") }
            StandardStreams.output(options.isCSV ? HistoryTable(days).csv : HistoryTable(days).text)
            return EX_OK
        } catch {
            guard error.isMissingFile else {
                StandardStreams.error("flowbridge: \(error)\n")
                return EX_DATAERR
            }
            StandardStreams.error("flowbridge: \(error) Name the state file of the bridge with --state.\n")
            return EX_NOINPUT
        }
    }
}
