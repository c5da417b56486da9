import EnergyFlow
import Testing

@Suite("The balance of a flow")
struct FlowDefinitionTests {
    private func slot(_ reading: Int) -> SlotDefinition {
        SlotDefinition(rate: .signed(ReadingSum([reading]), reversed: false))
    }

    /// Two inputs, storage, exchange and output as readings 0 to 4, that add up: 3000 + 500 − 800 (export) = 1700 (charging) + 1000.
    private static let values = [3000.0, 500, 1700, -800, 1000]

    @Test("whichever slot it is, it is what the others leave", arguments: 0..<5)
    func balance(position: Int) throws {
        var flow = FlowDefinition(
            inputs: [slot(0), slot(1)],
            storage: slot(2),
            exchange: slot(3),
            output: slot(4)
        )
        let balance = SlotDefinition(rate: .balance)
        switch position {
        case 0, 1: flow.inputs[position] = balance
        case 2: flow.storage = balance
        case 3: flow.exchange = balance
        default: flow.output = balance
        }
        let resolution = flow.resolve { $0 == position ? nil : Self.values[$0] }
        let rates =
            resolution.frame.inputs.map { $0?.rate }
            + [resolution.frame.storage?.rate, resolution.frame.exchange?.rate, resolution.frame.output?.rate]
        #expect(rates == Self.values)
        #expect(resolution.shortfall == nil)
    }

    @Test("an input with the wrong sign is told, and does not hide itself")
    func wrongSign() {
        // Two roofs of which one is wired the wrong way round, and a meter that says 200 W export.
        let flow = FlowDefinition(
            inputs: [slot(0), slot(1)],
            exchange: slot(2),
            output: SlotDefinition(rate: .balance)
        )
        let values = [3000.0, -2900, -200]
        #expect(flow.resolve { values[$0] }.shortfall == 100)
    }
}
