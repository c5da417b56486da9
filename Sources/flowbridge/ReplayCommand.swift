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
        let printsWrites = !options.printsFinal && options.truth == nil
        let truth: TruthTable?
        do {
            truth = try options.truth.map(readTruth)
        } catch {
            StandardStreams.error("flowbridge: \(error)\n")
            return EX_DATAERR
        }
        var score = Score()
        let store = options.state.map { StateStore(path: $0, at: MonotonicClock.now.wall) }
        var replay = Replay(
            settings.bridge,
            calendar: calendar,
            restoring: store?.load().map { ($0.totals, $0.notes) },
            plan: options.plan,
            output: { output in
                switch output {
                case .write:
                    if truth != nil { score.take(output) }
                    if printsWrites, let line = output.line { StandardStreams.output(line + "\n") }
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
        for line in truth.map(score.lines) ?? [] { StandardStreams.output(line + "\n") }
        if options.printsFinal {
            for (slug, content) in replay.documents {
                let line: JSONObject = ["slug": .string(slug), "content": content]
                StandardStreams.output(line.description + "\n")
            }
        }
        return EX_OK
    }

    private static func readTruth(_ path: String) throws -> TruthTable {
        var reader = try LineReader(path: path)
        var text = ""
        while let line = try reader.next({ String(decoding: $0, as: UTF8.self) }) { text += line + "\n" }
        return try TruthTable(csv: text)
    }
}
