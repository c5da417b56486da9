import Glibc

/// A program that a test started.
///
/// Foundation's `Process` waits for the end of a child in a run loop, and hangs on the threads of Swift Testing.
final class ChildProcess {
    private let identifier: pid_t
    private var status: Int32?

    /// Starts a program, whose output goes nowhere.
    init(_ program: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // The threads of a test have every signal blocked, and a child that inherits that never hears SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var vector = ([program] + arguments).map { strdup($0) }
        vector.append(nil)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            vector.forEach { free($0) }
        }
        var child = pid_t()
        guard posix_spawn(&child, program, &actions, &attributes, vector, environ) == 0 else {
            throw ChildProcessError(description: "\(program) cannot be started.")
        }
        identifier = child
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws {
        let child = try ChildProcess(program, arguments)
        let status = child.wait()
        guard status == 0 else {
            throw ChildProcessError(description: "\(program) \(arguments) ended with status \(status).")
        }
    }

    var isRunning: Bool { reap(WNOHANG) == nil }

    func terminate() {
        guard isRunning else { return }
        kill(identifier, SIGTERM)
        wait()
    }

    @discardableResult
    private func wait() -> Int32 { reap(0) ?? -1 }

    private func reap(_ options: Int32) -> Int32? {
        if let status { return status }
        var code: Int32 = 0
        if waitpid(identifier, &code, options) == identifier {
            status = code
        }
        return status
    }
}

struct ChildProcessError: Error, CustomStringConvertible {
    var description: String
}
