package import Glibc

/// A program that a test started. It ends with the test process, whatever ends that.
///
/// Foundation's `Process` waits for the end of a child in a run loop, and hangs on the threads of Swift Testing.
package final class ChildProcess {
    /// How a program ended.
    package enum Ending: Equatable {
        /// With this exit code.
        case code(Int32)
        /// By this signal.
        case signal(Int32)
    }

    package let identifier: pid_t
    private var ending: Ending?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: what it finds in its environment beside all that the tests find in theirs.
    ///   - input: where its standard input comes from; from nowhere if `nil`, as for the other two.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        input: Int32? = nil,
        output: Int32? = nil,
        errors: Int32? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        for (number, descriptor) in [input, output, errors].enumerated() {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        // The threads of a test have every signal blocked, and a child that inherits that never hears SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        // What comes first wins.
        let variables = environment.map { strdup("\($0)=\($1)") }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            for word in words + variables { free(word) }
        }
        var child = pid_t()
        let code = posix_spawn(&child, program, &actions, &attributes, words, variables + ChildProcess.inherited)
        guard code == 0 else {
            throw ProcessError("\(program) cannot be started: \(String(cString: strerror(code))).")
        }
        identifier = child
        Janitor.watch(child)
    }

    deinit {
        // A test that failed half-way must not leave a process behind.
        end(with: SIGKILL)
    }

    /// Runs a program to its end, which must be a good one.
    package static func run(_ program: String, _ arguments: [String], input: Int32? = nil) throws {
        let ending = try ChildProcess(program, arguments, input: input).wait()
        guard ending == .code(0) else {
            throw ProcessError("\(program) \(arguments) ended with \(ending).")
        }
    }

    /// Where the programs under test lie if not beside the tests: those of a release build, as a person runs them.
    package static let products = getenv("FLOWBRIDGE_PRODUCTS").map { String(cString: $0) }

    /// The path of a program of this package.
    package static func built(_ name: String) throws -> String {
        if let products { return "\(products)/\(name)" }
        return try besideTests(name)
    }

    /// The path of a product of this package that was built with the tests, whatever the programs under test are.
    package static func besideTests(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw ProcessError("The tests do not find themselves.") }
        let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/\(name)"
    }

    package var isRunning: Bool { reap(WNOHANG) == nil }

    /// Sends a signal.
    package func signal(_ number: Int32) {
        if isRunning { kill(identifier, number) }
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    package func end(with number: Int32) -> Ending {
        signal(number)
        return wait()
    }

    /// Waits for the end. A program that hangs is killed after half a minute, so that no test does.
    package func wait() -> Ending {
        for _ in 0..<30_000 {
            if let ending = reap(WNOHANG) { return ending }
            usleep(1000)
        }
        kill(identifier, SIGKILL)
        return reap(0) ?? .signal(SIGKILL)
    }

    private func reap(_ options: Int32) -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        guard waitpid(identifier, &status, options) == identifier else { return nil }
        Janitor.forget(identifier)
        let signal = status & 0x7F
        ending = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
        return ending
    }

    private static var inherited: [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(variable)
            next += 1
        }
        return variables + [nil]
    }
}

package struct ProcessError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
