import EnergyFlow
import Testing

@Suite("Dates")
struct LocalDayTests {
    @Test(
        "A date is written and read as ISO 8601 has it",
        arguments: [
            ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-03-29", 20_541),
            ("9999-12-31", 2_932_896),
        ]
    )
    func text(text: String, number: Int) throws {
        let day = try #require(LocalDay(text))
        #expect(day.number == number)
        #expect(day.description == text)
        #expect(LocalDay(year: day.year, month: day.month, day: day.day) == day)
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-01", "26-01-01", "2026-01-01 ",
            "2026/01/01",
            "+026-01-01", "2026-01-32", "0000-01-01", "２026-01-0",
        ]
    )
    func noDate(text: String) {
        #expect(LocalDay(text) == nil)
    }
}
