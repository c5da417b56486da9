import Bridge
import CSQLite
import Configuration
import EnergyFlow
import Glibc
import Readings
import Testing
import TimeZones

@testable import StateStore

/// Counted by SQLite, from the messages to the file.
@Suite("FR-58: writes of the state file")
struct WriteCountTests {
    private static let configuration = Home.configuration(
        readings: [
            "pv: { topic: t/0, unit: W }",
            "battery: { topic: t/1, unit: W }",
            "grid: { topic: t/2, unit: W }",
            "level: { topic: t/3, unit: \"%\" }",
            "pv_today: { topic: t/4, unit: kWh, counts: today }",
            "grid_in: { topic: t/5, unit: kWh, counts: lifetime }",
            "a: { topic: t/6, unit: kWh, counts: today }",
            "b: { topic: t/7, unit: kWh, counts: today }",
            "wind: { topic: t/8, unit: W }",
            "wind_energy: { topic: t/9, unit: kWh, counts: lifetime }",
        ],
        slots: [
            "inputs:",
            "  - { name: Solar, rate: pv, total: pv_today }",
            "  - { name: Wind, rate: wind, total: wind_energy }",
            "  - { name: More, rate: pv, total: { sum: [a, b] } }",
            "storage: { name: Battery, rate: { charging: battery }, total: integrate, level: level }",
            "exchange: { name: Grid, rate: { import: grid }, total: grid_in }",
            "output: { name: Home, rate: balance, total: integrate }",
        ]
    )

    struct Span: CustomTestStringConvertible {
        let hours: Int
        let period: Int
        let commits: ClosedRange<Int>
        var testDescription: String { "\(hours) h, a report every \(period) s" }
    }

    /// Keeping goes by time, so that a report a minute writes as often as one a second, at a sixtieth of the messages.
    static let spans =
        [Span(hours: 1, period: 1, commits: 12...14), Span(hours: 24, period: 60, commits: 280...300)]
        + (getenv("FLOWBRIDGE_LONG_TESTS") == nil ? [] : [Span(hours: 24, period: 1, commits: 280...300)])

    @Test("Ten readings write the file at most 300 times a day", arguments: spans)
    func commits(span: Span) throws {
        var template = Array("/tmp/flowbridge-writes-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(directory)/state.sqlite"
        defer {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            rmdir(directory)
        }
        let start = try utc("2026-05-05", "10:03:20")
        let store = StateStore(path: path, at: start)
        let handle = try #require(store.connection?.handle)
        var commits = 0
        try withUnsafeMutablePointer(to: &commits) { counter in
            sqlite3_commit_hook(
                handle,
                { counter in
                    counter?.assumingMemoryBound(to: Int.self).pointee += 1
                    return 0
                },
                counter
            )
            defer { sqlite3_commit_hook(handle, nil, nil) }
            var home = try Home(Self.configuration, at: Moment(uptime: .zero, wall: start))
            var saved = 0
            for second in stride(from: 0, to: span.hours * 3600, by: span.period) {
                for topic in 0..<10 {
                    // Powers and the level wander; counters rise.
                    let value =
                        [4, 5, 6, 7, 9].contains(topic) ? Double(second) / 3600 : Double((second * 7 + topic) % 97)
                    home.send("t/\(topic)", "\(value)")
                }
                home.pass(.seconds(span.period))
                for keeping in home.keepings.dropFirst(saved) {
                    #expect(
                        store.save(StoredState(totals: keeping.state), closing: keeping.closing, at: keeping.at.wall)
                            == nil
                    )
                }
                saved = home.keepings.count
            }
            home.stop()
            for keeping in home.keepings.dropFirst(saved) {
                #expect(
                    store.save(StoredState(totals: keeping.state), closing: keeping.closing, at: keeping.at.wall) == nil
                )
            }
        }
        #expect(span.commits.contains(commits), "\(commits)")
    }
}
