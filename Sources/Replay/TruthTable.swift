/// What really flowed in a recorded time, row by row: each holds until the next.
public struct TruthTable: Sendable, Equatable {
    /// What flowed from a moment on.
    public struct Row: Sendable, Equatable {
        /// Since 1970-01-01T00:00:00Z.
        public var at: Duration
        /// In W.
        public var power: PowerBySlot

        /// Makes a row.
        public init(at: Duration, power: PowerBySlot) {
            self.at = at
            self.power = power
        }
    }

    /// The rows, each later than the one before; at least two.
    public let rows: [Row]

    /// When the last row ends: it holds for as long as the one before it did.
    public var end: Duration {
        let last = rows[rows.count - 1].at
        return last + (last - rows[rows.count - 2].at)
    }

    /// The largest magnitude of each slot.
    public var peak: PowerBySlot {
        rows.reduce(.zero) { $0.larger($1.power.distance(to: .zero)) }
    }

    /// Makes a table of rows; `nil` unless there are two or more, each later than the one before.
    public init?(rows: [Row]) {
        guard rows.count > 1, zip(rows, rows.dropFirst()).allSatisfy({ $0.at < $1.at }) else { return nil }
        self.rows = rows
    }

    /// The columns that are read, in this order; others may stand between and after them.
    private static let columns = [
        "unix", "solar_w", "battery_w_charging_positive", "grid_w_import_positive", "house_w",
    ]

    /// Reads comma-separated values whose first line names the columns.
    public init(csv text: String) throws(TruthError) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).makeIterator()
        let names = TruthTable.fields(lines.next())
        var positions: [Int] = []
        for column in TruthTable.columns {
            guard let position = names.firstIndex(of: column) else {
                throw TruthError(line: 1, description: "The truth's first line names no column '\(column)'.")
            }
            positions.append(position)
        }
        var rows: [Row] = []
        var line = 1
        while let next = lines.next() {
            line += 1
            let fields = TruthTable.fields(next)
            if fields == [""] { continue }
            let row = try TruthTable.row(fields, positions, line: line)
            if let last = rows.last, last.at >= row.at {
                throw TruthError(
                    line: line,
                    description: "Line \(line) of the truth is not later than the one before it."
                )
            }
            rows.append(row)
        }
        guard let table = TruthTable(rows: rows) else {
            throw TruthError(line: line, description: "The truth needs two rows at least.")
        }
        self = table
    }

    private static func fields(_ line: Substring.UTF8View?) -> [String] {
        guard var line else { return [] }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    private static func row(_ fields: [String], _ positions: [Int], line: Int) throws(TruthError) -> Row {
        var numbers: [Double] = []
        for (column, position) in zip(columns, positions) {
            // A span of time beyond this does not fit a `Duration`; no power comes near it.
            guard fields.indices.contains(position), let number = Double(fields[position]), number.magnitude < 1e12
            else {
                throw TruthError(
                    line: line,
                    description: "Line \(line) of the truth has no number in the column '\(column)'."
                )
            }
            numbers.append(number)
        }
        return Row(
            at: .seconds(numbers[0]),
            power: PowerBySlot(input: numbers[1], storage: numbers[2], exchange: numbers[3], output: numbers[4])
        )
    }
}

/// A truth that cannot be read.
public struct TruthError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// A sentence that ends in a period.
    public let description: String
}
