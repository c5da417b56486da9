import CSQLite
import EnergyFlow
import Testing

@testable import StateStore

@Suite("Writes of the state store")
struct WriteCountTests {
    @Test("FR-58: a day of saves every 5 minutes, the midnight and the stop are at most 300 commits by SQLite's count")
    func aDay() throws {
        try withDirectory { directory in
            let store = StateStore(path: "\(directory)/state.sqlite", at: morning)
            let handle = try #require(store.connection?.handle)
            var commits = 0
            withUnsafeMutablePointer(to: &commits) { counter in
                sqlite3_commit_hook(
                    handle,
                    { counter in
                        counter?.assumingMemoryBound(to: Int.self).pointee += 1
                        return 0
                    },
                    counter
                )
                defer { sqlite3_commit_hook(handle, nil, nil) }
                // The saves are out of step with midnight and with the stop.
                let start = morning + .seconds(120)
                for minute in 1...1439 {
                    let now = start + .seconds(60 * minute)
                    if minute == 1013 {
                        let days = (0..<11).map { index in
                            DayTotals.ClosedDay(day: LocalDay(number: 20_531), name: "counter_\(index)", total: 1)
                        }
                        #expect(store.save(state(step: minute), closing: days, at: now) == nil)
                    } else if minute.isMultiple(of: 5) || minute == 1439 {
                        #expect(store.save(state(step: minute), at: now) == nil)
                    }
                }
            }
            // 287 saves, the midnight and the stop; nothing is written behind them.
            #expect(commits == 289)
        }
    }
}
