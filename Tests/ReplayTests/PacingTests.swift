import Delivery
import Replay
import Testing
import TimeZones
import Widgets

@Suite("Pacing")
struct PacingTests {
    @Test("Without a limit 400 patches a day keep each rate right to 1.2 % of its peak", arguments: Day.all)
    func unlimited(day: Day) throws {
        let widget = try #require(try day.plain().score.widgets.first)
        #expect(widget.patches.count <= 400)
        let truth = try day.truthTable()
        let mean = ShownError(of: widget.frames, against: truth).mean
        for (slot, name) in PowerBySlot.names.enumerated() {
            #expect(mean.slots[slot] <= 0.012 * truth.peak.slots[slot], "\(name)")
        }
    }

    @Test("72 a day leave less than 0.7 of the error that 72 at equal distances leave", arguments: Day.all)
    func daily(day: Day) throws {
        let run = try day.replay(plan: ReplayPlan("72/day"))
        let widget = try #require(run.score.widgets.first)
        #expect(widget.requests <= 72)
        let truth = try day.truthTable()
        let error = ShownError(of: widget.frames, against: truth)
        #expect(error.relative <= 0.7 * EvenUpdates.best(72, in: [truth]))
    }

    @Test("A free account shows every evening of the month, and the rest of its 50 updates is well spent")
    func free() throws {
        let month = try Month()
        let run = try Run(month.configuration, plan: ReplayPlan("free"), month.messages())
        let widget = try #require(run.score.widgets.first)
        #expect(widget.requests <= 50)
        let told = run.log.filter { !$0.message.hasPrefix("Nothing has come yet") }
        #expect(told.map(\.level) == [.notice], "\(run.log)")
        #expect(told.first?.message.contains("50 updates a month") == true)

        for number in 0..<Month.days {
            let evening = month.midnight(number) + .seconds(21 * 3600)
            let frame = try #require(run.frames.first { $0.at >= evening }, "day \(number)")
            #expect(frame.at <= evening + .seconds(600), "day \(number)")
            let total = frame.flow["inputs"]?.asArray?.first?.asObject?["total"]?.asNumber
            #expect(try #require(total) >= 0.95 * month.day(number).truth().solarTotal, "day \(number)")
        }

        let error = try ShownError(of: widget.frames, against: month.truth())
        let days = try Day.all.map { try $0.truthTable() }
        #expect(error.relative <= EvenUpdates.best(50, in: days, times: Month.days / 2))
    }
}
