import EnergyFlow
import Readings
import Testing

/// A reading of a counter at a local time, and the total that must be shown after it.
struct Step: Sendable {
    var day: Int
    var clock: String
    var value: Double?
    var isFresh: Bool
    var total: Double?

    /// The day is counted from 0, the clock is `HH:MM` or `HH:MM:SS`; the value `nil` is the roll at midnight alone.
    init(_ day: Int, _ clock: String, _ value: Double?, retained: Bool = false, shows total: Double?) {
        self.day = day
        self.clock = clock
        self.value = value
        self.isFresh = !retained
        self.total = total
    }

    var sinceMidnight: Duration {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        return .seconds(parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0))
    }

    var uptime: Duration { .seconds(day * 86_400) + sinceMidnight }
}

/// What a counter is told and must show.
struct Story: Sendable, CustomTestStringConvertible {
    var title: String
    var kind: CounterKind
    var limits = CounterLimits.energy
    var steps: [Step]

    var testDescription: String { title }

    /// Plays the story, and checks each step.
    func play() {
        var counter = CounterTotal(kind: kind, limits: limits)
        var day = 0
        for step in steps {
            if step.day > day {
                counter.roll()
                day = step.day
            }
            if let value = step.value {
                counter.receive(
                    value,
                    isFresh: step.isFresh,
                    at: step.uptime,
                    sinceMidnight: step.sinceMidnight
                )
            }
            #expect(isClose(counter.total, step.total), "day \(step.day) \(step.clock): \(counter.total as Any)")
        }
    }
}

/// Equal but for the noise of adding decimal fractions.
func isClose(_ first: Double?, _ second: Double?, within tolerance: Double = 1e-6) -> Bool {
    switch (first, second) {
    case (nil, nil): true
    case (let first?, let second?): abs(first - second) <= tolerance
    default: false
    }
}

