import Bridge
import Configuration
import Delivery
import Glibc
import Readings
import Replay
import StateStore
import Widgets

/// `flowbridge replay`: the core over recorded messages on virtual time.
enum ReplayCommand {
    static func run(_ options: CommandLineOptions) -> Int32 {
        guard let settings = ConfigurationFile.load(options.configuration),
            let calendar = ConfigurationFile.calendar(of: settings)
        else { return EX_CONFIG }
        let printsFinal = options.printsFinal
        let store = options.state.map { StateStore(path: $0, at: MonotonicClock.now.wall) }
        var replay = Replay(
            settings.bridge,
            calendar: calendar,
            restoring: store?.load().map { ($0.totals, $0.notes) },
            output: { output in
                switch output {
                case .write:
                    if !printsFinal, let line = output.line { StandardStreams.output(line + "\n") }
                case .keep(let at, let state, let notes, let closing):
                    store?.save(StoredState(totals: state, notes: notes), closing: closing, at: at)
                case .log(_, let entry):
                    Log.write(entry)
                }
            }
        )
        do {
            for path in options.operands {
                var reader = try LineReader(path: path)
                var capture = CaptureReader()
                while let message = try reader.next({ try capture.read($0) }) {
                    if let message { replay.receive(message) }
                }
                if let message = capture.finish() { replay.receive(message) }
            }
        } catch {
            StandardStreams.error("flowbridge: \(error)\n")
            return EX_DATAERR
        }
        replay.finish()
        for notice in store?.takeNotices() ?? [] { Log.write(LogEntry(.warning, notice)) }
        if printsFinal {
            for (slug, content) in replay.documents {
                let line: JSONObject = ["slug": .string(slug), "content": content]
                StandardStreams.output(line.description + "\n")
            }
        }
        return EX_OK
    }
}
