public import EnergyFlow

/// Closed days as text: a table for people, or CSV for machines.
public struct HistoryTable: Sendable, Equatable {
    private let days: [DayTotals.ClosedDay]

    /// Makes a table of days in any order.
    public init(_ days: [DayTotals.ClosedDay]) {
        self.days = days.sorted {
            $0.day == $1.day ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) : $0.day < $1.day
        }
    }

    /// A row a date, the oldest first, and a column a reading, with two decimals, `–` where there is no total. Without
    /// days there is nothing, not even a head.
    public var text: String {
        guard !days.isEmpty else { return "" }
        let names = columnNames
        var dates: [LocalDay] = []
        var cells: [[String]] = []
        for day in days {
            if dates.last != day.day {
                dates.append(day.day)
                cells.append([day.day.description] + names.map { _ in "–" })
            }
            if let column = names.firstIndex(where: { $0.utf8.elementsEqual(day.name.utf8) }) {
                cells[cells.count - 1][column + 1] = Self.withTwoDecimals(day.total)
            }
        }
        cells.insert(["date"] + names.map(Self.printable), at: 0)
        let widths = cells[0].indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }
            .joined(separator: "  ") + "\n"
        }
        .joined()
    }

    /// `date,reading,total`, a line a total, after RFC 4180: lines end with CR LF, and names are quoted where they must be.
    ///
    /// Totals have up to six decimals.
    public var csv: String {
        let lines = days.map { day in
            let total = (day.total * 1e6).rounded() / 1e6
            return "\(day.day),\(Self.quoted(day.name)),\(total.isFinite ? total : day.total)\r\n"
        }
        return "date,reading,total\r\n" + lines.joined()
    }

    /// Told apart by their bytes, and in their order.
    private var columnNames: [String] {
        var names: [String] = []
        let sorted = days.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in sorted where names.last?.utf8.elementsEqual(name.utf8) != true {
            names.append(name)
        }
        return names
    }

    /// A name may hold anything; a line feed in it must not break the table, nor an escape sequence colour the terminal.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 })
        )
    }

    private static func quoted(_ name: String) -> String {
        let special = [",", "\"", "\r", "\n"].map { UInt8(ascii: $0) }
        guard name.utf8.contains(where: special.contains) else { return name }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in name.utf8 {
            if byte == UInt8(ascii: "\"") { quoted.append(byte) }
            quoted.append(byte)
        }
        return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    private static func withTwoDecimals(_ number: Double) -> String {
        // Beyond this a number has no such decimals, nor would it fit.
        guard number.magnitude < 1e15 else { return "\(number)" }
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
