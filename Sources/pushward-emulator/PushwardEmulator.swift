import CLinux
import Emulator
import Glibc

/// The program: takes its arguments apart, starts the server and waits for it to end.
@main
enum PushwardEmulator {
    static func main() {
        switch Arguments.parse(CommandLine.unsafeArgv, count: CommandLine.argc) {
        case .help:
            say(Arguments.help, to: STDOUT_FILENO)
        case .mistake(let sentence):
            fail(sentence + " See --help.", EX_USAGE)
        case .run(let arguments):
            do {
                try run(arguments)
            } catch {
                fail(error.description, error.exitCode)
            }
        }
    }

    private static func run(_ arguments: Arguments) throws(StartError) {
        // Blocked before anything is started, so that a signal in between waits for the descriptor.
        let signals = try SignalDescriptor(SIGTERM, SIGINT)
        let trace = try arguments.trace.map { path throws(StartError) in try TraceFile(path: path) }
        let service = WidgetService(
            plan: arguments.plan,
            key: arguments.key,
            faults: arguments.faults,
            at: Clock.now()
        )
        let server = try HTTPServer(port: arguments.port, service: service, trace: trace)
        say("http://127.0.0.1:\(server.port)\n", to: STDOUT_FILENO)
        try server.run(until: signals)
    }

    private static func fail(_ sentence: String, _ code: Int32) -> Never {
        say("pushward-emulator: \(sentence)\n", to: STDERR_FILENO)
        exit(code)
    }

    private static func say(_ text: String, to descriptor: Int32) {
        // Whoever closed the descriptor does not want to hear of it, so there is nobody to tell.
        _ = Descriptor.write(Array(text.utf8), to: descriptor)
    }
}
