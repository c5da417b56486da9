import Bridge
import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

/// The messages of one moment may be given to the bridge one by one, together, or be told late: it comes to the same.
@Suite("Messages of one moment")
struct CoalescingTests {
    @Test("told together or late they make the same totals, days and requests as one by one", arguments: 0..<60)
    func same(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        var now = Moment(uptime: .seconds(100), wall: HomeBench.noon + .seconds(43_200 - 1500))
        let definition = try Self.definition()
        let (single, together, late) = (Home(definition, at: now), Home(definition, at: now), Home(definition, at: now))
        let homes = [single, together, late]
        var total = 100.0
        for _ in 0..<400 {
            let step = Int.random(in: 0..<6, using: &random) == 0 ? 60_000 : 3000
            let next = now.advanced(by: .milliseconds(Int.random(in: 0..<step, using: &random)))
            for home in homes { home.pass(from: now, to: next) }
            now = next
            for _ in 0...Int.random(in: 0...6, using: &random) {
                total += Double.random(in: 0..<0.03, using: &random)
                let message = Message(total: total, using: &random)
                for home in homes { home.receive(message, at: now) }
                single.pass(from: now, to: now)
            }
            together.pass(from: now, to: now)
            // As by a turn of the loop that took long.
            if Int.random(in: 0..<4, using: &random) != 0 { late.pass(from: now, to: now) }
        }
        for home in homes { home.finish(at: now) }
        #expect(together.sent == single.sent, "seed \(seed)")
        for home in [together, late] {
            #expect(home.totals.map(\.name) == single.totals.map(\.name), "seed \(seed)")
            for (mine, other) in zip(home.totals, single.totals) {
                #expect(abs(mine.total - other.total) < 1e-9, "seed \(seed): \(mine.name)")
            }
        }
    }

    private static func definition() throws -> BridgeDefinition {
        let total = ReadingDefinition(
            name: "total",
            topic: try TopicFilter("t/total"),
            unit: ReadingUnit("kWh"),
            counts: .lifetime
        )
        return try HomeBench.home { readings, flow in
            for index in readings.indices { readings[index].expiry = .after(.seconds(7 + 3 * index)) }
            readings[0].expired = .zero
            readings.append(total)
            flow.inputs[0].total = .counter(ReadingSum([4]))
            flow.exchange?.total = .integrate(.positive)
            flow.storage?.total = .integrate(.negative)
            flow.output?.total = .integrate(.positive)
        }
    }
}

private struct Message {
    let topic: String
    let payload: String
    let isRetained: Bool

    init(total: Double, using random: inout SplitMix) {
        topic = ["t/solar", "t/grid", "t/battery", "t/soc", "t/total"].randomElement(using: &random) ?? ""
        isRetained = Int.random(in: 0..<10, using: &random) == 0
        let isGone = Int.random(in: 0..<9, using: &random) == 0
        switch topic {
        case "t/total": payload = "\(total)"
        case _ where isGone: payload = ["null", "", "unavailable"].randomElement(using: &random) ?? ""
        case "t/soc": payload = "\(Int.random(in: 0...100, using: &random))"
        case "t/solar": payload = "\(Int.random(in: 0...4000, using: &random))"
        default: payload = "\(Int.random(in: -2000...2000, using: &random))"
        }
    }
}

/// A bridge whose service never answers, and what it keeps and sends.
private final class Home {
    private var bridge: Bridge
    private var kept: DayTotals.State?
    private var closed: [DayTotals.ClosedDay] = []
    private(set) var sent: [String] = []

    init(_ definition: BridgeDefinition, at now: Moment) {
        bridge = Bridge(definition, calendar: .utc, seed: 1, at: now)
    }

    /// All totals at the end, those of closed days first.
    var totals: [(name: String, total: Double)] {
        closed.map { ($0.name, $0.total) }
            + (kept?.integrals ?? []).map { ($0.name, $0.total) }
            + (kept?.counters ?? []).map { ($0.reading, $0.state.total) }
    }

    func receive(_ message: Message, at now: Moment) {
        withBytes(message.topic) { topic in
            withBytes(message.payload) {
                bridge.receive(topic: topic, payload: $0, retained: message.isRetained, at: now)
            }
        }
    }

    func pass(from start: Moment, to end: Moment) {
        var now = start
        while let due = bridge.nextDeadline, due <= end.uptime {
            now = now.advanced(by: max(due - now.uptime, .zero))
            act(bridge.advance(to: now), at: now)
        }
    }

    func finish(at now: Moment) {
        act(bridge.finish(at: now), at: now)
    }

    private func act(_ actions: [BridgeAction], at now: Moment) {
        for action in actions {
            switch action {
            case .keep(let state, _, let closing): (kept, closed) = (state, closed + closing)
            case .log: break
            case .send(let request):
                sent.append("\(now.uptime) \(request.method) \(request.body?.description ?? "")")
                bridge.complete(request.id, with: .failure(TransportFailure(reach: .unanswered, reason: "No")), at: now)
            }
        }
    }

    private func withBytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        Array(text.utf8).withUnsafeBytes(body)
    }
}
