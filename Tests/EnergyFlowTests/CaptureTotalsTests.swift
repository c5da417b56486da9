import Delivery
import EnergyFlow
import Glibc
import Readings
import Testing
import TimeZones

/// A recorded day, and what physically happened in it.
private struct Capture {
    struct Message {
        var now: Moment
        var isRetained: Bool
        var topic: [UInt8]
        var payload: [UInt8]
    }

    var messages: [Message]
    /// The columns of the truth's last row: kWh of the day.
    var truth: [String: Double]

    init(_ name: String) throws {
        let directory = String(#filePath).dropLast("EnergyFlowTests/CaptureTotalsTests.swift".count)
        let lines = try contents(of: "\(directory)Captures/\(name).tsv").split(separator: UInt8(ascii: "\n"))
        messages = try lines.map { line in
            let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
            let seconds = try #require(Double(String(decoding: fields[0], as: UTF8.self)))
            let wall = Duration.milliseconds(Int64((seconds * 1000).rounded()))
            return Message(
                now: Moment(uptime: wall - .seconds(1_700_000_000), wall: wall),
                isRetained: fields[1].elementsEqual([UInt8(ascii: "1")]),
                topic: Array(fields[2]),
                payload: Array(fields[3])
            )
        }
        let rows = try contents(of: "\(directory)Captures/\(name).truth.csv").split { $0 == 10 || $0 == 13 }
            .map { String(decoding: $0, as: UTF8.self).split(separator: ",").map(String.init) }
        truth = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[rows.count - 1].compactMap(Double.init)))
    }
}

private func contents(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "\(path) cannot be opened")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
        bytes += block[..<count]
    }
    return bytes
}

/// Readings and day totals together, as the bridge composes them.
private struct Composition: ~Copyable {
    var readings: Readings
    var totals: DayTotals
    let flows: [DayTotals.Flow]
    var events: [ReadingEvent] = []

    init(
        _ definitions: [ReadingDefinition],
        _ flows: [FlowDefinition],
        restoring state: DayTotals.State? = nil,
        at now: Moment
    ) throws {
        readings = Readings(definitions, at: now.uptime)
        self.flows = flows.enumerated().map { DayTotals.Flow(name: "flow\($0.offset)", definition: $0.element) }
        totals = DayTotals(
            readings: definitions,
            flows: self.flows,
            calendar: try LocalCalendar(zone: "Europe/Berlin"),
            restoring: state,
            at: now
        )
    }

    mutating func receive(_ message: Capture.Message) {
        while let due = readings.nextDeadline, due <= message.now.uptime {
            let before = Moment(uptime: due, wall: message.now.wall - (message.now.uptime - due))
            readings.advance(to: before, events: &events)
            take(at: before)
        }
        message.topic.withUnsafeBytes { topic in
            message.payload.withUnsafeBytes { payload in
                readings.receive(
                    topic: topic,
                    payload: payload,
                    retained: message.isRetained,
                    at: message.now,
                    events: &events
                )
            }
        }
        take(at: message.now)
    }

    private mutating func take(at now: Moment) {
        for event in events {
            if totals.counts(event.reading) {
                totals.receive(readings.value(event.reading), of: event.reading, isFresh: event.isFresh, at: now)
            }
            for (index, flow) in flows.enumerated() where flow.definition.readings.contains(event.reading) {
                totals.integrate(flow: index, at: now) { reading in
                    guard !readings.restsOnRetained(reading) else { return nil }
                    return readings.value(reading).map { DayTotals.Rate(value: $0, until: readings.expires(reading)) }
                }
            }
        }
        events.removeAll(keepingCapacity: true)
    }
}

private func signed(_ reading: Int, reversed: Bool = false) -> RateDefinition {
    .signed(ReadingSum([reading]), reversed: reversed)
}

