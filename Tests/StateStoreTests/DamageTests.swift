import Delivery
import EnergyFlow
import Glibc
import Testing

@testable import StateStore

@Suite("State files that are not as they were left")
struct DamageTests {
    private static let closed = [DayTotals.ClosedDay(day: LocalDay(number: 20_530), name: "solar", total: 3)]

    /// A file that was closed cleanly, with a state and a day.
    private func makeFile(_ path: String) {
        let store = StateStore(path: path, at: morning)
        store.save(state(step: 1), closing: Self.closed, at: morning)
    }

    @Test("FR-24: what is no database is set aside and a new file begun")
    func noDatabase() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            try write(Array("baseline: 8000.0\n".utf8) + Array(repeating: 0, count: 5000), to: path)
            try write(Array("log".utf8), to: path + "-wal")
            let store = StateStore(path: path, at: morning)
            let aside = "\(path).corrupt-20260319-070500"
            #expect(
                store.takeNotices() == [
                    """
                    Cannot open '\(path)': file is not a database (SQLite result 26). It was set aside as '\(aside)', and a \
                    new state file begun.
                    """
                ]
            )
            #expect(store.load() == nil)
            #expect(store.save(state(step: 2), at: morning) == nil)
            #expect(store.load() == state(step: 2))
            #expect(try read(aside).starts(with: Array("baseline".utf8)))
            #expect(store.takeNotices() == [])
        }
    }

    @Test("two damaged files within a second are both kept")
    func twice() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            for _ in 0..<2 {
                try write(Array(repeating: 7, count: 5000), to: path)
                _ = StateStore(path: path, at: morning)
            }
            #expect(
                names(in: directory) == [
                    "state.sqlite", "state.sqlite.corrupt-20260319-070500", "state.sqlite.corrupt-20260319-070500-2",
                ]
            )
        }
    }

    @Test("a file cut off anywhere is whole, or is set aside with one sentence", arguments: [11, 12])
    func truncated(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            makeFile(path)
            let whole = try read(path)
            for round in 0..<40 {
                let length = round == 0 ? 0 : Int.random(in: 0..<whole.count, using: &generator)
                try write(Array(whole[..<length]), to: path)
                let store = StateStore(path: path, at: morning)
                let notices = store.takeNotices()
                #expect(notices.count == (length == 0 ? 0 : 1), "seed \(seed), length \(length)")
                #expect(notices.allSatisfy { $0.hasSuffix("and a new state file begun.") })
                #expect(store.load() == nil, "seed \(seed), length \(length)")
                #expect(store.save(state(step: 2), at: morning) == nil, "seed \(seed), length \(length)")
                #expect(store.load() == state(step: 2))
            }
        }
    }

    @Test("a file with bytes overwritten anywhere never stops the store, nor makes it silent", arguments: [21, 22])
    func overwritten(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            makeFile(path)
            let whole = try read(path)
            for round in 0..<150 {
                var damaged = whole
                // Most of the file is empty space; what hurts is near the start of a page.
                let page = Int.random(in: 0..<whole.count / 4096, using: &generator) * 4096
                let length = [1, 1, 8, 512].randomElement(using: &generator) ?? 1
                let start = min(page + Int.random(in: 0..<200, using: &generator), whole.count - length)
                for index in start..<start + length { damaged[index] = .random(in: 0...255, using: &generator) }
                try write(damaged, to: path)
                let store = StateStore(path: path, at: morning)
                let loaded = store.load()
                let failure = store.save(state(step: 2), closing: Self.closed, at: morning)
                let notices = store.takeNotices()
                let place = Comment(
                    rawValue: "seed \(seed), round \(round), bytes \(start)..<\(start + length): \(notices)"
                )
                #expect(loaded != nil || !notices.isEmpty || damaged == whole, place)
                if failure == nil {
                    #expect(store.load() == state(step: 2), place)
                } else {
                    #expect(notices.contains { $0.hasSuffix("The bridge runs on without saving.") }, place)
                }
            }
        }
    }

    @Test("a card that goes bad while the bridge runs costs the file, and not the saving")
    func whileRunning() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            makeFile(path)
            let store = StateStore(path: path, at: morning)
            store.save(state(step: 1), closing: Self.closed, at: morning)
            let descriptor = open(path, O_WRONLY)
            try #require(descriptor >= 0)
            let garbage = [UInt8](repeating: 0xA5, count: try read(path).count)
            #expect(pwrite(descriptor, garbage, garbage.count, 0) == garbage.count)
            // Closing would take away the store's own lock on the file, as POSIX has it.
            defer { close(descriptor) }
            try #require(store.connection).execute("PRAGMA shrink_memory", "forget")
            #expect(store.save(state(step: 2), at: morning) == nil)
            #expect(store.load() == state(step: 2))
            #expect(names(in: directory).contains("state.sqlite.corrupt-20260319-070500"))
        }
    }

    @Test("a file of a newer release is read, not written, and told of once")
    func newer() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            makeFile(path)
            try sqlite(path, "PRAGMA user_version = 2; ALTER TABLE counter ADD COLUMN phase TEXT")
            let before = try read(path)
            let store = StateStore(path: path, at: morning)
            #expect(store.load() == state(step: 1))
            #expect(store.save(state(step: 2), closing: Self.closed, at: morning) != nil)
            #expect(store.save(state(step: 3), at: morning) != nil)
            #expect(
                store.takeNotices() == [
                    """
                    Cannot write '\(path)': it is of a newer release (schema 2, known is 1) (SQLite result 8). The bridge \
                    runs on without saving.
                    """
                ]
            )
            let history = try StateStore.history(at: path)
            #expect(history == Self.closed)
            #expect(try read(path) == before)
        }
    }

    @Test("another program's database is left alone")
    func foreign() throws {
        try withDirectory { directory in
            let path = "\(directory)/home.db"
            try sqlite(path, "CREATE TABLE states (id INTEGER)")
            let before = try read(path)
            let store = StateStore(path: path, at: morning)
            #expect(store.load() == nil)
            #expect(store.save(state(step: 2), at: morning) != nil)
            #expect(
                store.takeNotices() == [
                    """
                    Cannot open '\(path)': it is the database of another program (SQLite result 20). The bridge runs on \
                    without saving.
                    """
                ]
            )
            #expect(try read(path) == before)
            #expect(names(in: directory) == ["home.db"])
        }
    }

    @Test("a path that leads nowhere is told of once, and works once it leads somewhere")
    func nowhere() throws {
        try withDirectory { directory in
            let path = "\(directory)/card/state.sqlite"
            try write([], to: "\(directory)/card")
            let store = StateStore(path: path, at: morning)
            #expect(store.load() == nil)
            #expect(store.save(state(step: 1), closing: Self.closed, at: morning) != nil)
            unlink("\(directory)/card")
            #expect(store.save(state(step: 2), at: morning) != nil)
            #expect(
                store.takeNotices() == [
                    "Cannot open '\(path)': Not a directory (SQLite result 14). The bridge runs on without saving."
                ]
            )
            mkdir("\(directory)/card", 0o700)
            #expect(store.save(state(step: 3), at: morning) == nil)
            #expect(store.takeNotices() == ["State file '\(path)' is saved again."])
            let history = try store.history()
            #expect(history == Self.closed)
            for name in names(in: "\(directory)/card") { unlink("\(directory)/card/\(name)") }
            rmdir("\(directory)/card")
        }
    }

    @Test("a full disk is told of once, keeps what was saved, and is saved to again when it has room")
    func fullDisk() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let store = StateStore(path: path, at: morning)
            store.save(state(step: 1), at: morning)
            let connection = try #require(store.connection)
            try connection.execute("PRAGMA max_page_count = 1", "limit")
            var large = state(step: 2)
            large.notes["large"] = String(repeating: "x", count: 100_000)
            let error = try #require(store.save(large, closing: Self.closed, at: morning))
            store.save(large, at: morning)
            #expect(
                store.takeNotices() == [
                    """
                    Cannot save the state in '\(path)': database or disk is full (SQLite result 13). The bridge runs on \
                    without saving.
                    """
                ]
            )
            #expect(error.code == 13)
            #expect(store.load() == state(step: 1))
            try connection.execute("PRAGMA max_page_count = 1000000", "limit")
            #expect(store.save(large, at: morning) == nil)
            #expect(store.load() == large)
            let history = try store.history()
            #expect(history == Self.closed)
        }
    }

    @Test("history of a file that is not there, empty, or none of ours is an error and creates nothing")
    func noHistory() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let missing = #expect(throws: StoreError.self) { try StateStore.history(at: path) }
            #expect(missing?.isMissingFile == true)
            #expect(names(in: directory) == [])
            try write([], to: path)
            let empty = #expect(throws: StoreError.self) { try StateStore.history(at: path) }
            #expect(empty?.isMissingFile == true)
            try write(Array(repeating: 7, count: 5000), to: path)
            let damaged = #expect(throws: StoreError.self) { try StateStore.history(at: path) }
            #expect(damaged?.isMissingFile == false)
            #expect(names(in: directory) == ["state.sqlite"])
        }
    }
}
