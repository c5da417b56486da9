import Glibc

/// The file that gets one line a request, each written at once and whole.
final class TraceFile {
    private let path: String
    private let descriptor: Int32

    /// Opens a file anew; what it held before is gone.
    init(path: String) throws(StartError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 {
            let reason = Descriptor.lastError()
            throw StartError(
                description: "The trace file \(path) cannot be written: \(reason).",
                exitCode: EX_CANTCREAT
            )
        }
    }

    deinit {
        close(descriptor)
    }

    /// Appends a line.
    func append(_ line: String) throws(StartError) {
        if let reason = Descriptor.write(Array(line.utf8) + [UInt8(ascii: "\n")], to: descriptor) {
            // Going on would leave a trace that tests believe in and that has holes.
            throw StartError(description: "The trace file \(path) cannot be written: \(reason).", exitCode: EX_IOERR)
        }
    }
}
