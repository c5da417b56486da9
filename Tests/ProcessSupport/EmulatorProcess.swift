import Glibc

/// The built stand-in for the widget service, running.
package final class EmulatorProcess {
    /// The port that it said it listens on; 0 when it said something else.
    package let port: UInt16
    /// The first line of its standard output.
    package let firstLine: String
    private let process: ChildProcess
    private let output: Int32
    private let errors: Int32

    /// What it left behind.
    package struct End: Equatable {
        /// How it ended.
        package var ending: ChildProcess.Ending
        /// All that it wrote to standard output after the first line.
        package var output: String
        /// All that it wrote to standard error.
        package var errors: String

        package init(_ ending: ChildProcess.Ending, output: String = "", errors: String = "") {
            self.ending = ending
            self.output = output
            self.errors = errors
        }
    }

    /// Starts the program and waits for its first line, or for its end.
    package init(_ arguments: [String]) throws {
        var outputPipe: [Int32] = [0, 0]
        var errorPipe: [Int32] = [0, 0]
        // Sockets rather than pipes, because they can be made so that no program that another test starts at the same
        // time inherits them.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &outputPipe) == 0, socketpair(AF_UNIX, kind, 0, &errorPipe) == 0 else {
            throw ProcessError("No socket is left for the emulator.")
        }
        output = outputPipe[0]
        errors = errorPipe[0]
        do {
            // Afterwards the program is the only one left to write, so that its end is the pipe's.
            defer {
                close(outputPipe[1])
                close(errorPipe[1])
            }
            process = try ChildProcess(
                ChildProcess.built("pushward-emulator"),
                arguments,
                output: outputPipe[1],
                errors: errorPipe[1]
            )
        }
        firstLine = EmulatorProcess.line(from: output)
        port = firstLine.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }

    deinit {
        close(output)
        close(errors)
    }

    /// Sends a signal, if any, and waits for the end.
    package func end(with signal: Int32? = nil) -> End {
        if let signal { process.signal(signal) }
        let output = EmulatorProcess.rest(of: output)
        let errors = EmulatorProcess.rest(of: errors)
        return End(process.wait(), output: output, errors: errors)
    }

    private static func line(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func rest(of descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Runs the program for as long as a test needs it.
package func withEmulator(_ arguments: String..., do body: (EmulatorProcess) throws -> Void) throws {
    try body(EmulatorProcess(arguments))
}
