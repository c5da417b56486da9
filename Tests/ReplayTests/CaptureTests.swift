import Bridge
import Configuration
import Delivery
import EnergyFlow
import Readings
import Replay
import Testing
import TimeZones
import Widgets

@Suite("The two captured days")
struct CaptureTests {
    @Test("Rates, level and totals end as the truth does", arguments: Day.all)
    func final(day: Day) throws {
        let truth = try day.truth()
        let run = try day.plain()
        let flow = try #require(run.documents.first?.content.asObject?["flow"]?.asObject)
        func number(_ slot: String, _ member: String) -> Double? { flow[slot]?.asObject?[member]?.asNumber }

        let solar = try #require(flow["inputs"]?.asArray?.first?.asObject)
        // The inverters' standby of 2.6 W is not on the wire.
        #expect(solar["rate"] == 0)
        #expect(try close(number("exchange", "rate"), truth.grid, within: 1))
        #expect(try close(number("storage", "rate"), truth.battery, within: 1))
        #expect(try close(number("storage", "level"), truth.level, within: 1))
        #expect(try close(number("output", "rate"), truth.house, within: 4))

        #expect(try closeTotal(solar["total"]?.asNumber, truth.solarTotal))
        #expect(try closeTotal(number("exchange", "total"), truth.importTotal))
        #expect(try closeTotal(number("storage", "total"), truth.chargeTotal))
        #expect(try closeTotal(number("output", "total"), truth.houseTotal))
    }

    @Test("Every way to a total that the day allows ends as the truth does", arguments: Day.all)
    func waysToATotal(day: Day) throws {
        let truth = try day.truth()
        for way in day.ways {
            let run = try day.replay(way.configuration(of: day))
            let flow = try #require(run.documents.first?.content.asObject?["flow"]?.asObject)
            let node = way.slot == "input" ? flow["inputs"]?.asArray?.first?.asObject : flow[way.slot]?.asObject
            #expect(try closeTotal(node?["total"]?.asNumber, way.truth(truth)), "\(way.name)")
        }
    }

    @Test("Every frame that is shown is in balance", arguments: Day.all)
    func balance(day: Day) throws {
        let run = try day.plain()
        #expect(run.frames.count > 100)
        for frame in run.frames {
            let flow = frame.flow
            func rate(_ slot: String) -> Double? { flow[slot]?.asObject?["rate"]?.asNumber }
            guard let output = rate("output") else { continue }
            let inputs = (flow["inputs"]?.asArray ?? []).compactMap { $0.asObject?["rate"]?.asNumber }.reduce(0, +)
            let rest = inputs + (rate("exchange") ?? .nan) - (rate("storage") ?? .nan) - output
            #expect(abs(rest) <= 1, "\(frame.at): \(flow)")
        }
    }

    @Test("A patch is a fraction of the full content", arguments: Day.all)
    func sizes(day: Day) throws {
        let run = try day.plain()
        let shares = run.frames.compactMap(\.share).sorted()
        #expect(shares[shares.count / 2] <= 0.45)
    }

    @Test("Every document on the way keeps the service's bounds", arguments: Day.all)
    func bounds(day: Day) throws {
        for frame in try day.plain().frames {
            #expect(ContentRules.problems(in: frame.content, now: frame.at).isEmpty)
        }
    }

    @Test("Negating the payload and turning its word gives byte-identical output", arguments: Day.all)
    func signs(day: Day) throws {
        let plain = try day.plain().lines
        for (topic, word, opposite) in day.signed {
            let configuration = try day.configuration().replacing("{ \(word): ", with: "{ \(opposite): ")
            let run = try day.replay(configuration) { message in
                guard String(decoding: message.topic, as: UTF8.self) == topic else { return message }
                var negated = message
                negated.payload = Day.negated(message.payload)
                return negated
            }
            #expect(run.lines == plain, "\(topic)")
        }
    }

    private func close(_ value: Double?, _ truth: Double, within tolerance: Double) throws -> Bool {
        abs(try #require(value) - truth) <= tolerance
    }

    private func closeTotal(_ value: Double?, _ truth: Double) throws -> Bool {
        try close(value, truth, within: max(0.06, 0.005 * truth))
    }
}
