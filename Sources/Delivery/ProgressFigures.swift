import Widgets

/// The figures of a progress' content: what changes from minute to minute.
struct ProgressFigures: Equatable {
    /// The fraction, 0...1.
    var value: Double
    /// The values of the rows that are known.
    var rows: [JSONValue]
    /// All that is not a figure. Of a row it is that it is there, and whether its value is known.
    var rest: JSONObject

    /// Takes a content apart; `nil` when it is no progress with a value.
    init?(_ content: JSONObject) {
        guard content["template"] == "progress", let value = content["value"]?.asNumber else { return nil }
        self.value = value
        rest = content
        rest["value"] = nil
        guard let rows = content["stat_rows"]?.asArray else {
            self.rows = []
            return
        }
        let values = rows.map { $0.asObject?["value"] }
        self.rows = values.compactMap(\.self)
        rest["stat_rows"] = .array(
            zip(rows, values).map { row, value in
                guard value != StatRow.unknown, case .object(var members) = row else { return row }
                members["value"] = nil
                return .object(members)
            }
        )
    }
}
