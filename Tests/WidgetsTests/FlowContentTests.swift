import EnergyFlow
import Testing
import Widgets

@Suite("Flow content")
struct FlowContentTests {
    private typealias Node = FlowFrame.Node

    @Test("a full frame becomes a full content")
    func full() throws {
        let frame = FlowFrame(
            inputs: [Node(rate: 3200.4, total: 12.34)],
            storage: Node(rate: 800, level: 76.4),
            exchange: Node(rate: -1400, total: 1.004),
            output: Node(rate: 1000)
        )
        let appearance = FlowAppearance(
            unit: try #require(BoundedText("W")),
            inputs: [
                NodeAppearance(
                    name: BoundedText("Solar"),
                    icon: BoundedText("sun.max.fill"),
                    color: WidgetColor("Yellow")
                )
            ]
        )
        let shared = SharedContent(
            label: BoundedText("Power"),
            subtitle: BoundedText("Home"),
            icon: BoundedText("bolt"),
            accentColor: WidgetColor("green"),
            backgroundColor: WidgetColor("101010"),
            textColor: WidgetColor("#ffffff80")
        )
        let content = try #require(FlowContent.content(frame: frame, appearance: appearance, shared: shared))
        #expect(
            content.description == """
                {"template":"flow","label":"Power","subtitle":"Home","icon":"bolt","accent_color":"green",\
                "background_color":"#101010","text_color":"#FFFFFF80","unit":"W","flow":{\
                "inputs":[{"rate":3200,"name":"Solar","total":12.3,"icon":"sun.max.fill","color":"yellow"}],\
                "output":{"rate":1000},"storage":{"rate":800,"level":76},"exchange":{"rate":-1400,"total":1}}}
                """
        )
        #expect(ContentRules.problems(in: content, now: .zero) == [])
    }

    @Test("slots that are not known are left out, inputs keep their looks")
    func unknownSlots() throws {
        let frame = FlowFrame(
            inputs: [nil, Node(rate: 5)],
            storage: Node(rate: .nan),
            exchange: Node(rate: 1, total: .nan)
        )
        let appearance = FlowAppearance(
            unit: try #require(BoundedText("W")),
            inputs: [NodeAppearance(name: BoundedText("East")), NodeAppearance(name: BoundedText("West"))]
        )
        let content = FlowContent.content(frame: frame, appearance: appearance, shared: SharedContent())
        #expect(content?["flow"] == ["inputs": [["rate": 5, "name": "West"]], "exchange": ["rate": 1]])
    }

    @Test(
        "without any known slot there is no content",
        arguments: [
            FlowFrame(), FlowFrame(inputs: [nil, nil]), FlowFrame(exchange: Node(rate: .infinity)),
            FlowFrame(inputs: [Node(rate: -.infinity)]),
        ]
    )
    func empty(frame: FlowFrame) throws {
        let appearance = FlowAppearance(unit: try #require(BoundedText("W")))
        #expect(FlowContent.content(frame: frame, appearance: appearance, shared: SharedContent()) == nil)
    }

    @Test(
        "rates are shown in the widget's unit, rounded to what can be seen",
        arguments: [
            ("W", 1234.4, 1234), ("W", 1234.5, 1235), ("W", -1234.5, -1235), ("W", 0.4, 0), ("W", -0.4, 0),
            ("W", -0.0, 0),
            ("kW", 1234.4, 1.23), ("kW", 1235, 1.24), ("kW", -1235, -1.24), ("kW", 1005, 1.01), ("kW", -4.9, 0),
            ("kW", 12_345.6, 12.35), ("MW", 1_234_567, 1.23), ("MW", -5000, -0.01), ("mW", 1.2345, 1235),
            ("mW", -0.0005, -1), ("L/min", 1.234, 1.23), ("L/min", -9.996, -10), ("L/min", 12.34, 12.3),
            ("L/min", 123.5, 124), ("kw", 12.34, 12.3), ("", 0.125, 0.13), ("", -0.125, -0.13),
        ]
    )
    func rates(unit: String, raw: Double, shown: Double) throws {
        let content = try content(FlowFrame(exchange: Node(rate: raw)), unit: unit)
        #expect(try content.description == #"{"exchange":{"rate":\#(#require(JSONNumber(shown)))}}"#)
    }

    @Test("import and export of the same size look the same", arguments: ["W", "kW", "MW", "mW", "L/min"])
    func symmetry(unit: String) throws {
        for raw in stride(from: 0.0, through: 20_000, by: 12.5) {
            let forward = try content(FlowFrame(exchange: Node(rate: raw)), unit: unit)
            let backward = try content(FlowFrame(exchange: Node(rate: -raw)), unit: unit)
            let rates = [forward, backward].compactMap { $0["exchange"]?.asObject?["rate"]?.asNumber }
            #expect(rates.count == 2 && rates.first == rates.last.map { -$0 })
        }
    }

    @Test("inputs and output are never negative, exchange and storage are")
    func noise() throws {
        let node = Node(rate: -3.2)
        let flow = try content(FlowFrame(inputs: [node], storage: node, exchange: node, output: node), unit: "W")
        #expect(
            flow == [
                "inputs": [["rate": 0]], "output": ["rate": 0], "storage": ["rate": -3], "exchange": ["rate": -3],
            ]
        )
    }

    @Test(
        "totals have two decimals below 10 and then one, and are never negative",
        arguments: [(0.126, 0.13), (9.994, 9.99), (9.996, 10), (10.06, 10.1), (1234.56, 1234.6), (-0.2, 0), (-0.0, 0)]
    )
    func totals(raw: Double, shown: Double) throws {
        let flow = try content(FlowFrame(output: Node(rate: 1, total: raw)), unit: "W")
        #expect(flow["output"]?.asObject?["total"]?.asNumber == shown)
    }

    @Test(
        "levels are whole, within 0...100, and on storage only",
        arguments: [(57.4, 57), (57.5, 58), (99.96, 100), (100.4, 100), (-1, 0), (0, 0)]
    )
    func levels(raw: Double, shown: Double) throws {
        let node = Node(rate: 1, level: raw)
        let flow = try content(FlowFrame(inputs: [node], storage: node, exchange: node, output: node), unit: "W")
        #expect(flow["storage"]?.asObject?["level"]?.asNumber == shown)
        #expect(flow["output"] == ["rate": 1])
        #expect(flow["exchange"] == ["rate": 1])
        #expect(flow["inputs"] == [["rate": 1]])
    }

    @Test("a level or total that is not finite is left out", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) throws {
        let flow = try content(FlowFrame(storage: Node(rate: 1, total: value, level: value)), unit: "W")
        #expect(flow == ["storage": ["rate": 1]])
    }

    private func content(_ frame: FlowFrame, unit: String) throws -> JSONObject {
        let appearance = FlowAppearance(unit: try #require(BoundedText(unit)))
        let content = FlowContent.content(frame: frame, appearance: appearance, shared: SharedContent())
        return try #require(content?["flow"]?.asObject)
    }
}
