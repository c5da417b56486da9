/// What physically happened in the last minute of a recorded day.
public struct Truth: Sendable, Equatable {
    /// The numbers.
    public let state: FlowState

    /// Why a text is no truth.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// A sentence that ends in a period.
        public let description: String
    }

    /// Reads the last row of a table of comma-separated values whose first row names the columns.
    public init(table: String) throws(Failure) {
        let rows = table.split(whereSeparator: \.isNewline)
        guard rows.count > 1, let header = rows.first, let last = rows.last else {
            throw Failure(description: "The truth has no rows.")
        }
        let names = header.split(separator: ",", omittingEmptySubsequences: false)
        let fields = last.split(separator: ",", omittingEmptySubsequences: false)
        func number(_ name: String) throws(Failure) -> Double {
            guard let column = names.firstIndex(where: { $0 == name }), fields.indices.contains(column),
                let number = Double(fields[column]), number.isFinite
            else { throw Failure(description: "The truth's last row has no number in the column '\(name)'.") }
            return number
        }
        state = FlowState(
            // At night the inverters take a little, which no system reports: then the panels give nothing.
            solar: max(try number("solar_w"), 0),
            home: try number("house_w"),
            battery: try number("battery_w_charging_positive"),
            level: try number("soc_pct"),
            grid: try number("grid_w_import_positive")
        )
    }
}
