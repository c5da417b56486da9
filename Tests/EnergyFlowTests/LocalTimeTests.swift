import EnergyFlow
import Testing
import TimeZones

@Suite("Local times")
struct LocalTimeTests {
    /// A point in time written `2026-03-29 01:30`, in UTC.
    private static func utc(_ text: String) throws -> Duration {
        let parts = text.split(whereSeparator: " :".contains)
        let (hour, minute) = (try #require(Int(parts[1])), try #require(Int(parts[2])))
        return .seconds(try shown(String(parts[0]), hour, minute))
    }

    /// The seconds since 1970 that clocks show at a date and time.
    private static func shown(_ day: String, _ hour: Int, _ minute: Int) throws -> Int {
        try #require(LocalDay(day)).number * 86_400 + hour * 3600 + minute * 60
    }

    @Test(
        "are instants by the zone's offset of that day",
        arguments: [
            ("Europe/Berlin", "2026-01-15", 12, 0, 11 * 60),
            ("Europe/Berlin", "2026-07-15", 12, 0, 10 * 60),
            // The clocks go from 02:00 to 03:00: 02:30 is not shown, and an hour and a half after midnight it is 03:30.
            ("Europe/Berlin", "2026-03-29", 1, 59, 59),
            ("Europe/Berlin", "2026-03-29", 2, 30, 90),
            ("Europe/Berlin", "2026-03-29", 3, 0, 60),
            // They go from 03:00 to 02:00: 02:30 is shown twice, and the first is meant.
            ("Europe/Berlin", "2026-10-25", 2, 30, 30),
            ("Europe/Berlin", "2026-10-25", 3, 0, 120),
            ("America/New_York", "2026-03-08", 2, 30, 7 * 60 + 30),
            ("America/Havana", "2026-11-01", 0, 30, 4 * 60 + 30),
            ("UTC", "2026-11-01", 0, 30, 30),
        ] as [(String, String, Int, Int, Int)]
    )
    func instants(zone: String, day: String, hour: Int, minute: Int, minutesUTC: Int) throws {
        let calendar = try LocalCalendar(zone: zone)
        let expected = try Self.shown(day, 0, 0) + minutesUTC * 60
        #expect(calendar.instant(ofLocal: try Self.shown(day, hour, minute)) == expected)
    }

    @Test(
        "round trip through every hour of two years in zones with odd changes",
        arguments: ["Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe"]
    )
    func roundTrip(zone: String) throws {
        let calendar = try LocalCalendar(zone: zone)
        var last = 0
        for shown in stride(from: try Self.shown("2025-06-01", 0, 0), to: try Self.shown("2027-06-01", 0, 0), by: 1800)
        {
            let instant = calendar.instant(ofLocal: shown)
            #expect(calendar.day(of: .seconds(instant)).number - shown / 86_400 <= 1)
            // Times may be skipped, and then stand where an hour later does; they never go back by more.
            #expect(instant >= last - 3600)
            last = instant
        }
    }

    @Test("of the day come round once a day, also when the clocks change")
    func daily() throws {
        let berlin = try LocalCalendar(zone: "Europe/Berlin")
        let time = try #require(TimeOfDay(hour: 2, minute: 30))
        var wall = Duration.seconds(try Self.shown("2026-03-27", 12, 0))
        var halves: [Int] = []
        for _ in 0..<4 {
            let next = berlin.next(time, after: wall)
            halves.append(Int((next - wall).components.seconds) / 1800)
            wall = next
        }
        // From noon UTC to 01:30 UTC, then a day each; the day of the change shows no 02:30, and 03:30 stands for it.
        #expect(halves == [27, 48, 46, 48])
    }

    @Test(
        "bound a window each day, but for one that the clocks skip",
        arguments: [
            // In summer, and in the middle of one; one that begins in the evening.
            ((14, 0), (15, 0), "2026-07-01 12:30", "2026-07-01 12:00", "2026-07-01 13:00"),
            ((22, 0), (6, 0), "2026-07-01 12:30", "2026-06-30 20:00", "2026-07-01 04:00"),
            ((22, 0), (22, 0), "2026-07-01 12:30", "2026-06-30 20:00", "2026-07-01 20:00"),
            // On the day of the spring change 02:30 stands where 03:30 does.
            ((2, 30), (3, 0), "2026-03-29 01:30", "2026-03-28 01:30", "2026-03-28 02:00"),
            ((2, 30), (3, 0), "2026-03-29 22:00", "2026-03-28 01:30", "2026-03-28 02:00"),
            ((2, 30), (3, 0), "2026-03-30 00:30", "2026-03-30 00:30", "2026-03-30 01:00"),
            ((2, 30), (3, 45), "2026-03-29 22:00", "2026-03-29 01:30", "2026-03-29 01:45"),
            ((2, 30), (3, 30), "2026-03-29 22:00", "2026-03-28 01:30", "2026-03-28 02:30"),
            ((2, 0), (2, 30), "2026-03-29 22:00", "2026-03-29 01:00", "2026-03-29 01:30"),
            ((2, 30), (2, 0), "2026-03-29 22:00", "2026-03-29 01:30", "2026-03-30 00:00"),
            // In autumn 02:30 comes twice, and the first counts.
            ((2, 30), (3, 0), "2026-10-25 22:00", "2026-10-25 00:30", "2026-10-25 02:00"),
        ] as [((Int, Int), (Int, Int), String, String, String)]
    )
    func window(start: (Int, Int), end: (Int, Int), wall: String, begins: String, ends: String) throws {
        let window = try LocalCalendar(zone: "Europe/Berlin").lastWindow(
            from: try #require(TimeOfDay(hour: start.0, minute: start.1)),
            to: try #require(TimeOfDay(hour: end.0, minute: end.1)),
            begunBy: try Self.utc(wall)
        )
        #expect(try window.lowerBound == Self.utc(begins))
        #expect(try window.upperBound == Self.utc(ends))
    }

    @Test("are written with two digits each", arguments: [(0, 5, "00:05"), (22, 0, "22:00"), (9, 30, "09:30")])
    func text(hour: Int, minute: Int, expected: String) {
        #expect(TimeOfDay(hour: hour, minute: minute)?.description == expected)
    }

    @Test("do not exist beyond the day", arguments: [(24, 0), (0, 60), (-1, 0)])
    func none(hour: Int, minute: Int) {
        #expect(TimeOfDay(hour: hour, minute: minute) == nil)
    }
}
