import Delivery
import Testing

@testable import Readings

@Suite("Readings over time")
struct ReadingsSuite {
    // MARK: Absent, implausible, levels

    @Test("a message without the path changes nothing, not even the age (P-23, FR-38)")
    func absent() throws {
        var bench = Bench(
            try .reading("power", path: "/power"),
            try .reading("energy", path: "/energy", unit: "kWh")
        )
        bench.send("t", #"{"power":null,"energy":12.3}"#)
        #expect(bench.value == nil)
        #expect(bench.readings.value(1) == 12.3)
        bench.send("t", #"{"power":55}"#)
        #expect(
            bench.takeEvents() == [
                .init(reading: 1, isFresh: true, changed: true, member: 0),
                .init(reading: 0, isFresh: true, changed: true, member: 0),
            ]
        )
        let fresh = bench.readings.lastFresh(0)
        bench.wait(300)
        bench.send("t", #"{"linkquality":80}"#)
        #expect(bench.value == 55)
        #expect(bench.readings.lastFresh(0) == fresh)
        bench.wait(299)
        #expect(bench.value == 55)
        bench.wait(1)
        #expect(bench.value == nil)
        #expect(bench.readings.value(1) == 12.3)
        #expect(bench.reasons() == [])
    }

    @Test("going unavailable and coming back gives the same value, and two changes (FR-30)")
    func unavailable() throws {
        var bench = Bench(try .reading(unit: "kWh"))
        for payload in ["5.2", "unavailable", "5.2"] { bench.send("t", payload) }
        #expect(bench.value == 5.2)
        #expect(bench.takeEvents().map(\.isFresh) == [true, false, true])
    }

    @Test("a number out of range is as if never sent: the value stays and ages on (P-24)")
    func range() throws {
        var bench = Bench(try .reading { $0.range = -5000...20_000 })
        bench.send("t", "300")
        bench.wait(500)
        bench.send("t", "65535")
        #expect(bench.value == 300)
        bench.send("t", "-8388.608")
        #expect(bench.value == 300)
        bench.wait(100)
        #expect(bench.value == nil)
        let problems = bench.readings.takeProblems(at: bench.now)
        #expect(problems == [PayloadProblem(topic: "t", reading: "r", reason: "'65535' is out of range.", count: 2)])
    }

    @Test("a level keeps its value through glitches (FR-46)")
    func level() throws {
        var bench = Bench(try .reading(unit: "%"))
        var shown: [Double?] = []
        for payload in ["57", "0", "57", "4873", "102.3", "-1", "100.4", "99.96"] {
            bench.send("t", payload)
            shown.append(bench.value)
        }
        #expect(shown == [57, 57, 57, 57, 57, 57, 100, 99.96])
    }

    @Test("a level is 0 when a second message says so, or when it was nearly 0 (FR-46)")
    func emptyBattery() throws {
        var bench = Bench(try .reading(unit: "%"), try .reading(topic: "f", unit: "fraction"))
        bench.send("t", "57")
        bench.send("t", "0")
        #expect(bench.value == 57)
        bench.send("t", "0")
        #expect(bench.value == 0)
        bench.send("f", "0.04")
        bench.send("f", "0")
        #expect(bench.readings.value(1) == 0)
        bench.send("f", "0.57")
        #expect(abs((bench.readings.value(1) ?? 0) - 57) < 1e-9)
    }

    @Test("a zero that is not confirmed is forgotten by the next value")
    func unconfirmed() throws {
        var bench = Bench(try .reading(unit: "%"))
        for payload in ["57", "0", "56", "0"] { bench.send("t", payload) }
        #expect(bench.value == 56)
    }

    @Test("a first level of 0 is taken")
    func firstZero() throws {
        var bench = Bench(try .reading(unit: "%"))
        bench.send("t", "0")
        #expect(bench.value == 0)
    }

    // MARK: Age

    @Test("a value expires at its age, once, and comes back with the next message (FR-27)")
    func expiry() throws {
        var bench = Bench(try .reading { $0.expiry = .after(.seconds(120)) })
        #expect(bench.readings.nextDeadline == nil)
        bench.send("t", "3100")
        #expect(bench.readings.nextDeadline == bench.now.uptime + .seconds(120))
        bench.wait(119)
        #expect(bench.value == 3100)
        _ = bench.takeEvents()
        bench.wait(1)
        #expect(bench.value == nil)
        #expect(bench.takeEvents() == [ReadingEvent(reading: 0, isFresh: false, changed: true)])
        #expect(bench.readings.nextDeadline == nil)
        bench.wait(1800)
        #expect(bench.takeEvents() == [])
        bench.send("t", "3100")
        #expect(bench.takeEvents() == [ReadingEvent(reading: 0, isFresh: true, changed: true, member: 0)])
    }

    @Test("each message renews the age, and an advance that came too early says when to come back")
    func renewal() throws {
        var bench = Bench(try .reading { $0.expiry = .after(.seconds(120)) })
        bench.send("t", "1")
        bench.wait(100)
        bench.send("t", "1")
        let due = bench.now.uptime + .seconds(120)
        bench.wait(20)
        #expect(bench.value == 1)
        #expect(bench.readings.nextDeadline == due)
    }

    @Test("time passes before a message is taken, so that nothing old survives a late wake-up")
    func lateWakeUp() throws {
        var bench = Bench(try .reading("a"), try .reading("b", topic: "u"))
        bench.send("t", "1")
        bench.now = bench.now.advanced(by: .seconds(3600))
        bench.send("u", "2")
        #expect(bench.value == nil)
        #expect(bench.readings.value(1) == 2)
    }

    @Test("a slow level stays between its reports, and never becomes 0 (FR-29)")
    func slowLevel() throws {
        var bench = Bench(try .reading("soc", unit: "%"), try .reading("power", topic: "p"))
        bench.send("t", "63")
        for _ in 0..<300 {
            bench.wait(2)
            bench.send("p", "100")
            #expect(bench.value == 63)
        }
        bench.send("t", "64")
        #expect(bench.value == 64)
    }

    @Test("waking up only at the deadlines gives what waking up all the time gives")
    func deadlines() throws {
        let status = AvailabilitySource(topic: try TopicFilter("lwt"))
        let definitions = [
            try ReadingDefinition.reading(topic: "a") { $0.expiry = .after(.seconds(7)) },
            try .reading(topic: "b") {
                $0.expiry = .after(.seconds(30))
                $0.available = status
                $0.expired = .zero
            },
            try .reading(topic: "+", unit: "kW") {
                $0.expiry = .after(.seconds(11))
                $0.combine = .sum
            },
        ]
        var lazy = Bench(definitions)
        var eager = Bench(definitions)
        var random = SplitMix(seed: 31)
        for _ in 0..<20_000 {
            eager.wait(1)
            lazy.now = eager.now
            if let due = lazy.readings.nextDeadline, due <= lazy.now.uptime { lazy.wait(0) }
            #expect((0..<3).map { lazy.readings.value($0) } == (0..<3).map { eager.readings.value($0) }, "seed 31")
            guard Int.random(in: 0..<6, using: &random) == 0 else { continue }
            let topic = ["a", "b", "c", "lwt"].randomElement(using: &random) ?? ""
            let payload = ["1", "2", "null", "", "online", "offline"].randomElement(using: &random) ?? ""
            let retained = Bool.random(using: &random)
            lazy.send(topic, payload, retained: retained)
            eager.send(topic, payload, retained: retained)
        }
        #expect(lazy.events == eager.events)
    }

    @Test("units have ages of their own: counters never expire")
    func defaults() throws {
        var bench = Bench(
            try .reading(),
            try .reading(topic: "l", unit: "%"),
            try .reading(topic: "e", unit: "kWh"),
            try .reading(topic: "o", unit: "L/min")
        )
        for topic in ["t", "l", "e", "o"] { bench.send(topic, "9") }
        bench.wait(600)
        #expect((0..<4).map { bench.readings.value($0) } == [nil, 9, 9, nil])
        bench.wait(21_000)
        #expect((0..<4).map { bench.readings.value($0) } == [nil, nil, 9, nil])
    }

    @Test("expired solar can be zero (FR-31)")
    func expiredZero() throws {
        var bench = Bench(try .reading { $0.expired = .zero })
        #expect(bench.value == nil)
        bench.send("t", "420")
        bench.wait(600)
        #expect(bench.value == 0)
        #expect(bench.takeEvents().map(\.isFresh) == [true, false])
    }

    @Test("a source that says 'unavailable' is unknown, and zero once its last value has aged (FR-31)")
    func unavailableAges() throws {
        var bench = Bench(try .reading { $0.expired = .zero })
        bench.send("t", "420")
        bench.wait(300)
        bench.send("t", "unavailable")
        #expect(bench.value == nil)
        bench.wait(300)
        #expect(bench.value == 0)
        bench.send("t", "unavailable")
        #expect(bench.value == 0)
    }

    // MARK: Availability

    @Test("a source that is there does not age (FR-28)")
    func there() throws {
        var bench = Bench(
            try .reading("soc", topic: "soc", unit: "%") {
                $0.available = AvailabilitySource(topic: try TopicFilter("status"))
            },
            try .reading("pv", topic: "pv") { $0.available = AvailabilitySource(topic: try TopicFilter("status")) }
        )
        #expect(bench.readings.filters.map(\.description) == ["soc", "status", "pv"])
        bench.send("soc", "100", retained: true)
        bench.send("pv", "0", retained: true)
        bench.send("status", "online", retained: true)
        bench.wait(6 * 3600 + 1)
        #expect(bench.value == 100)
        #expect(bench.readings.value(1) == 0)
        bench.send("status", "")
        #expect(bench.value == nil)
        #expect(bench.readings.value(1) == nil)
    }

    @Test("a source that is gone is unknown at once, and known again with its next message")
    func gone() throws {
        var bench = Bench(try .reading { $0.available = AvailabilitySource(topic: try TopicFilter("lwt")) })
        bench.send("lwt", "Online")
        bench.send("t", "5")
        bench.send("lwt", "Offline")
        #expect(bench.value == nil)
        bench.send("lwt", "Online")
        #expect(bench.value == nil)
        bench.send("t", "6")
        #expect(bench.value == 6)
        #expect(bench.takeEvents().map(\.isFresh) == [true, false, true])
    }

    @Test("a sleeping inverter is zero if it is to be, even if it was never heard (FR-31)")
    func sleeping() throws {
        var bench = Bench(
            try .reading {
                $0.expired = .zero
                $0.available = AvailabilitySource(topic: try TopicFilter("t/status"))
            }
        )
        bench.send("t/status", "offline", retained: true)
        #expect(bench.value == 0)
        bench.send("t/status", "online")
        #expect(bench.value == nil)
        bench.send("t", "3")
        bench.send("t/status", "offline")
        #expect(bench.value == 0)
        bench.send("t/status", "online")
        #expect(bench.value == 0)
    }

    @Test("what a source says while it is gone shows when it is back")
    func aside() throws {
        var bench = Bench(try .reading { $0.available = AvailabilitySource(topic: try TopicFilter("lwt")) })
        bench.send("lwt", "offline")
        bench.send("t", "5")
        #expect(bench.value == nil)
        #expect(bench.readings.lastFresh(0) == nil)
        bench.send("lwt", "offline")
        bench.send("lwt", "online")
        #expect(bench.value == 5)
        #expect(bench.takeEvents() == [ReadingEvent(reading: 0, isFresh: false, changed: true)])
    }

    @Test(
        "availability has its words, in any case, plain or at a path (P-19)",
        arguments: [
            ("online", true), ("Online", true), ("\"online\"", true), ("true", true), ("1", true), ("connected", true),
            ("not connected", false), ("offline", false), ("0", false), ("false", false), ("null", false),
            (#"{"state":"online"}"#, true), (#"{"state":"offline"}"#, false), (#"{"state":true}"#, true),
            (#"{"state":1}"#, true),
        ]
    )
    func words(payload: String, isThere: Bool) throws {
        var bench = Bench(
            try .reading {
                $0.expired = .zero
                $0.available = AvailabilitySource(topic: try TopicFilter("s"), path: try JSONPointer("/state"))
            }
        )
        bench.send("t", "5")
        bench.send("s", #"{"other":1}"#)
        #expect(bench.value == 5)
        bench.send("s", payload)
        #expect(bench.value == (isThere ? 5 : 0))
    }

    @Test("availability and value in one payload are taken together")
    func together() throws {
        var bench = Bench(
            try .reading(path: "/p") {
                $0.available = AvailabilitySource(topic: try TopicFilter("t"), path: try JSONPointer("/q"), when: ["0"])
            }
        )
        bench.send("t", #"{"p":512.3,"q":0}"#)
        #expect(bench.value == 512.3)
        bench.send("t", #"{"p":512.3,"q":66}"#)
        #expect(bench.value == nil)
        bench.send("t", #"{"p":511,"q":0}"#)
        #expect(bench.value == 511)
    }

    // MARK: Retained messages

    @Test("a retained value is a first picture that is never fresh, and expires (FR-26)")
    func retained() throws {
        var bench = Bench(try .reading())
        bench.send("t", "2150", retained: true)
        #expect(bench.value == 2150)
        #expect(bench.takeEvents() == [ReadingEvent(reading: 0, isFresh: false, changed: true, member: 0)])
        #expect(bench.readings.lastFresh(0) == nil)
        bench.wait(400)
        bench.send("t", "2150", retained: true)
        bench.wait(200)
        #expect(bench.value == nil)
        bench.send("t", "2150", retained: true)
        #expect(bench.value == nil)
    }

    @Test("a retained value that the broker hands over again does not undo a live one (FR-26)")
    func redelivered() throws {
        var bench = Bench(try .reading())
        bench.send("t", "1", retained: true)
        bench.send("t", "2")
        bench.wait(300)
        bench.send("t", "1", retained: true)
        #expect(bench.value == 2)
        bench.send("t", "2", retained: true)
        bench.wait(300)
        #expect(bench.value == nil)
    }

    @Test("a retained value that differs is newer, and still not fresh (FR-26)")
    func newerRetained() throws {
        var bench = Bench(try .reading())
        bench.send("t", "2")
        let fresh = bench.now.uptime
        bench.wait(300)
        bench.send("t", "3", retained: true)
        #expect(bench.value == 3)
        #expect(bench.readings.lastFresh(0) == fresh)
        bench.wait(599)
        #expect(bench.value == 3)
    }

    @Test("a source that was gone gets its first picture again from a retained value")
    func retainedAfterLoss() throws {
        var bench = Bench(try .reading { $0.available = AvailabilitySource(topic: try TopicFilter("lwt")) })
        bench.send("t", "1", retained: true)
        bench.send("lwt", "offline", retained: true)
        bench.send("lwt", "online")
        #expect(bench.value == nil)
        bench.send("t", "1", retained: true)
        #expect(bench.value == 1)
    }

    @Test("retained values can be left out")
    func ignoreRetained() throws {
        var bench = Bench(try .reading { $0.retained = .ignore })
        bench.send("t", "1", retained: true)
        #expect(bench.value == nil)
        #expect(bench.takeEvents() == [])
        bench.send("t", "1")
        #expect(bench.value == 1)
    }

    // MARK: Several topics

    @Test("a wildcard is the sum of its members, each with its own age (FR-61)")
    func sum() throws {
        var bench = Bench(try .reading(topic: "t/+/power") { $0.combine = .sum })
        bench.send("t/a/power", "100")
        bench.wait(1)
        bench.send("t/b/power", "250")
        bench.send("t/a/power", "110")
        #expect(bench.value == 360)
        bench.wait(500)
        bench.send("t/a/power", "120")
        #expect(bench.value == 370)
        bench.wait(100)
        #expect(bench.value == nil)
        bench.send("t/b/power", "5")
        #expect(bench.value == 125)
        bench.send("t/b/power", "")
        #expect(bench.value == nil)
    }

    @Test("a value rests on a retained message until a live one comes")
    func restsOnRetained() throws {
        var bench = Bench(try .reading(topic: "t"))
        bench.send("t", "1", retained: true)
        #expect(bench.readings.restsOnRetained(0) == true)
        #expect(bench.readings.expires(0) == bench.now.uptime + .seconds(600))
        bench.send("t", "1")
        #expect(bench.readings.restsOnRetained(0) == false)
    }

    @Test("a member that is gone can count as zero (FR-32)")
    func sumOfZero() throws {
        var bench = Bench(
            try .reading(topic: "t/+") {
                $0.combine = .sum
                $0.expired = .zero
            }
        )
        bench.send("t/a", "100")
        bench.wait(300)
        bench.send("t/b", "50")
        bench.wait(300)
        #expect(bench.value == 50)
    }

    @Test("the energy that a member of a sum has counted does not vanish with it (FR-32)")
    func sumOfCounters() throws {
        var bench = Bench(
            try .reading(topic: "inverter/+/ch0/YieldDay", unit: "Wh") {
                $0.combine = .sum
                $0.counts = .today
                $0.expiry = .after(.seconds(3600))
            }
        )
        bench.send("inverter/A/ch0/YieldDay", "3000")
        bench.send("inverter/B/ch0/YieldDay", "200")
        bench.wait(4 * 3600)
        bench.send("inverter/B/ch0/YieldDay", "unavailable")
        bench.send("inverter/A/ch0/YieldDay", "3500")
        #expect(bench.value == 3.7)
    }

    @Test("events tell the member, and each member can be asked")
    func members() throws {
        var bench = Bench(try .reading(topic: "t/+") { $0.combine = .sum })
        bench.send("t/a", "1", retained: true)
        bench.wait(10)
        bench.send("t/b", "2")
        #expect(bench.takeEvents().map(\.member) == [0, 1])
        #expect((0...1).map { bench.readings.topic(of: 0, member: $0) } == ["t/a", "t/b"])
        #expect((0...1).map { bench.readings.value(of: 0, member: $0) } == [1, 2])
        #expect(bench.readings.expires(0) == bench.now.uptime + .seconds(590))
        #expect(bench.readings.restsOnRetained(0) == true)
        bench.send("t/a", "3")
        #expect(bench.readings.restsOnRetained(0) == false)
        bench.send("t/b", "null")
        #expect(bench.readings.value(of: 0, member: 1) == nil)
        #expect(bench.readings.expires(0) == nil)
    }

    @Test("mean and largest")
    func meanAndMax() throws {
        var bench = Bench(
            try .reading("mean", topic: "t/#", unit: "%") { $0.combine = .mean },
            try .reading("max", topic: "t/#", unit: "%") { $0.combine = .max }
        )
        for (topic, payload) in [("t/a", "40"), ("t/b", "60"), ("t", "20")] { bench.send(topic, payload) }
        #expect(bench.value == 40)
        #expect(bench.readings.value(1) == 60)
        #expect(bench.readings.filters.count == 1)
    }

    @Test("a topic can be a reading of its own and a member of another")
    func overlap() throws {
        var bench = Bench(
            try .reading("all", topic: "t/+") { $0.combine = .sum },
            try .reading("one", topic: "t/a")
        )
        bench.send("t/a", "1")
        bench.send("t/b", "2")
        #expect(bench.value == 3)
        #expect(bench.readings.value(1) == 1)
    }

    @Test("a topic that is deleted before it said anything is no member")
    func deletedMember() throws {
        var bench = Bench(try .reading(topic: "t/+") { $0.combine = .sum })
        bench.send("t/a", "1")
        bench.send("t/b", "")
        #expect(bench.value == 1)
        bench.send("t/c", "unavailable")
        #expect(bench.value == nil)
    }

    @Test("the members of a reading are limited, and what is beyond is told")
    func limit() throws {
        var bench = Bench(try .reading(topic: "t/+") { $0.combine = .sum })
        for number in 0..<1010 { bench.send("t/\(number)", "1") }
        #expect(bench.value == 1000)
        #expect(
            bench.readings.takeProblems(at: bench.now) == [
                PayloadProblem(topic: "t/+", reading: "r", reason: "More than 1000 topics match the filter.", count: 10)
            ]
        )
    }

    @Test("a topic cannot forge a log line")
    func forgedTopic() throws {
        var bench = Bench(try .reading(topic: "t/+") { $0.combine = .sum })
        bench.send("t/Küche\n<3>\u{1B}[31m", "x")
        #expect(bench.readings.takeProblems(at: bench.now).map(\.topic) == ["t/Küche<3>[31m"])
    }

    @Test("topics that nobody mapped are dropped (P-26, FR-59)")
    func unmapped() throws {
        var bench = Bench(try .reading(topic: "evcc/site/pv/1/power"))
        for topic in ["evcc/site/pv", "evcc/site/pv/1", "evcc/site/pv/1/power/", "", "solaredge/logging"] {
            bench.send(topic, "2")
        }
        #expect(bench.value == nil)
        #expect(bench.takeEvents() == [])
        #expect(bench.reasons() == [])
    }

    // MARK: Rhythm

    @Test("a source that reports regularly has an interval, whatever its outliers")
    func interval() throws {
        var bench = Bench(try .reading())
        for _ in 0..<3 {
            bench.send("t", "1")
            bench.wait(10)
        }
        #expect(bench.readings.interval(0) == nil)
        bench.send("t", "1")
        #expect(bench.readings.interval(0) == .seconds(10))
        bench.wait(0.1)
        bench.send("t", "1")
        #expect(bench.readings.interval(0) == .seconds(10))
        bench.wait(120)
        bench.send("t", "1")
        #expect(bench.readings.interval(0) == .seconds(10))
        for _ in 0..<5 {
            bench.wait(2)
            bench.send("t", "1")
        }
        #expect(bench.readings.interval(0) == .seconds(2))
    }

    @Test("a source that reports when it likes has none")
    func noInterval() throws {
        var bench = Bench(try .reading())
        for gap in [1.0, 40, 3, 300, 2, 90, 5] {
            bench.send("t", "1")
            bench.wait(gap)
        }
        #expect(bench.readings.interval(0) == nil)
    }

    @Test("retained messages and no data are no reports")
    func noReports() throws {
        var bench = Bench(try .reading())
        for _ in 0..<5 {
            bench.send("t", "\(bench.now.uptime.inSeconds)", retained: true)
            bench.send("t", "null")
            bench.wait(10)
        }
        #expect(bench.readings.interval(0) == nil)
        #expect(bench.readings.lastFresh(0) == nil)
    }
}
