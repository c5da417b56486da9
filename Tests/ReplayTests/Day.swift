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

/// One captured day, its example configuration and the truth beside it.
struct Day: CustomTestStringConvertible {
    let capture: String
    let example: String
    /// Topics of signed readings, with the word that the example gives them and its opposite.
    let signed: [(topic: String, word: String, opposite: String)]
    let ways: [Way]

    var testDescription: String { capture }

    static let all = [spring, summer]

    static let spring = Day(
        capture: "spring-opendtu-shelly-victron",
        example: "opendtu-shelly-victron",
        signed: [
            ("shellypro3em-aabbccddeeff/status/em:0", "import", "export"),
            ("N/c0619ab00000/system/0/Dc/Battery/Power", "charging", "discharging"),
        ],
        ways: [
            Way("solar lifetime", "input", \.solarTotal, "total: solar_today", "total: solar_lifetime")
                .adding("  solar_lifetime: { topic: solar/ac/yieldtotal, unit: kWh, counts: lifetime }"),
            Way("solar integrated", "input", \.solarTotal, "total: solar_today", "total: integrate"),
            Way("import integrated", "exchange", \.importTotal, "total: grid_in", "total: integrate"),
            Way("export integrated", "exchange", \.exportTotal, "total: grid_in", "total: { integrate: export }"),
            Way("export lifetime", "exchange", \.exportTotal, "total: grid_in", "total: grid_out").adding(
                "  grid_out: { topic: \"shellypro3em-aabbccddeeff/status/emdata:0\", path: /total_act_ret, unit: Wh, counts: lifetime }"
            ),
            Way(
                "discharge integrated",
                "storage",
                \.dischargeTotal,
                "total: integrate\n      level",
                "total: { integrate: discharging }\n      level"
            ),
        ]
    )

    static let summer = Day(
        capture: "summer-evcc",
        example: "evcc",
        signed: [
            ("evcc/site/grid/power", "import", "export"),
            ("evcc/site/battery/power", "discharging", "charging"),
        ],
        ways: [
            Way("solar integrated", "input", \.solarTotal, "total: solar_energy", "total: integrate"),
            Way("import integrated", "exchange", \.importTotal, "total: grid_in", "total: integrate"),
            Way("export integrated", "exchange", \.exportTotal, "total: grid_in", "total: { integrate: export }"),
            Way(
                "discharge integrated",
                "storage",
                \.dischargeTotal,
                "total: integrate\n      level",
                "total: { integrate: discharging }\n      level"
            ),
        ]
    )

    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    func configuration() throws -> String {
        try String(contentsOf: Day.project.appending(path: "config/examples/\(example).yaml"), encoding: .utf8)
    }

    func messages() throws -> [CapturedMessage] {
        let data = try Data(contentsOf: Day.project.appending(path: "Tests/Captures/\(capture).tsv"))
        var reader = CaptureReader()
        var messages: [CapturedMessage] = []
        for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if let message = try reader.read(line) { messages.append(message) }
        }
        if let message = reader.finish() { messages.append(message) }
        return messages
    }

    func truth() throws -> Truth {
        let text = try String(
            contentsOf: Day.project.appending(path: "Tests/Captures/\(capture).truth.csv"),
            encoding: .utf8
        )
        let last = try #require(text.split(whereSeparator: \.isNewline).last)
        return try #require(Truth(last.split(separator: ",").compactMap { Double($0) }))
    }

    /// The day with its example configuration as shipped. A replay takes seconds, so that all tests share one.
    func plain() throws -> Run {
        try (capture == Day.spring.capture ? PlainRuns.spring : PlainRuns.summer).get()
    }

    /// What really flowed, minute by minute.
    func truthTable() throws -> TruthTable {
        let file = Day.project.appending(path: "Tests/Captures/\(capture).truth.csv")
        return try TruthTable(csv: String(contentsOf: file, encoding: .utf8))
    }

    /// Replays the day.
    func replay(
        _ configuration: String? = nil,
        plan: ReplayPlan? = nil,
        edit: (CapturedMessage) -> CapturedMessage = { $0 }
    ) throws -> Run {
        try Run(configuration ?? self.configuration(), plan: plan, messages().map(edit))
    }

    /// The payload with the sign of its number turned.
    static func negated(_ payload: [UInt8]) -> [UInt8] {
        let text = String(decoding: payload, as: UTF8.self)
        let pattern = text.first == "{" ? #/("total_act_power":|"value": ?)(-?)([0-9.]+)/# : #/^()(-?)([0-9.]+)$/#
        return Array(text.replacing(pattern) { "\($0.1)\($0.2.isEmpty ? "-" : "")\($0.3)" }.utf8)
    }
}

