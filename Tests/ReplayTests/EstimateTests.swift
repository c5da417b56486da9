import Bridge
import Configuration
import Delivery
import EnergyFlow
import Foundation
import Readings
import Replay
import Testing
import TimeZones
import Widgets

/// The countdowns of a captured day, against their formula and against what happened.
@Suite("Countdowns on the two captured days")
struct EstimateTests {
    @Test(
        "the target is what the formula gives, within the tolerance, for 30 updates a day at most",
        arguments: Day.all,
        Goal.all
    )
    func formula(day: Day, goal: Goal) throws {
        let shown = try #require(try DayCountdowns.of(day).shown[goal.slug])
        #expect(shown.writes.count <= 30)
        #expect(shown.problems == [])
        var counted = 0
        var wasOff = false
        for (minute, end) in try Formula(day, goal.goal).estimates {
            guard let end, let target = shown.target(at: minute), target > minute else {
                wasOff = false
                continue
            }
            counted += 1
            let distance = target < end ? end - target : target - end
            // Levels come in steps and once in half a minute, so that the estimate of a whole minute is up to one of them off.
            let isOff = distance > DateTolerance.estimated.allowance(at: end - minute) + .seconds(60)
            // The next push goes a minute after the last one.
            let isPushed = shown.writes.contains { $0.at > minute - .seconds(60) && $0.at <= minute }
            #expect(!(isOff && wasOff) || isPushed, "\(goal.slug) at \(RFC3339.text(minute))")
            wasOff = isOff
        }
        #expect(counted > 75)
    }

    /// What docs/countdown.md says: of the minutes with a countdown whose end came, how many there are, and the share for
    /// which the time left was within 15 %, and within a third, of what it turned out to be.
    @Test(
        "the error that is documented is what the days give",
        arguments: [
            (Day.spring, Goal.full, 220, 0.33, 0.50), (.spring, .tenth, 615, 0.08, 0.19),
            (.summer, .full, 217, 0.25, 0.44), (.summer, .tenth, 80, 0.11, 0.55),
        ] as [(Day, Goal, Int, Double, Double)]
    )
    func error(day: Day, goal: Goal, minutes: Int, within15: Double, within33: Double) throws {
        let shown = try #require(try DayCountdowns.of(day).shown[goal.slug])
        let error = try Truths(day).error(of: shown, goal.goal)
        #expect((error.minutes - minutes).magnitude <= 10)
        #expect((error.within15 - within15).magnitude <= 0.03)
        #expect((error.within33 - within33).magnitude <= 0.03)
    }
}

/// What is counted down to.
struct Goal: CustomTestStringConvertible, Sendable {
    let slug: String
    let when: String
    let goal: StorageEstimate.Goal
    var testDescription: String { when }

    static let full = Goal(slug: "full", when: "full", goal: .full)
    static let empty = Goal(slug: "empty", when: "empty", goal: .empty)
    /// Where the recorded batteries stop.
    static let tenth = Goal(slug: "tenth", when: "10 %", goal: .level(10))
    static let all = [full, empty, tenth]
}

/// What phones showed of all countdowns of one day. A replay takes seconds, so that all tests share one.
private struct DayCountdowns {
    private(set) var shown: [String: Shown] = [:]

    private static let spring = Result { try DayCountdowns(.spring) }
    private static let summer = Result { try DayCountdowns(.summer) }

    static func of(_ day: Day) throws -> DayCountdowns {
        try (day.capture == Day.spring.capture ? spring : summer).get()
    }

    private init(_ day: Day) throws {
        let widgets = Goal.all.map { goal in
            "  \(goal.slug): { template: countdown, name: C, end: { when: \(goal.when), of: power, capacity: 10 kWh, "
                + "efficiency: 95 % }, expired_text: At rest }\n"
        }
        let text = try day.configuration().replacing("\nwidgets:\n", with: "\nwidgets:\n" + widgets.joined())
        let settings = try #require(ConfigurationReader().read(text: text).settings)
        let logs = Dictionary(uniqueKeysWithValues: Goal.all.map { ($0.slug, WriteLog(slug: $0.slug)) })
        var replay = Replay(settings.bridge, calendar: try LocalCalendar(zone: settings.timeZone)) { output in
            for log in logs.values { log.take(output) }
        }
        for message in try day.messages() { replay.receive(message) }
        replay.finish()
        shown = logs.mapValues(\.shown)
    }
}

/// What a phone showed of one countdown.
private struct Shown {
    var writes: [(at: Duration, end: Duration)] = []
    var problems: [String] = []

    func target(at wall: Duration) -> Duration? {
        writes.last { $0.at <= wall }?.end
    }
}

/// Gathers the writes of one widget.
private final class WriteLog {
    private let slug: String
    private(set) var shown = Shown()
    private var content: JSONObject = [:]

