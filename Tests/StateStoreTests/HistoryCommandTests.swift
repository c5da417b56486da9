import EnergyFlow
import Glibc
import StateStore
import Testing

@Suite("flowbridge history")
struct HistoryCommandTests {
    /// What the built program, which lies beside the tests, prints, and its exit code.
    private func history(_ arguments: [String], in directory: String) throws -> (
        code: Int32, output: String, log: String
    ) {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        try #require(count > 0)
        let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let program = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/flowbridge"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 1, "\(directory)/output", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "\(directory)/log", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let words = ([program, "history"] + arguments).map { strdup($0) } + [nil]
        let environment = [strdup("STATE_DIRECTORY=\(directory):/elsewhere"), nil]
        defer {
            posix_spawn_file_actions_destroy(&actions)
            for word in words + environment { free(word) }
        }
        var child = pid_t()
        try #require(posix_spawn(&child, program, &actions, nil, words, environment) == 0)
        var status: Int32 = 0
        try #require(waitpid(child, &status, 0) == child)
        return (
            status & 0x7F == 0 ? (status >> 8) & 0xFF : -1,
            String(decoding: try read("\(directory)/output"), as: UTF8.self),
            String(decoding: try read("\(directory)/log"), as: UTF8.self)
        )
    }

    @Test("it shows the closed days while the bridge has the file open")
    func whileRunning() throws {
        try withDirectory { directory in
            let store = StateStore(path: "\(directory)/state.sqlite", at: morning)
            let none = try history([], in: directory)
            #expect(none.code == 0)
            #expect(none.output == "")
            let noLines = try history(["--csv"], in: directory)
            #expect(noLines.output == "date,reading,total\r\n")
            #expect(none.log == "flowbridge: No day is over yet in '\(directory)/state.sqlite'.\n")
            store.save(
                state(step: 1),
                closing: [
                    DayTotals.ClosedDay(day: LocalDay(number: 20_529), name: "solar", total: 12.344),
                    DayTotals.ClosedDay(day: LocalDay(number: 20_530), name: "solar", total: 3),
                    DayTotals.ClosedDay(day: LocalDay(number: 20_530), name: "grid", total: 101),
                ],
                at: morning
            )
            let table = try history([], in: directory)
            #expect(table.code == 0)
            #expect(table.log == "")
            #expect(
                table.output == """
                    date          grid  solar
                    2026-03-17       –  12.34
                    2026-03-18  101.00   3.00

                    """
            )
            let lines = try history(["--csv", "--days=1", "--state", "\(directory)/state.sqlite"], in: directory)
            #expect(lines.code == 0)
            #expect(lines.output == "date,reading,total\r\n2026-03-18,grid,101.0\r\n2026-03-18,solar,3.0\r\n")
            #expect(store.save(state(step: 2), at: morning) == nil)
        }
    }

    @Test("without a file it says so and ends with 66; with none of ours, with 65")
    func noFile() throws {
        try withDirectory { directory in
            let missing = try history([], in: directory)
            #expect(missing.code == 66)
            #expect(missing.output == "")
            #expect(
                missing.log == """
                    flowbridge: Cannot open '\(directory)/state.sqlite': unable to open database file (No such file or \
                    directory) (SQLite result 14). Name the state file of the bridge with --state.

                    """
            )
            try write(Array("no database".utf8), to: "\(directory)/state.sqlite")
            let damaged = try history([], in: directory)
            #expect(damaged.code == 65)
            #expect(
                damaged.log == """
                    flowbridge: Cannot open '\(directory)/state.sqlite': file is not a database (SQLite result 26).

                    """
            )
        }
    }

    @Test("it needs no configuration and takes none")
    func noConfiguration() throws {
        try withDirectory { directory in
            let result = try history(["--config", "flowbridge.yaml"], in: directory)
            #expect(result.code == 64)
            #expect(
                result.log == "flowbridge: 'history' has no option '--config'; see 'flowbridge history --help'.\n"
            )
        }
    }

    @Test("a wrong number of days is a wrong command line", arguments: ["0", "-1", "x", ""])
    func wrongDays(days: String) throws {
        try withDirectory { directory in
            let result = try history(["--days", days], in: directory)
            #expect(result.code == 64)
            #expect(result.log == "flowbridge: '--days' needs a whole number from 1, not '\(days)'.\n")
        }
    }
}
