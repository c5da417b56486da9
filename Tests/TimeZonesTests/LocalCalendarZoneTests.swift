import EnergyFlow
import Testing
import TimeZones

/// UTC seconds of a civil date and time.
private func utc(_ day: String, _ hour: Int = 0, _ minute: Int = 0) throws -> Duration {
    let day = try #require(LocalDay(day))
    return .seconds(day.number * 86_400 + hour * 3600 + minute * 60)
}

@Suite("Local calendars from the time zone database")
struct LocalCalendarZoneTests {
    /// The zone, the date, the UTC instant of its first moment, and its length in minutes.
    static let days: [(zone: String, date: String, utcDay: String, hour: Int, minute: Int, length: Int)] = [
        ("Europe/Berlin", "2026-03-29", "2026-03-28", 23, 0, 23 * 60),
        ("Europe/Berlin", "2026-10-25", "2026-10-24", 22, 0, 25 * 60),
        ("Europe/Berlin", "2026-07-01", "2026-06-30", 22, 0, 24 * 60),
        ("America/New_York", "2026-03-08", "2026-03-08", 5, 0, 23 * 60),
        ("America/New_York", "2026-11-01", "2026-11-01", 4, 0, 25 * 60),
        ("Africa/Cairo", "2026-04-24", "2026-04-23", 22, 0, 23 * 60),
        ("Asia/Beirut", "2026-03-29", "2026-03-28", 22, 0, 23 * 60),
        ("America/Santiago", "2026-09-06", "2026-09-06", 4, 0, 23 * 60),
        ("America/Havana", "2026-03-08", "2026-03-08", 5, 0, 23 * 60),
        ("America/Havana", "2026-11-01", "2026-11-01", 4, 0, 25 * 60),
        ("UTC", "2026-03-29", "2026-03-29", 0, 0, 24 * 60),
        ("Asia/Kathmandu", "2026-03-29", "2026-03-28", 18, 15, 24 * 60),
        ("Pacific/Apia", "2011-12-29", "2011-12-29", 10, 0, 24 * 60),
        ("Pacific/Apia", "2011-12-31", "2011-12-30", 10, 0, 24 * 60),
    ]

    @Test("A day begins and ends where its zone says", arguments: days)
    func day(zone: String, date: String, utcDay: String, hour: Int, minute: Int, length: Int) throws {
        let calendar = try LocalCalendar(zone: zone)
        let start = try utc(utcDay, hour, minute)
        let end = start + .seconds(length * 60)
        let day = try #require(LocalDay(date))
        #expect(calendar.day(of: start) == day)
        #expect(calendar.day(of: end - .nanoseconds(1)) == day)
        #expect(calendar.day(of: start - .nanoseconds(1)) < day)
        #expect(calendar.day(of: end) > day)
        #expect(calendar.nextMidnight(after: start - .nanoseconds(1)) == start)
        #expect(calendar.nextMidnight(after: start) == end)
        for minute in stride(from: 0, to: length, by: 7) {
            let wall = start + .seconds(minute * 60)
            #expect(calendar.nextMidnight(after: wall) == end)
            #expect(calendar.startOfDay(at: wall) == start)
        }
    }

    @Test("The day that Samoa left out does not exist")
    func skippedDay() throws {
        let calendar = try LocalCalendar(zone: "Pacific/Apia")
        let midnight = try utc("2011-12-30", 10)
        #expect(calendar.day(of: midnight - .seconds(1)).description == "2011-12-29")
        #expect(calendar.day(of: midnight).description == "2011-12-31")
    }

    @Test("Summer time is known long ahead")
    func farFuture() throws {
        let calendar = try LocalCalendar(zone: "Europe/Berlin")
        #expect(calendar.nextMidnight(after: try utc("2090-07-01", 12)) == (try utc("2090-07-01", 22)))
        #expect(calendar.nextMidnight(after: try utc("2090-12-01", 12)) == (try utc("2090-12-01", 23)))
    }

    @Test(
        "A name that is no zone is an error, never UTC",
        arguments: [
            "", "Europe/Berlim", "Europe", "../../../etc/passwd", "/etc/localtime", "Europe//Berlin", ":UTC",
            "zone.tab",
            "Europe/Berlin\0", "Europe/Berlin/Mitte",
        ]
    )
    func unknownZone(name: String) {
        #expect(throws: TimeZoneError.self) { try LocalCalendar(zone: name) }
    }

    @Test("The error is a sentence")
    func sentence() {
        let error = #expect(throws: TimeZoneError.self) { try LocalCalendar(zone: "Europe/Berlim") }
        #expect(error?.description.hasPrefix("Time zone 'Europe/Berlim' is not in /") == true)
        #expect(error?.description.hasSuffix(".") == true)
    }
}
