import Glibc

do {
    var player = try Player(PlayerOptions(Array(CommandLine.arguments.dropFirst())))
    exit(try player.run() ? EX_OK : EXIT_FAILURE)
} catch {
    Stage.write("\(error)\n", to: STDERR_FILENO)
    exit((error as? PlayerFailure)?.exitCode ?? EX_UNAVAILABLE)
}
