import Glibc

do {
    let options = try CommandLineOptions.parse(Array(CommandLine.arguments.dropFirst()))
    switch options.command {
    case .run:
        // A helper thread may still be connecting, and `exit` would take OpenSSL down under it. Nothing is left to flush.
        _exit(RunCommand.run(options))
    case .check: exit(CheckCommand.run(options))
    case .replay: exit(ReplayCommand.run(options))
    case .history: exit(HistoryCommand.run(options))
    case .widget: exit(WidgetCommand.run(options))
    }
} catch .help(let text) {
    StandardStreams.output(text)
} catch .misuse(let text) {
    StandardStreams.error("flowbridge: \(text)\n")
    exit(EX_USAGE)
}
