import EnergyFlow
import StateStore
import Testing

@Suite("The table of closed days")
struct HistoryTableTests {
    private static func day(_ date: String, _ name: String, _ total: Double) throws -> DayTotals.ClosedDay {
        DayTotals.ClosedDay(day: try #require(LocalDay(date)), name: name, total: total)
    }

    @Test("people get a row a date and a column a reading, aligned")
    func text() throws {
        let table = HistoryTable([
            try Self.day("2026-03-20", "solar", 104.455),
            try Self.day("2026-03-19", "solar", 0),
            try Self.day("2026-03-19", "power.exchange.import", 3.999),
            try Self.day("2026-03-20", "Zähler", 12345.6),
        ])
        #expect(
            table.text == """
                date          Zähler  power.exchange.import   solar
                2026-03-19         –                   4.00    0.00
                2026-03-20  12345.60                      –  104.46

                """
        )
    }

    @Test("without days there is the header only")
    func empty() {
        #expect(HistoryTable([]).text == "")
        #expect(HistoryTable([]).csv == "date,reading,total\r\n")
    }

    @Test("a control character in a name does not reach the terminal")
    func control() throws {
        #expect(
            HistoryTable([try Self.day("2026-03-19", "a\u{1B}[31m\nb", 1)]).text
                == "date        a?[31m?b\n2026-03-19      1.00\n"
        )
    }

    @Test("machines get a line a total, quoted where RFC 4180 asks for it")
    func csv() throws {
        let table = HistoryTable([
            try Self.day("2026-03-20", "solar", 0.1 + 0.2),
            try Self.day("2026-03-19", "a,b", 1),
            try Self.day("2026-03-19", "say \"watt\"", 12.3456789),
            try Self.day("2026-03-19", "two\nlines", 1e300),
            try Self.day("2026-03-19", "wet\r", .greatestFiniteMagnitude),
        ])
        #expect(
            table.csv
                == [
                    "date,reading,total",
                    "2026-03-19,\"a,b\",1.0",
                    "2026-03-19,\"say \"\"watt\"\"\",12.345679",
                    "2026-03-19,\"two\nlines\",1e+300",
                    "2026-03-19,\"wet\r\",1.7976931348623157e+308",
                    "2026-03-20,solar,0.3",
                    "",
                ].joined(separator: "\r\n")
        )
    }

    @Test("amounts too large for two decimals are shown as they are")
    func large() throws {
        #expect(HistoryTable([try Self.day("2026-03-19", "a", 1e300)]).text.hasSuffix("  1e+300\n"))
    }
}