@Suite("Totals of recorded days")
struct CaptureTotalsTests {
    @Test("Spring: a daily counter, lifetime counters, and every integral")
    func spring() throws {
        let capture = try Capture("spring-opendtu-shelly-victron")
        let (definitions, flows) = try Self.springHome()
        try check(try play(capture, definitions, flows), Self.springTotals, capture)
    }

    @Test(
        "Killed and started again a dozen times, a day loses minutes of integrals and nothing of a counter",
        arguments: [1, UInt64.random(in: 2...UInt64.max)]
    )
    func killed(seed: UInt64) throws {
        let capture = try Capture("spring-opendtu-shelly-victron")
        let (definitions, flows) = try Self.springHome()
        let uncut = try play(capture, definitions, flows)
        var random = SplitMix(seed: seed)
        let kills = Set((0..<12).map { _ in Int.random(in: capture.messages.indices, using: &random) })
        var home = try Composition(definitions, flows, at: try #require(capture.messages.first?.now))
        var kept: DayTotals.State?
        var keptAt = Duration.zero
        for (index, message) in capture.messages.enumerated() {
            if kills.contains(index) {
                home = try Composition(definitions, flows, restoring: kept, at: message.now)
            }
            home.receive(message)
            if message.now.uptime - keptAt >= .seconds(300) {
                kept = home.totals.state(at: message.now)
                keptAt = message.now.uptime
            }
        }
        // The house is left out: its balance is unknown until a sleeping inverter speaks again.
        for (slot, flow, column) in Self.springTotals where slot != .output {
            let whole = try #require(uncut.totals.total(of: slot, in: flow))
            let total = try #require(home.totals.total(of: slot, in: flow))
            switch flows[flow][slot]?.total {
            case .integrate:
                // What is lost was at the most 6 kW, for 5 minutes and until the next reports.
                #expect(total <= whole + 1e-9 && total >= whole - 12 * 6 * 0.1, "\(column) by \(slot) of flow \(flow)")
            default:
                #expect(isClose(total, whole), "\(column) by \(slot) of flow \(flow): \(total), not \(whole)")
            }
        }
    }

    private static let springTotals: [(FlowSlot, Int, String)] = [
        (.input(0), 0, "solar_kwh"), (.exchange, 0, "import_kwh"), (.storage, 0, "charge_kwh"),
        (.input(0), 1, "solar_kwh"), (.exchange, 1, "export_kwh"), (.storage, 1, "discharge_kwh"),
        (.input(0), 2, "solar_kwh"), (.exchange, 2, "import_kwh"), (.output, 2, "house_kwh"),
        (.exchange, 3, "export_kwh"),
    ]

    private static func springHome() throws -> ([ReadingDefinition], [FlowDefinition]) {
        let meter = "shellypro3em-aabbccddeeff/status"
        func reading(
            _ name: String,
            _ topic: String,
            _ path: String? = nil,
            unit: String,
            counts: CounterKind? = nil,
            expired: ExpiredValue = .unknown
        ) throws -> ReadingDefinition {
            ReadingDefinition(
                name: name,
                topic: try TopicFilter(topic),
                path: try path.map { try JSONPointer($0) },
                unit: ReadingUnit(unit),
                counts: counts,
                expired: expired
            )
        }
        let definitions = [
            try reading("solar", "solar/ac/power", unit: "W", expired: .zero),
            try reading("yieldday", "solar/ac/yieldday", unit: "Wh", counts: .today),
            try reading("yieldtotal", "solar/ac/yieldtotal", unit: "kWh", counts: .lifetime),
            try reading("grid", "\(meter)/em:0", "/total_act_power", unit: "W"),
            try reading("in", "\(meter)/emdata:0", "/total_act", unit: "Wh", counts: .lifetime),
            try reading("out", "\(meter)/emdata:0", "/total_act_ret", unit: "Wh", counts: .lifetime),
            try reading("battery", "N/c0619ab00000/system/0/Dc/Battery/Power", "/value", unit: "W"),
        ]
        func flow(
            solar: TotalDefinition,
            grid: TotalDefinition,
            battery: FlowSense
        ) -> FlowDefinition {
            FlowDefinition(
                inputs: [SlotDefinition(rate: signed(0), total: solar)],
                storage: SlotDefinition(rate: signed(6), total: .integrate(battery)),
                exchange: SlotDefinition(rate: signed(3), total: grid),
                output: SlotDefinition(rate: .balance, total: .integrate(.positive))
            )
        }
        let flows = [
            flow(solar: .counter(ReadingSum([1])), grid: .counter(ReadingSum([4])), battery: .positive),
            flow(solar: .counter(ReadingSum([2])), grid: .counter(ReadingSum([5])), battery: .negative),
            flow(solar: .integrate(.positive), grid: .integrate(.positive), battery: .positive),
            flow(solar: .integrate(.positive), grid: .integrate(.negative), battery: .positive),
        ]
        return (definitions, flows)
    }

    @Test("Summer: a battery that counts discharging, and the house as a balance and by itself")
    func summer() throws {
        let capture = try Capture("summer-evcc")
        func reading(_ name: String, unit: String, counts: CounterKind? = nil) throws -> ReadingDefinition {
            ReadingDefinition(
                name: name,
                topic: try TopicFilter("evcc/site/\(name)"),
                unit: ReadingUnit(unit),
                counts: counts
            )
        }
        let definitions = [
            try reading("pvPower", unit: "W"), try reading("grid/power", unit: "W"),
            try reading("battery/power", unit: "W"), try reading("homePower", unit: "W"),
            try reading("pvEnergy", unit: "kWh", counts: .lifetime),
            try reading("grid/energy", unit: "kWh", counts: .lifetime),
        ]
        func flow(_ sense: FlowSense, solar: TotalDefinition, grid: TotalDefinition, house: RateDefinition)
            -> FlowDefinition
        {
            FlowDefinition(
                inputs: [SlotDefinition(rate: signed(0), total: solar)],
                storage: SlotDefinition(rate: signed(2, reversed: true), total: .integrate(sense)),
                exchange: SlotDefinition(rate: signed(1), total: grid),
                output: SlotDefinition(rate: house, total: .integrate(.positive))
            )
        }
        let flows = [
            flow(
                .positive,
                solar: .counter(ReadingSum([4])),
                grid: .counter(ReadingSum([5])),
                house: .balance
            ),
            flow(.negative, solar: .integrate(.positive), grid: .integrate(.negative), house: signed(3)),
            flow(.negative, solar: .integrate(.positive), grid: .integrate(.positive), house: signed(3)),
        ]
        let home = try play(capture, definitions, flows)
        let expected: [(FlowSlot, Int, String)] = [
            (.input(0), 0, "solar_kwh"), (.exchange, 0, "import_kwh"), (.storage, 0, "charge_kwh"),
            (.output, 0, "house_kwh"), (.input(0), 1, "solar_kwh"), (.exchange, 1, "export_kwh"),
            (.storage, 1, "discharge_kwh"), (.output, 1, "house_kwh"), (.exchange, 2, "import_kwh"),
        ]
        try check(home, expected, capture)
    }

    private func play(
        _ capture: Capture,
        _ definitions: [ReadingDefinition],
        _ flows: [FlowDefinition]
    ) throws -> Composition {
        let start = try #require(capture.messages.first?.now)
        var home = try Composition(definitions, flows, at: start)
        for message in capture.messages {
            home.receive(message)
        }
        let end = try #require(capture.messages.last?.now)
        home.totals.advance(to: end)
        return home
    }

    private func check(_ home: borrowing Composition, _ expected: [(FlowSlot, Int, String)], _ capture: Capture) throws
    {
        for (slot, flow, column) in expected {
            let truth = try #require(capture.truth[column])
            let known = home.totals.total(of: slot, in: flow)
            let total = try #require(known, "\(slot) of flow \(flow)")
            #expect(abs(total - truth) <= max(0.06, truth * 0.005), "\(column) by \(slot) of flow \(flow): \(total)")
        }
    }
}
