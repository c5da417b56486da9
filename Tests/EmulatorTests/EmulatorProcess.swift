import Glibc

/// The built program, running.
final class EmulatorProcess {
    /// The port that it said it listens on; 0 when it said something else.
    private(set) var port: UInt16 = 0
    /// The first line of its standard output.
    private(set) var firstLine = ""
    private let pid: pid_t
    private let output: Int32
    private let errors: Int32
    private var isOver = false

    /// What it left behind.
    struct End: Equatable {
        /// Its exit code; negative for a signal.
        var code: Int32
        /// All that it wrote to standard output after the first line.
        var output: String
        /// All that it wrote to standard error.
        var errors: String
    }

    /// Starts the program and waits for its first line, or for its end.
    init(_ arguments: [String]) throws {
        var outputPipe: [Int32] = [0, 0]
        var errorPipe: [Int32] = [0, 0]
        // Sockets rather than pipes, because they can be made so that no program that another test starts at the same
        // time inherits them.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &outputPipe) == 0, socketpair(AF_UNIX, kind, 0, &errorPipe) == 0 else {
            throw Failure()
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, outputPipe[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorPipe[1], STDERR_FILENO)
        var pid: pid_t = 0
        let path = try EmulatorProcess.path()
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let status = posix_spawn(&pid, path, &actions, nil, words, environ)
        close(outputPipe[1])
        close(errorPipe[1])
        self.pid = pid
        output = outputPipe[0]
        errors = errorPipe[0]
        guard status == 0 else {
            isOver = true
            throw Failure()
        }
        firstLine = EmulatorProcess.line(from: output)
        port = firstLine.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }

    deinit {
        // A test that failed half-way must not leave a process behind.
        if !isOver { _ = end(with: SIGKILL) }
    }

    /// Sends a signal, if any, and waits for the end.
    func end(with signal: Int32? = nil) -> End {
        if let signal { kill(pid, signal) }
        let output = EmulatorProcess.rest(of: output)
        let errors = EmulatorProcess.rest(of: errors)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        isOver = true
        close(self.output)
        close(self.errors)
        let signalNumber = status & 0x7F
        return End(code: signalNumber == 0 ? (status >> 8) & 0xFF : -signalNumber, output: output, errors: errors)
    }

    /// The program lies beside the tests.
    private static func path() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw Failure() }
        let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/pushward-emulator"
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

    struct Failure: Error {}
}

/// Runs the program for as long as a test needs it.
func withEmulator(_ arguments: String..., do body: (EmulatorProcess) throws -> Void) throws {
    try body(EmulatorProcess(arguments))
}
