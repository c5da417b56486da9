import Demonstration
import Testing
import Widgets

@Suite("The numbers of a flow")
struct FlowStateTests {
    @Test("the content of a widget gives rates and level, and inputs are added up")
    func content() {
        let state = FlowState(content: [
            "template": "flow",
            "flow": [
                "inputs": [["rate": 1000], ["rate": 200.5]],
                "output": ["rate": 400],
                "storage": ["rate": -30, "level": 55],
                "exchange": ["rate": -770],
            ],
        ])
        #expect(state == FlowState(solar: 1200.5, home: 400, battery: -30, level: 55, grid: -770))
    }

    @Test("a slot that is not there is not known")
    func absent() {
        #expect(FlowState(content: ["template": "flow", "flow": ["output": ["rate": 1]]]) == FlowState(home: 1))
        #expect(FlowState(content: [:]) == FlowState())
    }
}