@Suite("The total of a counter")
struct CounterTotalTests {
    static let reports: [Story] = [
        Story(
            title: "FR-12: yesterday's figure at dawn is not today's",
            kind: .today,
            steps: [
                Step(0, "23:50", 2.7, shows: 2.7), Step(1, "00:00", nil, shows: 0), Step(1, "05:21", 2.7, shows: 0),
                Step(1, "05:40", 2.7, shows: 0), Step(1, "05:45", 0.0, shows: 0), Step(1, "06:10", 0.1, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-12: a source that did reset at midnight while we were offline",
            kind: .today,
            steps: [
                Step(0, "23:50", 2.7, shows: 2.7), Step(1, "08:00", 0.4, shows: 0.4), Step(1, "08:10", 0.5, shows: 0.5),
            ]
        ),
        Story(
            title: "FR-12: reset while we were offline, and past yesterday's figure by noon",
            kind: .today,
            steps: [
                Step(0, "20:00", 2.7, shows: 2.7), Step(1, "12:00", 5.0, shows: 5.0), Step(1, "12:10", 5.2, shows: 5.2),
            ]
        ),
        Story(
            title: "FR-14: a figure of the day that turns to zero at night stands",
            kind: .today,
            steps: [
                Step(0, "20:40", 12.4, shows: 12.4), Step(0, "21:05", 0, shows: 12.4), Step(0, "23:30", 0, shows: 12.4),
                Step(1, "00:00", nil, shows: 0), Step(1, "06:00", 0, shows: 0), Step(1, "07:00", 0.2, shows: 0.2),
            ]
        ),
        Story(
            title: "FR-14: a lifetime counter that turns to zero at night comes back without its life",
            kind: .lifetime,
            steps: [
                Step(0, "10:00", 8111.3, shows: 0), Step(0, "20:40", 8123.7, shows: 12.4),
                Step(0, "21:05", 0, shows: 12.4), Step(0, "23:30", 0, shows: 12.4), Step(1, "00:00", nil, shows: 0),
                Step(1, "06:00", 8123.7, shows: 0), Step(1, "06:10", 8123.8, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-14: the same with a reading every minute",
            kind: .lifetime,
            steps: [
                Step(0, "20:40", 8123.7, shows: 0), Step(0, "20:41", 0, shows: 0), Step(0, "20:42", 0, shows: 0),
                Step(0, "20:43", 8123.7, shows: 0), Step(0, "20:44", 8123.8, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-15: a retained figure after midnight cannot be dated until it falls",
            kind: .today,
            steps: [
                Step(0, "00:30", 1.2, retained: true, shows: nil), Step(0, "00:40", 1.2, shows: nil),
                Step(0, "02:10", 0, shows: 0), Step(0, "08:00", 0.1, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-15: a retained figure is dated by a fresh one that rises",
            kind: .today,
            steps: [Step(0, "08:30", 1.2, retained: true, shows: nil), Step(0, "08:31", 1.3, shows: 1.3)]
        ),
        Story(
            title: "FR-15: a retained figure is dated by a fresh one in the middle of the day",
            kind: .today,
            steps: [Step(0, "14:00", 7.2, retained: true, shows: nil), Step(0, "14:01", 7.2, shows: 7.2)]
        ),
        Story(
            title: "FR-16: UTC days east of Greenwich",
            kind: .today,
            steps: [
                Step(0, "23:59", 18.0, shows: 18.0), Step(1, "00:30", 18.1, shows: 0.1),
                Step(1, "01:59", 18.3, shows: 0.3), Step(1, "02:01", 0, shows: 0.3), Step(1, "03:00", 0.2, shows: 0.5),
            ]
        ),
        Story(
            title: "FR-16: UTC days west of Greenwich",
            kind: .today,
            steps: [
                Step(0, "19:59", 9.0, shows: 9.0), Step(0, "20:01", 0, shows: 9.0), Step(0, "23:59", 0.4, shows: 9.4),
                Step(1, "00:00", nil, shows: 0), Step(1, "00:10", 0.5, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-17: a reset in the afternoon",
            kind: .today,
            steps: [
                Step(0, "15:29", 7.2, shows: 7.2), Step(0, "15:30", 0, shows: 7.2), Step(0, "18:00", 2.0, shows: 9.2),
            ]
        ),
        Story(
            title: "FR-19: a step down by a large constant",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 25310.4, shows: 0), Step(0, "12:01", 24110.4, shows: 0),
                Step(0, "12:02", 24110.6, shows: 0.2),
            ]
        ),
        Story(
            title: "FR-19: a step down and back",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 25310.4, shows: 0), Step(0, "12:01", 24110.4, shows: 0),
                Step(0, "12:02", 25310.5, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-19: down, counting there, and back: what was counted is paid back before the total goes on",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 25310.4, shows: 0), Step(0, "12:01", 24110.4, shows: 0),
                Step(0, "12:02", 24110.6, shows: 0.2), Step(0, "12:03", 25310.5, shows: 0.2),
                Step(0, "12:04", 25310.6, shows: 0.2), Step(0, "12:05", 25310.7, shows: 0.3),
            ]
        ),
        Story(
            title: "FR-20: a tiny step back",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 215.6, shows: 0), Step(0, "12:01", 215.7, shows: 0.1),
                Step(0, "12:02", 215.6, shows: 0.1), Step(0, "12:03", 215.7, shows: 0.1),
                Step(0, "12:04", 215.8, shows: 0.2),
            ]
        ),
        Story(
            title: "FR-20: a value that is a little smaller after a power cut",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 215.7, shows: 0), Step(0, "12:10", 214.9, shows: 0),
                Step(0, "12:20", 215.0, shows: 0.1), Step(0, "12:50", 215.4, shows: 0.5),
                Step(0, "13:00", 215.6, shows: 0.7),
                Step(0, "13:10", 215.8, shows: 0.9),
            ]
        ),
        Story(
            title: "FR-21: a negative total",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 3461, shows: 0), Step(0, "12:01", -3461, shows: 0), Step(0, "12:02", 3462, shows: 1),
            ]
        ),
        Story(
            title: "FR-25: a spike of a counter is no energy",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 500, shows: 0), Step(0, "12:01", 528, shows: 0), Step(0, "12:02", 500.1, shows: 0.1),
            ]
        ),
        Story(
            title: "FR-34: old records between live ones",
            kind: .today,
            steps: [
                Step(0, "14:00", 8.0, shows: 8.0), Step(0, "14:01", 5.2, shows: 8.0), Step(0, "14:02", 8.1, shows: 8.1),
                Step(0, "14:03", 5.3, shows: 8.1), Step(0, "14:04", 5.4, shows: 8.2),
                Step(0, "14:05", 8.3, shows: 8.3),
            ]
        ),
        Story(
            title: "FR-34: an old record of the early morning",
            kind: .today,
            steps: [
                Step(0, "14:00", 8.0, shows: 8.0), Step(0, "14:01", 0.7, shows: 8.0), Step(0, "14:02", 8.1, shows: 8.1),
            ]
        ),
        Story(
            title: "FR-36: words that are no number",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 10, shows: 0), Step(0, "12:01", .nan, shows: 0), Step(0, "12:02", .infinity, shows: 0),
                Step(0, "12:03", -.infinity, shows: 0), Step(0, "12:04", 1e300, shows: 0),
                Step(0, "12:05", 10.5, shows: 0.5),
            ]
        ),
    ]

    @Test("A field report comes out right", arguments: reports)
    func report(story: Story) {
        story.play()
    }

    static let kindred: [Story] = [
        Story(
            title: "A live figure in the middle of the first day is the source's own",
            kind: .today,
            steps: [Step(0, "13:00", 7.2, shows: 7.2), Step(0, "13:01", 7.3, shows: 7.3)]
        ),
        Story(
            title: "A live figure right after midnight that cannot be today's",
            kind: .today,
            steps: [
                Step(0, "00:00:10", 18.231, shows: 0), Step(0, "05:00", 18.231, shows: 0),
                Step(0, "06:00", 0, shows: 0),
                Step(0, "07:00", 0.4, shows: 0.4),
            ]
        ),
        Story(
            title: "A lifetime counter begins with nothing",
            kind: .lifetime,
            steps: [Step(0, "13:00", 8123.7, shows: 0), Step(0, "13:10", 8124.2, shows: 0.5)]
        ),
        Story(
            title: "A reset at three in the morning",
            kind: .today,
            steps: [
                Step(0, "23:59", 6, shows: 6), Step(1, "01:00", 6.3, shows: 0.3), Step(1, "02:59", 6.9, shows: 0.9),
                Step(1, "03:00", 0, shows: 0.9), Step(1, "04:00", 0.4, shows: 1.3),
            ]
        ),
        Story(
            title: "A reset to a small figure that is not zero",
            kind: .today,
            steps: [
                Step(0, "23:50", 6, shows: 6), Step(1, "00:10", 0.1, shows: 0.1), Step(1, "00:20", 0.2, shows: 0.2),
            ]
        ),
        Story(
            title: "A reset to a small figure after a small day",
            kind: .today,
            steps: [Step(0, "23:55", 0.6, shows: 0.6), Step(1, "00:05", 0.2, shows: 0.2)]
        ),
        Story(
            title: "A reset that is noticed late counts from zero once the next reading goes on from there",
            kind: .today,
            steps: [
                Step(0, "23:59", 12.4, shows: 12.4), Step(1, "00:00", nil, shows: 0), Step(1, "00:01", 0.9, shows: 0),
                Step(1, "00:02", 1.0, shows: 1.0),
            ]
        ),
        Story(
            title: "A lifetime counter that is asleep at zero when we start",
            kind: .lifetime,
            steps: [
                Step(0, "03:00", 0, shows: 0), Step(0, "08:00", 150, shows: 0), Step(0, "08:10", 150.2, shows: 0.2),
            ]
        ),
        Story(
            title: "Two resets a day",
            kind: .today,
            steps: [
                Step(0, "00:10", 0, shows: 0), Step(0, "04:00", 4, shows: 4), Step(0, "08:00", 5, shows: 5),
                Step(0, "08:10", 0, shows: 5), Step(0, "12:00", 5.5, shows: 10.5), Step(0, "12:10", 0, shows: 10.5),
                Step(0, "14:00", 2, shows: 12.5),
            ]
        ),
        Story(
            title: "To zero and back within minutes",
            kind: .today,
            steps: [
                Step(0, "12:00", 5.0, shows: 5.0), Step(0, "12:01", 0, shows: 5.0), Step(0, "12:03", 5.1, shows: 5.1),
                Step(0, "12:04", 5.2, shows: 5.2),
            ]
        ),
        Story(
            title: "To nearly zero, counting there, and back: no energy twice",
            kind: .today,
            steps: [
                Step(0, "12:00", 5.0, shows: 5.0), Step(0, "12:01", 0.1, shows: 5.1), Step(0, "12:02", 0.2, shows: 5.2),
                Step(0, "12:03", 5.1, shows: 5.2), Step(0, "12:05", 5.3, shows: 5.3),
            ]
        ),
        Story(
            title: "A source that restarts at noon counts on from zero",
            kind: .today,
            steps: [
                Step(0, "12:00", 5.0, shows: 5.0), Step(0, "12:01", 0, shows: 5.0), Step(0, "12:30", 0.8, shows: 5.8),
                Step(0, "18:00", 4.8, shows: 9.8), Step(0, "18:10", 5.0, shows: 10.0),
                Step(0, "18:20", 5.2, shows: 10.2),
            ]
        ),
        Story(
            title: "Asleep at zero, then yesterday's figure at dawn, then the new day",
            kind: .today,
            steps: [
                Step(0, "20:40", 12.4, shows: 12.4), Step(0, "21:05", 0, shows: 12.4), Step(0, "23:59", 0, shows: 12.4),
                Step(1, "00:01", 0, shows: 0), Step(1, "05:20", 0, shows: 0), Step(1, "05:21", 12.4, shows: 0),
                Step(1, "05:40", 12.4, shows: 0), Step(1, "05:45", 0, shows: 0), Step(1, "06:10", 0.1, shows: 0.1),
            ]
        ),
        Story(
            title: "The same without a word in the night",
            kind: .today,
            steps: [
                Step(0, "20:40", 12.4, shows: 12.4), Step(0, "21:05", 0, shows: 12.4), Step(1, "00:00", nil, shows: 0),
                Step(1, "05:21", 12.4, shows: 0), Step(1, "05:45", 0, shows: 0), Step(1, "06:10", 0.1, shows: 0.1),
            ]
        ),
        Story(
            title: "A day that climbs past yesterday's figure is not its return",
            kind: .today,
            steps: [
                Step(0, "23:50", 3.0, shows: 3.0), Step(1, "00:05", 0, shows: 0), Step(1, "09:00", 1.0, shows: 1.0),
                Step(1, "10:00", 2.9, shows: 2.9), Step(1, "10:01", 3.0, shows: 3.0), Step(1, "10:02", 3.1, shows: 3.1),
            ]
        ),
        Story(
            title: "A small day after a small day, counted in tenths",
            kind: .today,
            steps: [
                Step(0, "23:50", 0.1, shows: 0.1), Step(1, "05:45", 0, shows: 0), Step(1, "09:00", 0.1, shows: 0.1),
                Step(1, "11:00", 0.2, shows: 0.2),
            ]
        ),
        Story(
            title: "Hours offline, and more than yesterday's figure since",
            kind: .today,
            steps: [
                Step(0, "23:50", 12.4, shows: 12.4), Step(1, "00:05", 0, shows: 0), Step(1, "08:00", 1.0, shows: 1.0),
                Step(1, "16:00", 12.6, shows: 12.6),
            ]
        ),
        Story(
            title: "Offline over a reset in the afternoon",
            kind: .today,
            steps: [Step(0, "15:00", 7.2, shows: 7.2), Step(0, "18:00", 2.0, shows: 9.2)]
        ),
        Story(
            title: "Another meter with a larger figure",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 800, shows: 0), Step(0, "12:10", 801, shows: 1), Step(0, "12:20", 5432, shows: 1),
                Step(0, "12:30", 5432.2, shows: 1.2), Step(0, "12:40", 5432.4, shows: 1.4),
            ]
        ),
        Story(
            title: "Another meter with a smaller figure",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 5432, shows: 0), Step(0, "12:10", 812, shows: 0), Step(0, "12:20", 812.2, shows: 0.2),
            ]
        ),
        Story(
            title: "A new meter that begins near zero",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 5432, shows: 0), Step(0, "12:10", 12, shows: 0), Step(0, "12:20", 12.2, shows: 0.2),
            ]
        ),
        Story(
            title: "A source that loses its count counts on from zero",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 54.3, shows: 0), Step(0, "12:10", 0.1, shows: 0.1), Step(0, "12:20", 0.4, shows: 0.4),
            ]
        ),
        Story(
            title: "A counter that is read once an hour and reported every minute",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 100, shows: 0), Step(0, "12:59", 100, shows: 0), Step(0, "13:00", 111, shows: 0),
                Step(0, "13:01", 111, shows: 11), Step(0, "13:02", 111, shows: 11),
            ]
        ),
        Story(
            title: "Whole kilowatt hours",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 100, shows: 0), Step(0, "12:00:10", 101, shows: 1), Step(0, "12:30", 101, shows: 1),
                Step(0, "12:30:10", 102, shows: 2),
            ]
        ),
        Story(
            title: "A value that repeats, with the noise of floating point",
            kind: .lifetime,
            steps: [
                Step(0, "12:00", 0.1 + 0.2, shows: 0), Step(0, "12:01", 0.3, shows: 0),
                Step(0, "12:02", 0.1 + 0.2, shows: 0), Step(0, "12:03", 0.3, shows: 0),
            ]
        ),
        Story(
            title: "A value that trembles does not creep",
            kind: .lifetime,
            steps: [Step(0, "12:00", 100, shows: 0)]
                + (1...50).flatMap { minute in
                    [
                        Step(0, "12:\(minute < 10 ? "0" : "")\(minute):00", 99.6, shows: 0),
                        Step(0, "12:\(minute < 10 ? "0" : "")\(minute):30", 100, shows: 0),
                    ]
                }
        ),
        Story(
            title: "The rise of a long silence over midnight is nobody's",
            kind: .lifetime,
            steps: [
                Step(0, "23:00", 8008, shows: 0), Step(1, "00:00", nil, shows: 0), Step(1, "07:00", 8009, shows: 0),
                Step(1, "07:10", 8009.5, shows: 0.5),
            ]
        ),
        Story(
            title: "The rise of minutes over midnight is the new day's",
            kind: .lifetime,
            steps: [
                Step(0, "23:55", 8008, shows: 0), Step(1, "00:00", nil, shows: 0), Step(1, "00:05", 8008.1, shows: 0.1),
            ]
        ),
        Story(
            title: "A silence within the day is the day's",
            kind: .lifetime,
            steps: [Step(0, "06:00", 8008, shows: 0), Step(0, "18:00", 8030, shows: 22)]
        ),
        Story(
            title: "Days of silence",
            kind: .today,
            steps: [Step(0, "18:00", 8.0, shows: 8.0), Step(3, "11:00", 8.4, shows: 8.4)]
        ),
        Story(
            title: "A counter of litres has no limits of power",
            kind: .lifetime,
            limits: .unknown,
            steps: [
                Step(0, "12:00", 104_000, shows: 0), Step(0, "12:01", 104_900, shows: 900),
                Step(0, "12:02", 104_899, shows: 900), Step(0, "12:03", 104_901, shows: 901),
                Step(0, "12:04", 0, shows: 901), Step(0, "12:05", 104_902, shows: 902),
            ]
        ),
    ]

    @Test("So does another of its class", arguments: kindred)
    func kindredCase(story: Story) {
        story.play()
    }

    @Test("FR-30: unavailable and back with the same number adds nothing")
    func unavailable() {
        var counter = CounterTotal(kind: .today, limits: .energy)
        counter.receive(5.2, isFresh: true, at: .seconds(0), sinceMidnight: .seconds(43_200))
        counter.unknown()
        #expect(!counter.isPresent)
        counter.receive(5.2, isFresh: true, at: .seconds(60), sinceMidnight: .seconds(43_260))
        #expect(counter.isPresent)
        #expect(counter.total == 5.2)
    }

    @Test("A damaged state is as none")
    func damaged() {
        let now = Moment(uptime: .seconds(5), wall: .seconds(1_800_000_000))
        for state in [
            CounterTotal.State(total: .nan, isKnown: true), CounterTotal.State(total: -1, isKnown: true),
            CounterTotal.State(total: 1, owed: 2, isKnown: true),
            CounterTotal.State(total: 1, isKnown: true, mark: .init(value: .infinity, seen: .zero, risen: .zero)),
        ] {
            let counter = CounterTotal(kind: .today, limits: .energy, restoring: state, at: now, isSameDay: true)
            #expect(counter == CounterTotal(kind: .today, limits: .energy))
        }
    }
}
