import Glibc

/// Ends what the tests started and could not end themselves because they were killed.
///
/// A shell that waits for the end of its input, which only the test process holds open: it comes whatever ended it.
enum Janitor {
    private static let script = """
        trap '' HUP INT TERM
        pids=' '
        while read -r sign pid; do
            case $sign in
                +) pids="$pids$pid " ;;
                -) pids="${pids%% $pid *} ${pids#* $pid }" ;;
            esac
        done
        [ -z "${pids## }" ] || kill -KILL $pids
        """

    /// Its standard input; -1 without a janitor.
    private static let input: Int32 = {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return -1 }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        let arguments: [String] = ["sh", "-c", script]
        let words = arguments.map { strdup($0) } + [nil]
        defer {
            posix_spawn_file_actions_destroy(&actions)
            for word in words { free(word) }
        }
        var janitor = pid_t()
        guard posix_spawn(&janitor, "/bin/sh", &actions, nil, words, environ) == 0 else { return -1 }
        return ends[1]
    }()

    static func watch(_ process: pid_t) {
        tell("+ \(process)\n")
    }

    static func forget(_ process: pid_t) {
        tell("- \(process)\n")
    }

    /// A line is short enough to be written whole, so that several threads may write.
    private static func tell(_ line: String) {
        guard input >= 0 else { return }
        _ = line.withCString { write(input, $0, strlen($0)) }
    }
}
