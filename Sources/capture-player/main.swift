import Glibc

do {
    var player = try Player(PlayerOptions(Array(CommandLine.arguments.dropFirst())))
    exit(try player.run() ? EX_OK : EXIT_FAILURE)
} catch {
    fflush(stdout)
    fputs("\(error)\n", stderr)
    exit((error as? PlayerFailure)?.exitCode ?? EX_UNAVAILABLE)
}
