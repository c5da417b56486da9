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
    /// What docs/countdown.md promises: settling takes 10 s at most, and a push goes 60 s after the last one at the earliest.
    private static let delay = Duration.seconds(70)

    @Test(
        "the target is within the tolerance of what the formula gives, at every moment but for 70 s, for fewer than 30 updates",
        arguments: Day.all,
        Goal.all
    )
    func formula(day: Day, goal: Goal) throws {
        let shown = try #require(try DayCountdowns.of(day).shown[goal.slug])
        #expect(shown.writes.count < 30)
        #expect(shown.problems == [])
        var cursor = Shown.Cursor(shown)
        var (counted, rested) = (0, 0)
        var offSince: Duration?
        for (wall, estimate) in try Formula(day, goal.goal).moments {
            // Before the first reports and the first write there is nothing to compare.
            guard let target = cursor.target(at: wall) else { continue }
            let isRight: Bool
            switch estimate {
            case .unknown: isRight = true
            case .nothing: (isRight, rested) = (target <= wall + Self.tolerance(.zero), rested + 1)
            case .left(let left):
                let end = wall + left
                // Whether one at the edge of a day counts depends on what was shown before; both are right.
                let mayRest = left > .seconds(24 * 3600) && target <= wall
                // The service takes whole seconds.
                let distance = (target < end ? end - target : target - end) - .seconds(1)
                (isRight, counted) = (mayRest || distance <= Self.tolerance(left), counted + 1)
            }
            offSince = isRight ? nil : (offSince ?? wall)
            if let offSince, wall - offSince > Self.delay {
                Issue.record("\(goal.slug): \(RFC3339.text(target)) is shown at \(RFC3339.text(wall)), \(estimate)")
                return
            }
        }
        // So many whole seconds were judged.
        #expect(counted > 4500 && rested > 20_000)
    }

    /// As docs/countdown.md states it.
    private static func tolerance(_ left: Duration) -> Duration {
        max(.seconds(300), left * min(0.3 + left.inSeconds / 3600 / 16, 0.75))
    }

    @Test("what docs/countdown.md says of tolerances is what holds")
    func documentedTolerance() throws {
        let rows = try Document.rows(startingWith: "an estimate")
        #expect(
            rows.map { $0.suffix(3) }
                == [[1.0, 4, 12].map { Document.span(DateTolerance.estimated.allowance(at: .seconds($0 * 3600))) }]
        )
        let stated = try Document.rows(startingWith: "a point in time")
        let reckoned = try Document.rows(startingWith: "a reading of how much time is left")
        #expect(
            reckoned.map { $0.suffix(3) }
                == [[1.0, 4, 12].map { Document.span(DateTolerance.reckoned.allowance(at: .seconds($0 * 3600))) }]
        )
        #expect(
            stated.map { $0.suffix(3) }
                == [[1.0, 4, 12].map { Document.span(DateTolerance.stated.allowance(at: .seconds($0 * 3600))) }]
        )
    }

    /// Of the minutes with a countdown whose end came: how many there are, and the share for which the time left was
    /// within 15 %, and within a third, of what it turned out to be.
    @Test("the updates and the errors that docs/countdown.md gives are those of the days", arguments: Day.all)
    func documentedError(day: Day) throws {
        let season = day.capture == Day.spring.capture ? "spring" : "summer"
        let computed = try Goal.all.map { goal in
            let shown = try #require(try DayCountdowns.of(day).shown[goal.slug])
            let error = try Truths(day).error(of: shown, goal.goal)
            let shares = error.map { ["\($0.minutes)", "\($0.within15) %", "\($0.within33) %"] }
            return [season, "to \(goal.when)", "\(shown.writes.count)"] + (shares ?? ["0", "–", "–"])
        }
        #expect(try Document.rows(startingWith: season) == computed, "\(computed)")
    }
}

