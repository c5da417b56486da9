import Delivery
import EnergyFlow
import Glibc
import StateStore
import Testing

@Suite("The state store")
struct StateStoreTests {
    @Test("a new file has mode 0600, no state, no history, and nothing to tell")
    func newFile() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let store = StateStore(path: path, at: morning)
            #expect(store.load() == nil)
            let history = try store.history()
            #expect(history == [])
            #expect(store.takeNotices() == [])
            store.save(state(step: 1), at: morning)
            for name in names(in: directory) {
                var status = stat()
                try #require(stat("\(directory)/\(name)", &status) == 0)
                #expect(status.st_mode & 0o777 == 0o600, "\(name)")
            }
        }
    }

    @Test("any state comes back as it was saved, to the bit", arguments: [1, 2, 3])
    func roundTrip(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            for round in 0..<30 {
                let saved = randomState(using: &generator)
                do {
                    let store = StateStore(path: path, at: morning)
                    #expect(store.save(saved, at: morning) == nil)
                    #expect(store.load() == saved, "seed \(seed), round \(round)")
                }
                let store = StateStore(path: path, at: morning)
                #expect(store.load() == saved, "seed \(seed), round \(round), opened again")
                #expect(store.takeNotices() == [])
            }
        }
    }

    @Test("names that are equal to Swift but differ in bytes stay two")
    func namesByBytes() throws {
        try withDirectory { directory in
            let store = StateStore(path: "\(directory)/state.sqlite", at: morning)
            let day = LocalDay(number: 20_530)
            store.save(
                state(step: 1),
                closing: [
                    DayTotals.ClosedDay(day: day, name: "Z\u{E4}hler", total: 1),
                    DayTotals.ClosedDay(day: day, name: "Za\u{308}hler", total: 2),
                ],
                at: morning
            )
            let history = try store.history()
            #expect(history.map(\.total) == [2, 1])
        }
    }

    @Test("what is not finite is left out, and the rest is saved")
    func notFinite() throws {
        try withDirectory { directory in
            let store = StateStore(path: "\(directory)/state.sqlite", at: morning)
            var damaged = state(step: 3)
            damaged.totals.counters[0].state.total = .nan
            damaged.totals.counters[1].state.mark?.value = .infinity
            damaged.totals.counters[2].state.formers = [
                CounterTotal.State.Former(
                    value: -.nan,
                    low: 0,
                    left: morning,
                    startsOver: true,
                    counted: 0,
                    midnights: 0
                )
            ]
            damaged.totals.integrals[0].total = .nan
            let day = LocalDay(number: 20_530)
            let closed = [
                DayTotals.ClosedDay(day: day, name: "a", total: .nan),
                DayTotals.ClosedDay(day: day, name: "b", total: -1),
                DayTotals.ClosedDay(day: day, name: "c", total: 4),
            ]
            #expect(store.save(damaged, closing: closed, at: morning) == nil)
            var expected = state(step: 3)
            expected.totals.counters.removeFirst(3)
            expected.totals.integrals = []
            #expect(store.load() == expected)
            let history = try store.history()
            #expect(history == [closed[2]])
        }
    }

    @Test("a day that is closed twice keeps the larger total")
    func closedTwice() throws {
        try withDirectory { directory in
            let store = StateStore(path: "\(directory)/state.sqlite", at: morning)
            let day = LocalDay(number: 20_530)
            for total in [5.5, 6.25, 6] {
                let closed = [DayTotals.ClosedDay(day: day, name: "solar", total: total)]
                store.save(state(step: 1), closing: closed, at: morning)
            }
            let history = try store.history()
            #expect(history == [DayTotals.ClosedDay(day: day, name: "solar", total: 6.25)])
        }
    }

    @Test("history gives the newest dates, the oldest first")
    func newestDates() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let store = StateStore(path: path, at: morning)
            // Dates far apart: it is dates that are counted, not days back from today.
            let days = [18_000, 20_000, 20_400, 20_530].flatMap { number in
                ["b", "a"].map { DayTotals.ClosedDay(day: LocalDay(number: number), name: $0, total: Double(number)) }
            }
            store.save(state(step: 1), closing: days, at: morning)
            let newest = try store.history(days: 2)
            #expect(newest.map(\.day.number) == [20_400, 20_400, 20_530, 20_530])
            #expect(newest.map(\.name) == ["a", "b", "a", "b"])
            let none = try store.history(days: 0)
            #expect(none == [])
            let all = try store.history(days: 9)
            #expect(all.count == 8)
            let beside = try StateStore.history(at: path, days: 2)
            #expect(beside == newest)
        }
    }

    @Test("records that make no sense are left out with a sentence")
    func nonsense() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let store = StateStore(path: path, at: morning)
            store.save(state(step: 7), at: morning)
            try sqlite(
                path,
                """
                UPDATE counter SET total = -1 WHERE id = 0;
                UPDATE counter SET dating = 'perhaps' WHERE id = 1;
                UPDATE counter SET mark_seen = NULL WHERE id = 2;
                UPDATE counter SET owed = 8 WHERE id = 3;
                UPDATE counter SET mark = 9e999 WHERE id = 4;
                INSERT INTO former VALUES (5, 0, 1, 0, 0, 1, 0, 9223372036854775807);
                UPDATE integral SET total = -1;
                """
            )
            var expected = state(step: 7)
            expected.totals.counters.removeFirst(6)
            expected.totals.integrals = []
            #expect(store.load() == expected)
            #expect(
                store.takeNotices() == ["State file '\(path)': left out what makes no sense, 7 of its records."]
            )
            try sqlite(path, "UPDATE today SET date = '2026-02-30'")
            #expect(store.load() == nil)
        }
    }

    @Test("two may have it open, and see what the other saved")
    func twoOpens() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let first = StateStore(path: path, at: morning)
            let second = StateStore(path: path, at: morning)
            for step in 0..<20 {
                let (writer, reader) = step.isMultiple(of: 2) ? (first, second) : (second, first)
                #expect(writer.save(state(step: step), at: morning) == nil)
                #expect(reader.load() == state(step: step))
            }
            let history = try StateStore.history(at: path)
            #expect(history == [])
            #expect(first.takeNotices() + second.takeNotices() == [])
        }
    }

    @Test("several that begin the same new file at once all can")
    func beginAtOnce() async throws {
        for _ in 0..<30 {
            let directory = try makeDirectory()
            defer { remove(directory: directory) }
            let notices = await withTaskGroup(of: [String].self) { group in
                for step in 0..<4 {
                    group.addTask {
                        let store = StateStore(path: "\(directory)/state.sqlite", at: morning)
                        store.save(state(step: step), at: morning)
                        return store.takeNotices()
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(notices == [])
        }
    }

    @Test("a writer that is in the way is told of once, and its end too; the days come with the next save")
    func busy() throws {
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let store = StateStore(path: path, at: morning)
            let closed = [DayTotals.ClosedDay(day: LocalDay(number: 20_530), name: "solar", total: 3)]
            do {
                let other = try Database(path)
                try other.execute("BEGIN IMMEDIATE")
                let error = try #require(store.save(state(step: 1), closing: closed, at: morning))
                #expect(
                    error.description == "Cannot save the state in '\(path)': database is locked (SQLite result 5)."
                )
                store.save(state(step: 2), at: morning)
                #expect(store.takeNotices() == ["\(error) The bridge runs on without saving."])
            }
            #expect(store.save(state(step: 3), at: morning) == nil)
            #expect(store.takeNotices() == ["State file '\(path)' is saved again."])
            let history = try store.history()
            #expect(history == closed)
            #expect(store.load() == state(step: 3))
        }
    }
}