private enum PlainRuns {
    static let spring = Result { try Day.spring.replay() }
    static let summer = Result { try Day.summer.replay() }
}

/// Another way to the same total.
struct Way {
    let name: String
    let slot: String
    let truth: @Sendable (Truth) -> Double
    private let old: String
    private let new: String
    private var addition = ""

    init(_ name: String, _ slot: String, _ truth: @escaping @Sendable (Truth) -> Double, _ old: String, _ new: String) {
        self.name = name
        self.slot = slot
        self.truth = truth
        self.old = old
        self.new = new
    }

    /// With one more reading.
    func adding(_ reading: String) -> Way {
        var way = self
        way.addition = reading + "\n"
        return way
    }

    func configuration(of day: Day) throws -> String {
        let text = try day.configuration()
        try #require(text.contains(old))
        return text.replacing(old, with: new).replacing("\nwidgets:", with: "\(addition)\nwidgets:")
    }
}

/// The last row of a truth file: W with this project's signs, %, and kWh of the whole day.
struct Truth {
    let house: Double
    let battery: Double
    let grid: Double
    let level: Double
    let solarTotal: Double
    let houseTotal: Double
    let importTotal: Double
    let exportTotal: Double
    let chargeTotal: Double
    let dischargeTotal: Double

    init?(_ row: [Double]) {
        guard row.count == 12 else { return nil }
        (house, battery, grid, level) = (row[2], row[3], row[4], row[5])
        (solarTotal, houseTotal, importTotal) = (row[6], row[7], row[8])
        (exportTotal, chargeTotal, dischargeTotal) = (row[9], row[10], row[11])
    }
}

/// What came of a replay. Written by the one that runs it, before anybody else has it.
final class Run: @unchecked Sendable {
    struct Frame {
        let at: Duration
        let content: JSONObject
        /// The size of the patch that led here, as a share of the full content's.
        let share: Double?

        var flow: JSONObject { content["flow"]?.asObject ?? [:] }
    }

    private(set) var lines: [String] = []
    private(set) var frames: [Frame] = []
    private(set) var closed: [DayTotals.ClosedDay] = []
    private(set) var kept: DayTotals.State?
    private(set) var log: [LogEntry] = []
    private(set) var score = Score()
    private(set) var documents: [(slug: String, content: JSONValue)] = []

    init(_ configuration: String, plan: ReplayPlan? = nil, _ messages: [CapturedMessage]) throws {
        let result = ConfigurationReader().read(text: configuration)
        let settings = try #require(result.settings, "\(result.problems)")
        let calendar = try LocalCalendar(zone: settings.timeZone)
        var replay = Replay(settings.bridge, calendar: calendar, plan: plan) { [unowned self] in take($0) }
        for message in messages { replay.receive(message) }
        replay.finish()
        documents = replay.documents
    }

    private func take(_ output: Replay.Output) {
        score.take(output)
        if let line = output.line { lines.append(line) }
        switch output {
        case .log(_, let entry): log.append(entry)
        case .keep(_, let state, _, let closing):
            kept = state
            closed += closing
        case .write(let at, let request):
            guard let body = request.body?.asObject, let change = body["content"]?.asObject else { return }
            let isPatch = request.method == .patch
            let content = isPatch ? MergePatch.apply(change, to: frames.last?.content ?? [:]) : change
            let full: JSONObject = ["content": .object(content)]
            let share = Double(body.description.utf8.count) / Double(full.description.utf8.count)
            frames.append(Frame(at: at, content: content, share: isPatch ? share : nil))
        }
    }
}
