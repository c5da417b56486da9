import Bridge
import Delivery
import EnergyFlow
import Glibc
import Readings
import Testing
import Widgets

@Suite("Countdowns")
struct CountdownTests {
    private func countdown(_ definition: CountdownDefinition, text: String? = "Done") -> TemplatePlan {
        .countdown(definition, text.flatMap { BoundedText($0) })
    }

    private var toTimestamp: TemplatePlan {
        countdown(.reading(start: .timestamp(TemplateBench.begins), end: .timestamp(TemplateBench.ends)))
    }

    private var leftover: TemplatePlan {
        countdown(.reading(start: .elapsed(TemplateBench.passed), end: .remaining(TemplateBench.left)))
    }

    private func estimate(_ goal: StorageEstimate.Goal) -> TemplatePlan {
        countdown(.estimate(start: nil, StorageEstimate(goal, capacity: 10), of: TemplateBench.flow))
    }

    @Test(
        "an end is told in seconds, milliseconds, with an offset or locally",
        arguments: ["1773928800", "1773928800000", "2026-03-19T14:00:00Z", "2026-03-19 15:00:00"]
    )
    func timestamps(payload: String) throws {
        var bench = try TemplateBench(toTimestamp, zone: "Europe/Berlin")
        bench.send("ends", payload)
        bench.pass(120)
        #expect(
            bench.content == [
                "template": "countdown", "label": "Car", "end_date": "2026-03-19T14:00:00Z", "expired_text": "Done",
            ]
        )
        #expect(bench.refusals == [])
    }

    @Test(
        "a local end on a day when the clocks change is the instant that the clocks show",
        arguments: [
            // 2026-03-28T12:00:00Z, and the spring change in the night after it.
            (1_774_699_200, "2026-03-29 01:59:00", "2026-03-29T00:59:00Z"),
            (1_774_699_200, "2026-03-29 02:30:00", "2026-03-29T01:30:00Z"),
            (1_774_699_200, "2026-03-29 03:00:00", "2026-03-29T01:00:00Z"),
            // 2026-10-24T12:00:00Z, and the autumn change.
            (1_792_843_200, "2026-10-25 02:30:00", "2026-10-25T00:30:00Z"),
            (1_792_843_200, "2026-10-25 03:00:00", "2026-10-25T02:00:00Z"),
        ] as [(Int, String, String)]
    )
    func clockChanges(wall: Int, payload: String, expected: String) throws {
        var bench = try TemplateBench(toTimestamp, zone: "Europe/Berlin", at: .seconds(wall))
        bench.send("ends", payload)
        bench.pass(120)
        #expect(bench.content?["end_date"] == .string(expected))
    }

    @Test("a past end stays as it is, and further past ones cost nothing")
    func past() throws {
        var bench = try TemplateBench(toTimestamp)
        bench.send("ends", "2026-03-18T12:00:00Z")
        bench.pass(120)
        #expect(bench.content?["end_date"] == "2026-03-18T12:00:00Z")
        bench.send("ends", "2026-03-17T12:00:00Z")
        bench.pass(3600)
        #expect(bench.content?["end_date"] == "2026-03-18T12:00:00Z")
        #expect(bench.writes.count == 1)
    }

    @Test("an end before the year 2000 is none", arguments: ["0", "-62135596800", "946684800"])
    func ancient(payload: String) throws {
        var bench = try TemplateBench(toTimestamp)
        bench.send("ends", payload)
        bench.pass(120)
        let end = try #require(bench.date("end_date"))
        #expect(end <= bench.wall && end >= HomeBench.noon)
        #expect(bench.refusals == [])
    }

    @Test("an end 400 days ahead is nothing to count to, is told of once, and shown once it is near enough")
    func tooFar() throws {
        var bench = try TemplateBench(toTimestamp)
        let end = HomeBench.noon + .seconds(400 * 86_400)
        bench.send("ends", RFC3339.text(end))
        bench.pass(3600)
        #expect(bench.writes.count == 1)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(1))
        #expect(
            bench.lines == [
                "The end of the countdown 'car' is more than 365 days ahead, which the service refuses; it is shown "
                    + "once it is nearer."
            ]
        )
        bench.send("ends", RFC3339.text(HomeBench.noon + .seconds(365 * 86_400)))
        bench.pass(120)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(365 * 86_400))
        #expect(bench.refusals == [])
    }

    @Test("a start that is not before the end is left out")
    func start() throws {
        var bench = try TemplateBench(toTimestamp)
        bench.send("begins", "2026-03-19T13:00:00Z")
        bench.send("ends", "2026-03-19T14:00:00Z")
        bench.pass(120)
        #expect(bench.content?["start_date"] == "2026-03-19T13:00:00Z")
        bench.send("begins", "2026-03-19T15:00:00Z")
        bench.pass(120)
        #expect(bench.content?["start_date"] == nil)
        #expect(bench.content?["end_date"] == "2026-03-19T14:00:00Z")
        #expect(bench.refusals == [])
    }

    @Test("what is left counts from when it was told, and a report that says the same again moves the end")
    func remaining() throws {
        var bench = try TemplateBench(leftover)
        bench.send("left", "3600")
        bench.send("passed", "600")
        bench.pass(120)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(3600))
        #expect(bench.date("start_date") == HomeBench.noon - .seconds(600))
        // A sixth of the time left is what such an end may be off by.
        bench.pass(360)
        bench.send("left", "01:00:00")
        bench.pass(240)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(3600))
        bench.send("left", "01:00:00")
        bench.pass(120)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(4320))
        #expect(bench.refusals == [])
    }

    @Test("a source that counts down every ten seconds costs one update an hour")
    func steady() throws {
        var bench = try TemplateBench(leftover)
        for second in stride(from: 0, to: 3600, by: 10) {
            // Whole minutes, as many sources tell it.
            bench.send("left", "\((7200 - second) / 60 * 60)")
            bench.send("passed", "\(second + 1)")
            bench.pass(10)
        }
        #expect(bench.writes.count == 1)
    }

    @Test("a charge that ends early is over at once, and the widget keeps that end")
    func early() throws {
        var bench = try TemplateBench(leftover)
        bench.send("left", "3600")
        bench.pass(600)
        bench.send("left", "0")
        bench.pass(120)
        let end = try #require(bench.date("end_date"))
        #expect(end <= HomeBench.noon + .seconds(602) && end >= HomeBench.noon + .seconds(600))
        let writes = bench.writes.count
        bench.send("left", "-1")
        bench.pass(86_400)
        #expect(bench.date("end_date") == end)
        #expect(bench.writes.count == writes)
        bench.send("left", "1800")
        bench.pass(60)
        #expect(bench.date("end_date").map { $0 > bench.wall + .seconds(1700) } == true)
    }

    @Test("a countdown ends by time, with no message and no update")
    func runsOut() throws {
        var bench = try TemplateBench(leftover)
        bench.send("left", "600")
        bench.pass(4000)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(600))
        #expect(bench.writes.count == 1)
    }

    @Test("a source that is gone for less than a minute changes nothing; one that stays away ends the countdown")
    func gap() throws {
        var bench = try TemplateBench(leftover)
        bench.send("left", "7200")
        bench.pass(60)
        bench.send("left", "")
        bench.pass(50)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(7200))
        bench.send("left", "7090")
        bench.pass(120)
        #expect(bench.writes.count == 1)
        bench.send("left", "")
        bench.pass(120)
        #expect(bench.date("end_date").map { $0 <= bench.wall } == true)
        #expect(bench.writes.count == 2)
    }

    @Test("what was never heard leaves the widget alone")
    func unheard() throws {
        var bench = try TemplateBench(leftover)
        bench.pass(3600)
        #expect(bench.writes == [])
    }

    @Test("a battery that charges is full when the formula says so")
    func full() throws {
        var bench = try TemplateBench(estimate(.full))
        bench.send("level", "50")
        bench.send("battery", "2000")
        bench.pass(60)
        // 5 kWh at 2 kW, 95 % of which are stored.
        let expected = HomeBench.noon + .seconds(5 / 1.9 * 3600)
        let end = try #require(bench.date("end_date"))
        #expect((end - expected).inSeconds.magnitude <= 1)
        bench.send("battery", "-2000")
        bench.pass(1800)
        #expect(bench.date("end_date").map { $0 <= bench.wall } == true)
        #expect(bench.content?["expired_text"] == "Done")
    }

    @Test("an end that moves goes a minute after the last push; one that is over, or begins, after 15 s")
    func jump() throws {
        var bench = try TemplateBench(leftover)
        bench.send("left", "7200")
        bench.pass(5)
        bench.send("left", "3600")
        bench.pass(54)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(7200))
        bench.pass(2)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(3605))
        bench.send("left", "0")
        bench.pass(16)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(62))
        bench.send("left", "1800")
        bench.pass(16)
        #expect(bench.date("end_date") == HomeBench.noon + .seconds(1877))
        #expect(bench.writes.count == 4)
    }

    @Test(
        "a smoothed rate that moves the end without a report is seen within 15 s, and told a minute after the last push"
    )
    func drift() throws {
        var bench = try TemplateBench(estimate(.full))
        bench.send("level", "50")
        bench.send("battery", "1000")
        bench.pass(600)
        bench.send("battery", "4000")
        for _ in 0..<600 {
            bench.pass(1)
            let passed = bench.wall - HomeBench.noon - .seconds(600)
            let rate = 4 - 3 * exp(-passed.inSeconds / 1200)
            let left = Duration.seconds(5 / rate / 0.95 * 3600)
            let off = try #require(bench.date("end_date")) - (bench.wall + left)
            // What moves in 75 s is small against the tolerance.
            #expect(off <= DateTolerance.estimated.allowance(at: left) * 1.05)
        }
        #expect(bench.writes.count > 1)
    }

    @Test("an estimate that jitters by a tenth costs two updates in three hours", arguments: [1, 2, 3] as [UInt64])
    func jitter(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var bench = try TemplateBench(estimate(.empty))
        var level = 80.0
        for _ in 0..<(3 * 360) {
            let power = 2000 * Double.random(in: 0.9...1.1, using: &random)
            level -= power / 3.6e6 / 0.95 / 10 * 100 * 10
            bench.send("level", "\((level * 10).rounded() / 10)")
            bench.send("battery", "\(-power)")
            bench.pass(10)
        }
        #expect(bench.writes.count <= 2, "seed \(seed)")
    }

    @Test("a restart in the middle costs nothing, nor does one with nothing to count to")
    func restart() throws {
        var bench = try TemplateBench(leftover)
        bench.send("left", "7200")
        bench.pass(60)
        try bench.restart(leftover)
        bench.send("left", "7180")
        bench.pass(300)
        #expect(bench.writes.count == 1)
        bench.send("left", "0")
        bench.pass(60)
        let writes = bench.writes.count
        bench.pass(3600)
        try bench.restart(leftover)
        bench.send("left", "0")
        bench.pass(300)
        #expect(bench.writes.count == writes)
    }

    @Test("a time of the day comes round by itself, with the old end and its text in between")
    func daily() throws {
        let evening = try #require(TimeOfDay(hour: 22, minute: 0))
        let morning = try #require(TimeOfDay(hour: 6, minute: 0))
        var bench = try TemplateBench(countdown(.daily(start: evening, end: morning)), zone: "Europe/Berlin")
        bench.pass(0)
        // Noon: the night's tariff is over.
        #expect(bench.content?["start_date"] == "2026-03-18T21:00:00Z")
        #expect(bench.content?["end_date"] == "2026-03-19T05:00:00Z")
        bench.pass(8 * 3600)
        #expect(bench.writes.count == 1)
        // 22:00 in Berlin is 21:00 UTC.
        bench.pass(3720)
        #expect(bench.content?["start_date"] == "2026-03-19T21:00:00Z")
        #expect(bench.content?["end_date"] == "2026-03-20T05:00:00Z")
        #expect(bench.writes.count == 2)
        bench.pass(9 * 86_400)
        // The clocks have changed on the 29th: eleven nights in all, and none twice.
        #expect(bench.writes.count == 11)
        #expect(bench.content?["end_date"] == "2026-03-29T04:00:00Z")
        #expect(bench.refusals == [])
    }

    @Test("without a text an end that has passed is shown as the source tells it")
    func countingUp() throws {
        var bench = try TemplateBench(
            countdown(.reading(start: nil, end: .timestamp(TemplateBench.ends)), text: nil)
        )
        bench.send("ends", "2026-03-19T11:00:00Z")
        bench.pass(60)
        bench.send("ends", "2026-03-19T11:30:00Z")
        bench.pass(120)
        #expect(bench.content?["end_date"] == "2026-03-19T11:30:00Z")
    }

    @Test(
        "a battery that trembles at its goal costs a handful of updates a day",
        arguments: [
            // From below by charging slowly, then to and fro, as its level is told: 30 s each.
            (StorageEstimate.Goal.full, 97.0, [99.4, 99.6]), (.full, 97, [98, 99]), (.full, 97, [99, 100]),
            (.full, 97, [98.9, 99.1]), (.full, 97, [99.6, 99.8]), (.level(80), 77, [79.4, 79.6]),
            (.level(80), 77, [79.6, 79.8]),
        ] as [(StorageEstimate.Goal, Double, [Double])],
        [100.0, 200, 500]
    )
    func trembling(_ goal: (StorageEstimate.Goal, from: Double, levels: [Double]), power: Double) throws {
        var bench = try TemplateBench(estimate(goal.0))
        bench.send("battery", "\(power)")
        for level in stride(from: goal.from, to: goal.levels[0], by: power / 100 / 120) {
            bench.send("level", "\((level * 10).rounded() / 10)")
            bench.pass(30)
        }
        let rising = bench.writes.count
        #expect((1...5).contains(rising))
        for index in 0..<2880 {
            bench.send("level", "\(goal.levels[index % 2])")
            bench.pass(30)
        }
        #expect(bench.writes.count - rising <= 6)
    }

    @Test("a battery at rest whose power wobbles around 0 is not counted", arguments: [99.0, 60])
    func resting(level: Double) throws {
        var bench = try TemplateBench(estimate(.full))
        for index in 0..<2880 {
            bench.send("battery", "\(40 * sin(Double(index) / 120 * 2 * .pi))")
            bench.send("level", "\(level)")
            bench.pass(30)
        }
        #expect(bench.writes.count <= 1)
    }

    @Test("what a source reckons is left costs a handful of updates, though it is off by 4 %", arguments: [1, 2, 3])
    func reckoned(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var bench = try TemplateBench(leftover)
        for second in stride(from: 0, to: 6 * 3600, by: 30) {
            bench.send("left", "\(Double(8 * 3600 - second) * Double.random(in: 0.96...1.04, using: &random))")
            bench.pass(30)
        }
        #expect(bench.writes.count <= 4, "seed \(seed)")
    }

    @Test("a start that is unknown for less than a minute stays, and goes when it stays away")
    func startGap() throws {
        var bench = try TemplateBench(toTimestamp)
        bench.send("ends", "2026-03-19T20:00:00Z")
        bench.send("begins", "2026-03-19T11:00:00Z")
        bench.pass(120)
        for _ in 0..<12 {
            bench.send("begins", "unavailable")
            bench.pass(20)
            bench.send("begins", "2026-03-19T11:00:00Z")
            bench.pass(280)
        }
        #expect(bench.writes.count == 1)
        bench.send("begins", "unavailable")
        bench.pass(59)
        #expect(bench.content?["start_date"] == "2026-03-19T11:00:00Z")
        bench.pass(10)
        #expect(bench.content?["start_date"] == nil)
        #expect(bench.content?["end_date"] == "2026-03-19T20:00:00Z")
        #expect(bench.refusals == [])
    }

    @Test("an end that moves farther than the service takes ends the countdown, and is counted once it is near enough")
    func becomesTooFar() throws {
        var bench = try TemplateBench(toTimestamp)
        bench.send("ends", "2026-03-19T14:00:00Z")
        bench.pass(600)
        bench.send("ends", RFC3339.text(HomeBench.noon + .seconds(400 * 86_400)))
        bench.pass(20)
        #expect(bench.date("end_date").map { $0 <= bench.wall } == true)
        bench.pass(3600)
        #expect(bench.writes.count == 2)
        #expect(bench.lines.count == 1)
        #expect(bench.refusals == [])
    }

    @Test("a night that the spring change swallows is left out")
    func swallowed() throws {
        let start = try #require(TimeOfDay(hour: 2, minute: 30))
        let end = try #require(TimeOfDay(hour: 3, minute: 0))
        // 2026-03-28T12:00:00Z.
        var bench = try TemplateBench(
            countdown(.daily(start: start, end: end)),
            zone: "Europe/Berlin",
            at: .seconds(1_774_699_200)
        )
        bench.pass(86_000)
        #expect(bench.writes.count == 1)
        #expect(bench.content?["end_date"] == "2026-03-28T02:00:00Z")
        bench.pass(86_400)
        #expect(bench.content?["start_date"] == "2026-03-30T00:30:00Z")
        #expect(bench.content?["end_date"] == "2026-03-30T01:00:00Z")
    }
}
