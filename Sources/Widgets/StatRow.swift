/// A row's label: 1...32.
public enum RowLabelBound: TextBound {
    /// 32 code points.
    public static let limit = 32
    /// A label is required.
    public static let refusesEmpty = true
}

/// A row's unit: up to 16.
public enum RowUnitBound: TextBound {
    /// 16 code points.
    public static let limit = 16
    /// It may be empty.
    public static let refusesEmpty = false
}

/// One of up to six rows beside a progress bar: how a number becomes the text that the service wants there.
public struct StatRow: Sendable, Equatable {
    /// The service takes no more.
    public static let limit = 6

    /// What stands before the value.
    public var label: BoundedText<RowLabelBound>
    /// What stands behind it.
    public var unit: BoundedText<RowUnitBound>?
    /// What the number is multiplied by for this unit: 0.001 from W to kW.
    public var factor: Double
    /// Decimals, 0...6; `nil` for 2 below 10, 1 below 100, else none.
    public var decimals: Int?

    /// Makes a row.
    public init(
        label: BoundedText<RowLabelBound>,
        unit: BoundedText<RowUnitBound>? = nil,
        factor: Double = 1,
        decimals: Int? = nil
    ) {
        self.label = label
        self.unit = unit
        self.factor = factor
        self.decimals = decimals
    }

    /// The value as text, of at most 32 characters; a dash when it is not known: rows must not change places.
    public func text(_ value: Double?) -> String {
        guard let value, value.isFinite else { return StatRow.dash }
        let shown = value * factor
        let decimals = decimals ?? (shown.magnitude < 9.995 ? 2 : shown.magnitude < 99.95 ? 1 : 0)
        // Twenty digits are more than any home counts, and the service takes 32 characters.
        guard shown.magnitude < 1e15 else { return StatRow.dash }
        return StatRow.fixed(shown, decimals: decimals)
    }

    /// The value of a row of which nothing is known.
    public static let unknown = JSONValue.string(dash)

    private static let dash = "\u{2013}"

    /// Always with so many decimals: a text that changes its length jumps about.
    private static func fixed(_ value: Double, decimals: Int) -> String {
        let value = rounded(value, decimals: decimals)
        var steps: Int64 = 1
        for _ in 0..<decimals { steps *= 10 }
        let whole = Int64(value.magnitude.rounded(.down))
        let sign = value < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let part = Int64(((value.magnitude - Double(whole)) * Double(steps)).rounded())
        // What rounds up to a whole here was rounded to it already.
        let digits = String(min(part, steps - 1))
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - digits.utf8.count))\(digits)"
    }

    func json(_ value: Double?) -> JSONValue {
        var row: JSONObject = ["label": .string(label.text), "value": .string(text(value))]
        row["unit"] = unit.map { .string($0.text) }
        return .object(row)
    }
}