    init(slug: String) {
        self.slug = slug
    }

    func take(_ output: Replay.Output) {
        guard case .write(let at, let request) = output, let body = request.body?.asObject,
            request.path == "/widgets/\(slug)" || body["slug"]?.asString == slug,
            let change = body["content"]?.asObject
        else { return }
        content = request.method == .post ? change : MergePatch.apply(change, to: content)
        shown.problems += ContentRules.problems(in: content, now: at).map(\.description)
        if let end = content["end_date"]?.asString.flatMap(RFC3339.parse) { shown.writes.append((at, end)) }
    }
}

/// The stated formula, from the messages alone: power smoothed over 20 minutes of time, level, capacity, efficiency.
private struct Formula {
    /// For every whole minute.
    private(set) var estimates: [(minute: Duration, end: Duration?)] = []

    init(_ day: Day, _ goal: StorageEstimate.Goal) throws {
        let isSpring = day.capture == Day.spring.capture
        let powerTopic = isSpring ? "N/c0619ab00000/system/0/Dc/Battery/Power" : "evcc/site/battery/power"
        let levelTopic = isSpring ? "N/c0619ab00000/system/0/Dc/Battery/Soc" : "evcc/site/battery/soc"
        var level: Double?
        var (mean, held, since): (Double?, Double, Duration) = (nil, 0, .zero)
        func smoothed(_ wall: Duration) -> Double? {
            mean.map { held + ($0 - held) * exp(-(wall - since).inSeconds / 1200) }
        }
        var isCounting = false
        var minute = Duration.zero
        for message in try day.messages() {
            while minute + .seconds(60) <= message.wall {
                minute =
                    minute == .zero ? .seconds(message.wall.components.seconds / 60 * 60) : minute + .seconds(60)
                let hours = Self.hours(goal, level: level, kilowatts: smoothed(minute).map { $0 / 1000 })
                    .flatMap { $0 <= (isCounting ? 36 : 24) ? $0 : nil }
                isCounting = hours != nil
                estimates.append((minute, hours.map { minute + .seconds($0 * 3600) }))
            }
            let topic = String(decoding: message.topic, as: UTF8.self)
            guard topic == powerTopic || topic == levelTopic else { continue }
            let text = String(decoding: message.payload, as: UTF8.self)
            let number = Double(text.trimmingPrefix(#/\{"value": ?/#).prefix { $0 != "}" })
            if topic == levelTopic {
                level = number
            } else if let number {
                // evcc's battery is positive while it discharges.
                let power = isSpring ? number : -number
                mean = smoothed(message.wall) ?? power
                (held, since) = (power, message.wall)
            } else {
                mean = nil
            }
        }
    }

    private static func hours(_ goal: StorageEstimate.Goal, level: Double?, kilowatts: Double?) -> Double? {
        guard let level, let kilowatts else { return nil }
        let (target, way): (Double, ClosedRange<Double>) =
            switch goal {
            case .full: (100, 0...1000)
            case .empty: (0, -1000...0)
            case .level(let level): (level, -1000...1000)
            }
        let missing = 10 * (target - level) / 100
        guard way.contains(missing), missing.magnitude >= 0.05, kilowatts * missing > 0 else { return nil }
        return missing > 0 ? missing / (kilowatts * 0.95) : missing * 0.95 / kilowatts
    }
}

/// What happened, a row a minute.
private struct Truths {
    private var rows: [(wall: Duration, level: Double)] = []

    init(_ day: Day) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Captures/\(day.capture).truth.csv")
        for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst() {
            let row = line.split(separator: ",").compactMap { Double($0) }
            rows.append((.seconds(row[0]), row[5]))
        }
    }

    /// Of the minutes with a countdown that came to its end: how many, and for how many the time left was within 15 % and
    /// within a third of what it turned out to be.
    func error(of shown: Shown, _ goal: StorageEstimate.Goal) -> (minutes: Int, within15: Double, within33: Double) {
        let reached: (Double) -> Bool =
            switch goal {
            case .full: { $0 >= 99.9 }
            case .empty: { $0 <= 0.1 }
            case .level(let level): { $0 <= level + 0.1 }
            }
        var errors: [Double] = []
        for (index, row) in rows.enumerated() where !reached(row.level) {
            guard let end = rows[index...].first(where: { reached($0.level) })?.wall,
                let target = shown.target(at: row.wall), target > row.wall
            else { continue }
            errors.append(((target - row.wall) / (end - row.wall) - 1).magnitude)
        }
        func share(_ bound: Double) -> Double {
            (Double(errors.count { $0 <= bound }) / Double(max(errors.count, 1)) * 100).rounded() / 100
        }
        return (errors.count, share(0.15), share(1.0 / 3))
    }
}
