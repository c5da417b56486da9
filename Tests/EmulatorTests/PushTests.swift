import Testing
import Widgets

@testable import Emulator

@Suite("Pushes") struct PushTests {
    @Test("changes closer together than the throttle become one push")
    func coalescing() {
        var counter = PushCounter()
        for second in 0...14 { counter.change(at: .seconds(100 + second), throttle: .seconds(15)) }
        #expect(counter.pushes(at: .seconds(114)) == 1)
        #expect(counter.pushes(at: .seconds(115)) == 2)
        #expect(counter.pushes(at: .seconds(1000)) == 2)
    }

    @Test("a feed of one change a second is four pushes a minute")
    func steady() {
        var counter = PushCounter()
        for second in 0..<600 { counter.change(at: .seconds(second), throttle: .seconds(15)) }
        #expect(counter.pushes(at: .seconds(599)) == 40)
    }

    @Test("a change after the throttle is pushed at once")
    func apart() {
        var counter = PushCounter()
        counter.change(at: .seconds(0), throttle: .seconds(15))
        counter.change(at: .seconds(15), throttle: .seconds(15))
        #expect(counter.pushes(at: .seconds(15)) == 2)
    }

    @Test("each widget has its own throttle and count")
    func widgets() throws {
        var bench = Bench()
        _ = try bench.post(#"{"slug":"a","name":"A","push_throttle":60,"content":{"template":"value"}}"#)
        _ = try bench.post(#"{"slug":"b","name":"B","content":{"template":"value"}}"#)
        for value in 1...3 {
            bench.wait(.seconds(20))
            _ = try bench.patch(#"{"content":{"value":\#(value)}}"#, slug: "a")
            _ = try bench.patch(#"{"content":{"value":\#(value)}}"#, slug: "b")
        }
        let expected = """
            {"plan":"paid","requests":8,"updates":6,"updates_this_month":6,"pushes":6,"faults":0,
             "widgets":[{"slug":"a","updates":3,"pushes":2},{"slug":"b","updates":3,"pushes":4}]}
            """
        #expect(try .object(bench.state()) == json(expected))
    }

    @Test("pushes of a widget that is gone are still counted")
    func deleted() throws {
        var bench = try Bench.holding(#"{"template":"value"}"#)
        _ = try bench.send("DELETE", "/widgets/power")
        #expect(try bench.state()["pushes"] == 1)
        #expect(try bench.state()["widgets"] == [])
    }
}
