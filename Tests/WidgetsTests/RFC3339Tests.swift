import Testing
import Widgets

@Suite("RFC 3339 dates")
struct RFC3339Tests {
    @Test(
        "a time is written and read back",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
            (1_078_012_799, "2004-02-28T23:59:59Z"), (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_773_918_015, "2026-03-19T11:00:15Z"), (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ]
    )
    func roundTrip(seconds: Int, text: String) {
        #expect(RFC3339.text(.seconds(seconds)) == text)
        #expect(RFC3339.parse(text) == .seconds(seconds))
    }

    @Test("milliseconds are cut, not rounded into the next second")
    func milliseconds() {
        let time = Duration.seconds(1_773_918_015)
        #expect(RFC3339.text(time, milliseconds: true) == "2026-03-19T11:00:15.000Z")
        #expect(RFC3339.text(time + .milliseconds(7), milliseconds: true) == "2026-03-19T11:00:15.007Z")
        #expect(RFC3339.text(time + .microseconds(999_999), milliseconds: true) == "2026-03-19T11:00:15.999Z")
        #expect(RFC3339.text(time + .microseconds(999_999)) == "2026-03-19T11:00:15Z")
    }

    @Test("a time outside the years 1970 to 9999 is shown as the nearest inside")
    func clamped() {
        #expect(RFC3339.text(.seconds(-1)) == "1970-01-01T00:00:00Z")
        #expect(RFC3339.text(.seconds(253_402_300_800)) == "9999-12-31T23:59:59Z")
    }

    @Test("every day of four centuries is written and read back")
    func everyDay() {
        let wrong = (0..<146_097).first { RFC3339.parse(RFC3339.text(.seconds($0 * 86_400))) != .seconds($0 * 86_400) }
        #expect(wrong == nil)
        #expect(RFC3339.text(.seconds(146_097 * 86_400)) == "2370-01-01T00:00:00Z")
    }

    @Test(
        "offsets, fractions and lower case are understood",
        arguments: [
            ("2026-03-19T12:00:15+01:00", .seconds(1_773_918_015)),
            ("2026-03-19T05:30:15-05:30", .seconds(1_773_918_015)),
            ("2026-03-19t11:00:15z", .seconds(1_773_918_015)), ("2026-03-19T11:00:15-00:00", .seconds(1_773_918_015)),
            ("2026-03-19T11:00:15.25Z", .milliseconds(1_773_918_015_250)),
            ("1970-01-01T00:00:00.0000000019Z", .nanoseconds(1)), ("1970-01-01T00:00:00+00:01", .seconds(-60)),
            ("0000-01-01T00:00:00Z", .seconds(-62_167_219_200)), ("1999-12-31T23:59:59Z", .seconds(946_684_799)),
        ] as [(String, Duration)]
    )
    func parse(text: String, wall: Duration) {
        #expect(RFC3339.parse(text) == wall)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "2026-03-19", "2026-03-19T11:00:15", "2026-03-19 11:00:15Z", "2026-03-19T11:00Z",
            "2026-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z", "2026-03-19T24:00:00Z", "2026-03-19T11:60:00Z", "2026-03-19T11:00:60Z",
            "2026-03-19T11:00:15.Z", "2026-03-19T11:00:15+0100", "2026-03-19T11:00:15+24:00", "2026-03-19T11:00:15ZZ",
            "26-03-19T11:00:15Z", "+2026-03-19T11:00:15Z", "2026-03-19T11:00:15Z\0", "2026-3-19T11:00:15Z",
        ]
    )
    func refused(text: String) {
        #expect(RFC3339.parse(text) == nil)
    }
}
