import Glibc

/// Standard output for results, standard error for what a person should know. Unbuffered: a line is out when it is told.
enum StandardStreams {
    static func output(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    static func error(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                // Whoever reads may be gone; that must not end the bridge.
                if written < 0 && errno != EINTR { return }
                rest = rest.dropFirst(max(written, 0))
            }
        }
    }
}
