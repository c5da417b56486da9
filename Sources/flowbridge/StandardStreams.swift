import Glibc

/// Standard output for results, standard error for what a person should know.
enum StandardStreams {
    static func output(_ text: String) {
        fputs(text, stdout)
    }

    static func error(_ text: String) {
        fputs(text, stderr)
    }
}
