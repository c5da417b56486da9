import Delivery
import EnergyFlow
import Glibc
import StateStore
import Testing

@Suite("The state store through crashes and power cuts", .serialized)
struct CrashTests {
    @Test("a process killed at any time while it saves leaves a whole state")
    func killed() async throws {
        let directory = try makeDirectory()
        defer { remove(directory: directory) }
        let path = "\(directory)/state.sqlite"
        var newest = 0
        for round in 0..<12 {
            let microseconds = 20_000 + round * 7_919
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, microseconds = microseconds as Int] in
                var event = sigevent()
                event.sigev_notify = Int32(SIGEV_SIGNAL)
                event.sigev_signo = SIGKILL
                var timer: timer_t?
                var span = itimerspec()
                span.it_value.tv_nsec = microseconds * 1000
                guard timer_create(CLOCK_MONOTONIC, &event, &timer) == 0,
                    timer_settime(timer, 0, &span, nil) == 0
                else { return }
                let store = StateStore(path: path, at: morning)
                var next = (store.load().flatMap(wholeStep) ?? 0) + 1
                while true {
                    let day = DayTotals.ClosedDay(day: LocalDay(number: next), name: "solar", total: Double(next))
                    store.save(state(step: next), closing: next.isMultiple(of: 3) ? [day] : [], at: morning)
                    next += 1
                }
            }
            let store = StateStore(path: path, at: morning)
            let notices = store.takeNotices()
            #expect(notices == [])
            if let loaded = store.load() {
                let step = try #require(wholeStep(of: loaded), "round \(round): a mixture of two states")
                #expect(step >= newest)
                newest = step
            }
            let history = try store.history()
            // Every day that was closed before the newest state is there, and none after it.
            #expect(history.map(\.day.number) == stride(from: 3, through: newest, by: 3).map(\.self))
        }
        #expect(newest > 12, "the children saved nothing")
    }

    @Test("a power cut that tears the log anywhere leaves the state of one of the saves", arguments: [31, 32])
    func tornLog(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        try withDirectory { directory in
            let path = "\(directory)/state.sqlite"
            let copy = "\(directory)/copy.sqlite"
            let store = StateStore(path: path, at: morning)
            store.save(
                state(step: 1),
                closing: [DayTotals.ClosedDay(day: LocalDay(number: 20_530), name: "solar", total: 3)],
                at: morning
            )
            for step in 2...20 { store.save(state(step: step), at: morning) }
            // Not closed: the saves since the closed day are in the log only.
            let file = try read(path)
            let log = try read(path + "-wal")
            var seen: Set<Int> = []
            for round in 0..<100 {
                for name in names(in: directory) where name.hasPrefix("copy") { unlink("\(directory)/\(name)") }
                var torn = log
                let place = Int.random(in: 0...log.count, using: &generator)
                switch round % 3 {
                case 0: torn.removeSubrange(place...)
                // Blocks that were given to the file, but not yet written.
                case 1: for index in place..<log.count { torn[index] = 0 }
                default: for index in place..<min(place + 512, log.count) { torn[index] ^= 0x5A }
                }
                try write(file, to: copy)
                try write(torn, to: copy + "-wal")
                let recovered = StateStore(path: copy, at: morning)
                let notices = recovered.takeNotices()
                #expect(notices == [], "seed \(seed), round \(round)")
                let loaded = try #require(recovered.load(), "seed \(seed), round \(round)")
                seen.insert(try #require(wholeStep(of: loaded), "seed \(seed), round \(round)"))
                // Closed days are forced to the disk: they are in the file itself.
                let history = try recovered.history()
                #expect(history.count == 1, "seed \(seed), round \(round)")
            }
            #expect(seen.count > 5)
        }
    }

    @Test("a directory that cannot be written is read from, and told of once")
    func readOnlyDirectory() async throws {
        let directory = try makeDirectory()
        defer {
            chmod(directory, 0o700)
            remove(directory: directory)
        }
        let path = "\(directory)/state.sqlite"
        do {
            let store = StateStore(path: path, at: morning)
            store.save(state(step: 1), at: morning)
        }
        #expect(names(in: directory) == ["state.sqlite"])
        chmod(path, 0o444)
        chmod(directory, 0o555)
        // Permissions do not bind root, so the child becomes nobody.
        await #expect(processExitsWith: .success) { [path = path as String] in
            if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
            let store = StateStore(path: path, at: morning)
            #expect(store.load() == state(step: 1))
            #expect(store.save(state(step: 2), at: morning) != nil)
            #expect(store.save(state(step: 3), at: morning) != nil)
            #expect(
                store.takeNotices() == [
                    "Cannot write '\(path)': it is read-only (SQLite result 8). The bridge runs on without saving."
                ]
            )
        }
        #expect(names(in: directory) == ["state.sqlite"])
    }
}
