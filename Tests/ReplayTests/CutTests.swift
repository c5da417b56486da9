import Bridge
import Configuration
import Delivery
import EnergyFlow
import Glibc
import Readings
import Replay
import StateStore
import Testing
import TimeZones
import Widgets

/// Runs that are cut and go on from the state file.
@Suite("State from run to run")
struct CutTests {
    /// How one run ends and the next begins.
    enum Ending {
        case cleanStop
        /// Only what the bridge had already asked to keep is there.
        case kill
    }

    struct Outcome {
        var state: DayTotals.State
        var history: [DayTotals.ClosedDay]

        func counter(_ name: String) -> Double? {
            state.counters.first { $0.reading == name }?.state.total
        }

        func integral(_ name: String) -> Double? {
            state.integrals.first { $0.name == name }?.total
        }
    }

    /// Replays the messages, cut before those at these places.
    private static func replay(
        _ messages: [CapturedMessage],
        _ settings: Settings,
        cuts: [(place: Int, ending: Ending)] = []
    ) throws -> Outcome {
        var template = Array("/tmp/flowbridge-cuts-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(directory)/state.sqlite"
        defer {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            rmdir(directory)
        }
        let calendar = try LocalCalendar(zone: settings.timeZone)
        let places = [0] + cuts.map(\.place) + [messages.count]
        let endings = cuts.map(\.ending) + [.cleanStop]
        for (run, ending) in zip(zip(places, places.dropFirst()), endings) where run.0 < run.1 {
            let store = StateStore(path: path, at: messages[run.0].wall)
            let kept = store.load().map { (totals: $0.totals, notes: $0.notes) }
            var replay = Replay(settings.bridge, calendar: calendar, restoring: kept) { output in
                guard case .keep(let at, let state, let notes, let closing) = output else { return }
                store.save(StoredState(totals: state, notes: notes), closing: closing, at: at)
            }
            for message in messages[run.0..<run.1] { replay.receive(message) }
            if case .cleanStop = ending { replay.finish() }
            let notices = store.takeNotices()
            #expect(notices == [])
        }
        let store = StateStore(path: path, at: .zero)
        return Outcome(state: try #require(store.load()?.totals), history: try store.history())
    }

    private static func settings(_ text: String) throws -> Settings {
        let result = ConfigurationReader().read(text: text)
        return try #require(result.settings, "\(result.problems)")
    }

    /// Cuts at different places, in order.
    private static func cuts(
        _ count: Int,
        in messages: [CapturedMessage],
        using random: inout SplitMix
    ) -> [(place: Int, ending: Ending)] {
        var places: Set<Int> = []
        while places.count < count { places.insert(.random(in: 1..<messages.count, using: &random)) }
        return places.sorted().map { ($0, Bool.random(using: &random) ? .kill : .cleanStop) }
    }

    // MARK: A day and a half made by hand

    private static let configuration = Home.configuration(
        readings: [
            "pv: { topic: t/pv, unit: W }",
            "battery: { topic: t/battery, unit: W }",
            "grid: { topic: t/grid, unit: W }",
            "pv_today: { topic: t/pv_today, unit: kWh, counts: today }",
            "grid_in: { topic: t/grid_in, unit: kWh, counts: lifetime }",
            "roofs: { topic: t/roof/+/day, unit: kWh, counts: today, combine: sum }",
        ],
        slots: [
            "inputs: [{ name: Solar, rate: pv, total: pv_today }, { name: Roofs, rate: pv, total: roofs }]",
            "storage: { name: Battery, rate: { charging: battery }, total: integrate }",
            "exchange: { name: Grid, rate: { import: grid }, total: grid_in }",
            "output: { name: Home, rate: balance, total: integrate }",
        ]
    )

    /// No rate is beyond this, in kW, so no second of integration is worth more.
    private static let mostPower = 6.0
    /// How long a rate may be missing after a start, until it is reported again.
    private static let pause = 60.0

    /// From noon to the evening after, in Berlin, a report of everything every minute. The source's day begins at UTC midnight,
    /// roof B sleeps at night, the meter shows 0 now and then, and one morning record is yesterday's.
    private static func messages(using random: inout SplitMix) throws -> [CapturedMessage] {
        let start = try utc("2026-05-05", "10:00")
        var messages: [CapturedMessage] = []
        var lifetime = 5000.0
        var today = 7.0
        var roofs = [4.0, 3.0]
        func add(_ wall: Duration, _ topic: String, _ payload: String) {
            messages.append(
                CapturedMessage(wall: wall, retained: false, topic: Array(topic.utf8), payload: Array(payload.utf8))
            )
        }
        for step in 0..<(32 * 60) {
            let wall = start + .seconds(step * 60)
            let hour = 10 + Double(step) / 60
            let sun = max(0, 2000 * (1 - abs(hour.truncatingRemainder(dividingBy: 24) - 12) / 8))
            let grid = Double.random(in: 0...2000, using: &random)
            lifetime += grid / 1000 / 60
            today += sun / 1000 / 60
            if step == 14 * 60 + 7 { today = 0 }
            for roof in roofs.indices { roofs[roof] += sun / 1000 / 60 / Double(2 + roof) }
            if step == 12 * 60 + 3 { roofs[0] = 0 }
            if step == 19 * 60 { roofs[1] = 0 }
            add(wall, "t/pv", "\(sun)")
            add(wall, "t/battery", "\(Double.random(in: -2000...2000, using: &random))")
            add(wall, "t/grid", "\(grid)")
            add(wall, "t/grid_in", Int.random(in: 0..<500, using: &random) == 0 ? "0" : "\(lifetime)")
            add(wall, "t/pv_today", "\(today)")
            add(wall, "t/roof/A/day", "\(roofs[0])")
            if sun > 0 { add(wall, "t/roof/B/day", "\(roofs[1])") }
        }
        return messages
    }

    @Test(
        "A made-up day and a half, cut anywhere and anyhow, ends as uncut",
        arguments: [1, UInt64.random(in: 2...UInt64.max)]
    )
    func synthetic(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let messages = try Self.messages(using: &random)
        let settings = try Self.settings(Self.configuration)
        let uncut = try Self.replay(messages, settings)
        #expect(uncut.history.count == 5)
        for count in [1, 12] {
            let cuts = Self.cuts(count, in: messages, using: &random)
            let cut = try Self.replay(messages, settings, cuts: cuts)
            let context: Comment = "seed \(seed), cuts \(cuts)"
            #expect(cut.state.day == uncut.state.day, context)
            for name in ["pv_today", "grid_in", "roofs"] {
                let pair = (try #require(cut.sum(name)), try #require(uncut.sum(name)))
                #expect(abs(pair.0 - pair.1) < 1e-9, "\(name) \(cut.members(name)) \(uncut.members(name)), \(context)")
            }
            let lost = cuts.reduce(0) { $0 + Self.pause + ($1.ending == .kill ? 300 : 0) } * Self.mostPower / 3600
            for name in ["power.storage.charging", "power.output"] {
                let pair = (try #require(cut.integral(name)), try #require(uncut.integral(name)))
                #expect(pair.0 <= pair.1 + 1e-9 && pair.0 >= pair.1 - lost, "\(name) \(pair), \(context)")
            }
            #expect(cut.history.map(\.name) == uncut.history.map(\.name), context)
            for (day, whole) in zip(cut.history, uncut.history) {
                let slack = day.name.hasPrefix("power.") ? lost : 1e-9
                #expect(abs(day.total - whole.total) <= slack, "\(day) \(whole), \(context)")
            }
        }
    }

    // MARK: The captures

    @Test("The captured days, cut anywhere and anyhow, end as uncut", arguments: Day.all)
    func captures(day: Day) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let messages = try day.messages()
        let settings = try Self.settings(day.configuration())
        let uncut = try Self.replay(messages, settings)
        let cuts = Self.cuts(5, in: messages, using: &random)
        let cut = try Self.replay(messages, settings, cuts: cuts)
        let context: Comment = "seed \(seed), cuts \(cuts)"
        for counter in uncut.state.counters {
            let total = try #require(cut.counter(counter.reading))
            #expect(abs(total - counter.state.total) < 1e-9, "\(counter.reading), \(context)")
        }
        for integral in uncut.state.integrals {
            let total = try #require(cut.integral(integral.name))
            // By day a minute until every rate is there again, at night a quarter of an hour until the silence of the sun
            // means zero; and five minutes of at most 8 kW when it was killed.
            let lost = cuts.reduce(0) { $0 + 0.3 + ($1.ending == .kill ? 0.67 : 0) }
            #expect(
                total <= integral.total + 1e-9 && total >= integral.total - lost,
                "\(integral) \(total), \(context)"
            )
        }
        #expect(cut.history == uncut.history)
    }
}

extension CutTests.Outcome {
    func members(_ name: String) -> [Double] {
        state.counters.filter { $0.reading == name }.map(\.state.total)
    }

    /// Over the topics of a wildcard.
    func sum(_ name: String) -> Double? {
        let totals = state.counters.filter { $0.reading == name }.map(\.state.total)
        return totals.isEmpty ? nil : totals.reduce(0, +)
    }
}
