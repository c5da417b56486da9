import Bridge
import Configuration
import Delivery
import EnergyFlow
import Testing
import Widgets

@Suite("Slots as they are read")
struct SlotTests {
    private static let readings = """
        readings:
          a: { topic: a }
          b: { topic: b }
          c: { topic: c, unit: kWh, counts: lifetime }
          d: { topic: d, unit: kWh, counts: lifetime }

        """

    private func plan(_ slots: String) throws -> WidgetPlan {
        let text = soundHead + SlotTests.readings + "widgets:\n  w:\n    template: flow\n    name: W\n" + slots
        let result = ConfigurationReader().read(text: text)
        return try #require(result.settings, "\(result.problems)").bridge.widgets[0]
    }

    private func flow(_ slots: String) throws -> FlowDefinition {
        guard case .flow(let flow, _) = try plan(slots).template else { throw NoFlow() }
        return flow
    }

    private struct NoFlow: Error {}

    @Test(
        "a word turns a sign, once",
        arguments: [
            ("exchange", "{ import: a }", RateDefinition.signed(ReadingSum([0]), reversed: false)),
            ("exchange", "{ export: a }", .signed(ReadingSum([0]), reversed: true)),
            ("exchange", "{ import: a, export: b }", .pair(positive: ReadingSum([0]), negative: ReadingSum([1]))),
            ("exchange", "{ export: a, import: b }", .pair(positive: ReadingSum([1]), negative: ReadingSum([0]))),
            ("storage", "{ charging: a }", .signed(ReadingSum([0]), reversed: false)),
            ("storage", "{ discharging: { sum: [b, a] } }", .signed(ReadingSum([1, 0]), reversed: true)),
            ("storage", "{ charging: a, discharging: b }", .pair(positive: ReadingSum([0]), negative: ReadingSum([1]))),
        ]
    )
    func rates(slot: String, rate: String, expected: RateDefinition) throws {
        let flow = try flow("    \(slot): { rate: \(rate) }\n")
        #expect((slot == "storage" ? flow.storage : flow.exchange)?.rate == expected)
    }

    @Test(
        "a total counts or integrates, in the sense that is named",
        arguments: [
            ("c", TotalDefinition.counter(ReadingSum([2]))),
            ("{ sum: [c, d] }", .counter(ReadingSum([2, 3]))),
            ("{ import: c }", .counter(ReadingSum([2]))),
            ("{ export: { sum: [d, c] } }", .counter(ReadingSum([3, 2]))),
            ("integrate", .integrate(.positive)),
            ("{ integrate: import }", .integrate(.positive)),
            ("{ integrate: export }", .integrate(.negative)),
        ]
    )
    func totals(total: String, expected: TotalDefinition) throws {
        #expect(try flow("    exchange: { rate: { import: a }, total: \(total) }\n").exchange?.total == expected)
    }

    @Test("a widget's bounds and pace arrive in seconds")
    func pace() throws {
        let plan = try plan(
            "    exchange: { rate: { import: a } }\n    stale_after: 7d\n    push_throttle: 1h\n"
                + "    push: { every: 2h, urgent: 30s, settle: 0s }\n"
        )
        #expect(plan.widget.staleAfter == 604_800)
        #expect(plan.widget.pushThrottle == 3600)
        #expect(plan.push == PushPolicy(every: .seconds(7200), urgent: .seconds(30), settle: .seconds(0)))
    }

    @Test("urgent changes are never slower than ordinary ones")
    func urgency() throws {
        let plan = try plan("    exchange: { rate: { import: a } }\n    push_throttle: 5s\n    push: { every: 5s }\n")
        #expect(plan.push == PushPolicy(every: .seconds(5), urgent: .seconds(5)))
    }

    @Test("explanations say what each sign means")
    func explanation() throws {
        let text =
            soundHead
                + """
                readings:
                  solar: { topic: s }
                  grid_power: { topic: g, scale: -1 }
                  battery_power: { topic: b }
                  out: { topic: o }
                  in: { topic: i }
                widgets:
                  power:
                    template: flow
                    name: Power
                    inputs: [{ name: Solar, rate: solar }]
                    storage: { name: Battery, rate: { discharging: battery_power } }
                    exchange: { name: Grid, rate: { import: grid_power } }
                    output: { name: Home, rate: balance }
                  meter:
                    template: flow
                    name: Meter
                    inputs: [{ rate: solar }, { rate: balance }]
                    storage: { rate: { charging: in, discharging: out } }
                    output: { rate: { sum: [in, out] } }
                """
        let settings = try #require(ConfigurationReader().read(text: text).settings)
        #expect(
            SignExplanation.explanation(of: settings) == [
                "power: inputs (Solar): solar, drawn as 0 when negative.",
                "power: storage (Battery): positive values of battery_power are discharging; they are turned round.",
                "power: exchange (Grid): positive values of grid_power (after scale -1.0) are import.",
                "power: output (Home): what the others leave: inputs + exchange − storage.",
                "meter: inputs: solar, drawn as 0 when negative.",
                "meter: inputs: what the others leave: output + storage − the other inputs.",
                "meter: storage: in is charging, out is discharging.",
                "meter: output: in + out, drawn as 0 when negative.",
            ]
        )
    }

    @Test("explanations say what the sign of a countdown means that names readings, and no flow's twice")
    func countdownSigns() throws {
        let text =
            soundHead
                + """
                readings:
                  power: { topic: p }
                  level: { topic: l, unit: "%" }
                widgets:
                  home: { template: flow, name: H, storage: { rate: { charging: power }, level: level } }
                  full: { template: countdown, name: F, end: { when: full, of: home, capacity: 10 kWh } }
                  empty:
                    template: countdown
                    name: E
                    end: { when: empty, of: { rate: { discharging: power }, level: level }, capacity: 10 kWh }
                  bar: { template: progress, name: B, value: level }
                """
        let settings = try #require(ConfigurationReader().read(text: text).settings)
        #expect(
            SignExplanation.explanation(of: settings) == [
                "home: storage: positive values of power are charging.",
                "empty: storage: positive values of power are discharging; they are turned round.",
            ]
        )
    }

    @Test(
        "a balance is solved for its slot",
        arguments: [
            ("exchange", "output + storage − inputs"),
            ("storage", "inputs + exchange − output"),
            ("output", "inputs + exchange − storage"),
        ]
    )
    func balances(slot: String, formula: String) throws {
        let rates = ["storage": "{ charging: a }", "exchange": "{ import: a }", "output": "a"]
        let slots = ["storage", "exchange", "output"].map { name in
            "    \(name): { rate: \(name == slot ? "balance" : rates[name] ?? "") }\n"
        }
        let text =
            soundHead + SlotTests.readings + "widgets:\n  w:\n    template: flow\n    name: W\n"
            + "    inputs: [{ rate: b }]\n" + slots.joined()
        let settings = try #require(ConfigurationReader().read(text: text).settings)
        #expect(SignExplanation.explanation(of: settings).contains("\(slot): what the others leave: \(formula)."))
    }
}