/// The tables of docs/countdown.md.
private enum Document {
    static func rows(startingWith first: String) throws -> [[String]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/countdown.md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("| \(first)")
        }
        .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// `72 s`, `19 min`, `2 h`.
    static func span(_ span: Duration) -> String {
        switch span.inSeconds {
        case ..<120: "\(Int(span.inSeconds.rounded())) s"
        case ..<7200: "\(Int((span.inSeconds / 60).rounded())) min"
        default: "\(Int((span.inSeconds / 3600).rounded())) h"
        }
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

    /// Looks up what was shown at times that only grow.
    struct Cursor {
        private var writes: ArraySlice<(at: Duration, end: Duration)>
        private var last: Duration?

        init(_ shown: Shown) {
            writes = shown.writes[...]
        }

        mutating func target(at wall: Duration) -> Duration? {
            while let next = writes.first, next.at <= wall { last = writes.removeFirst().end }
            return last
        }
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

/// The stated formula, from the messages alone: power smoothed over 20 minutes of time, the level over 1, capacity, efficiency.
private struct Formula {
    enum Estimate {
        case unknown
        /// There is nothing to count to.
        case nothing
        case left(Duration)
    }

    /// For every whole second, with all that was heard by then.
    private(set) var moments: [(wall: Duration, estimate: Estimate)] = []

    private let goal: StorageEstimate.Goal
    private var level = Smoothed(span: 60)
    private var power = Smoothed(span: 1200)
    private var isCounting = false

    init(_ day: Day, _ goal: StorageEstimate.Goal) throws {
        self.goal = goal
        let isSpring = day.capture == Day.spring.capture
        let powerTopic = Array((isSpring ? "N/c0619ab00000/system/0/Dc/Battery/Power" : "evcc/site/battery/power").utf8)
        let levelTopic = Array((isSpring ? "N/c0619ab00000/system/0/Dc/Battery/Soc" : "evcc/site/battery/soc").utf8)
        var second: Duration?
        for message in try day.messages() {
            while let next = second, next < message.wall {
                moments.append((next, estimate(at: next)))
                second = next + .seconds(1)
            }
            second = second ?? .seconds(message.wall.components.seconds + 1)
            guard message.topic == powerTopic || message.topic == levelTopic else { continue }
            let text = String(decoding: message.payload, as: UTF8.self)
            let number = Double(text.trimmingPrefix(#/\{"value": ?/#).prefix { $0 != "}" })
            if message.topic == levelTopic {
                level.take(number, at: message.wall)
            } else {
                // evcc's battery is positive while it discharges.
                power.take(number.map { isSpring ? $0 : -$0 }, at: message.wall)
            }
        }
    }

    private struct Smoothed {
        let span: Double
        private var sum = 0.0
        private var weight = 0.0
        private var held: Double?
        private var since: Duration = .zero

        init(span: Double) {
            self.span = span
        }

        mutating func take(_ figure: Double?, at wall: Duration) {
            if let held, figure != nil {
                let kept = exp(-(wall - since).inSeconds / span)
                (sum, weight) = (sum * kept + held * (1 - kept), weight * kept + 1 - kept)
            } else {
                (sum, weight) = (0, 0)
            }
            (held, since) = (figure, wall)
        }

        func value(at wall: Duration) -> Double? {
            held.map { held in
                let kept = exp(-(wall - since).inSeconds / span)
                let weight = weight * kept + 1 - kept
                return weight > 0 ? (sum * kept + held * (1 - kept)) / weight : held
            }
        }
    }

    private mutating func estimate(at wall: Duration) -> Estimate {
        guard let level = level.value(at: wall), let kilowatts = power.value(at: wall).map({ $0 / 1000 })
        else { return .unknown }
        let hours = hours(level, kilowatts).flatMap { $0 <= (isCounting ? 36 : 24) ? $0 : nil }
        isCounting = hours != nil
        return hours.map { .left(.seconds($0 * 3600)) } ?? .nothing
    }

    private func hours(_ level: Double, _ kilowatts: Double) -> Double? {
        let (target, way): (Double, ClosedRange<Double>) =
            switch goal {
            case .full: (100, 0...1000)
            case .empty: (0, -1000...0)
            case .level(let level): (level, -1000...1000)
            }
        let missing = 10 * (target - level) / 100
        // One point and 50 W to begin with, half a point and any power to go on.
        guard way.contains(missing), missing.magnitude >= (isCounting ? 0.05 : 0.1), kilowatts * missing > 0,
            isCounting || kilowatts.magnitude > 0.05
        else { return nil }
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

    /// Of the minutes with a countdown that came to its end: how many, and for which share the time left was within 15 %
    /// and within a third of what it turned out to be, in %. `nil` when there is none.
    func error(of shown: Shown, _ goal: StorageEstimate.Goal) -> (minutes: Int, within15: Int, within33: Int)? {
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
        guard !errors.isEmpty else { return nil }
        func share(_ bound: Double) -> Int {
            Int((Double(errors.count { $0 <= bound }) / Double(errors.count) * 100).rounded())
        }
        return (errors.count, share(0.15), share(1.0 / 3))
    }
}
