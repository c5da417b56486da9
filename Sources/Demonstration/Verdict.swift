public import Widgets

/// The widgets beside the truth.
public struct Verdict: Sendable, Equatable {
    /// One number of the two.
    public struct Row: Sendable, Equatable {
        /// What it is.
        public var name: String
        /// `W`, `%` or `s`.
        public var unit: String
        /// What the widget shows.
        public var widget: Double?
        /// What is true.
        public var truth: Double?
        /// How far apart the two may be.
        public var tolerance: Double

        /// Whether the widget shows the truth.
        public var isRight: Bool {
            guard let widget, let truth else { return widget == nil && truth == nil }
            // The truth has a few decimals, of which a binary difference may be a trace too large.
            return (widget - truth).magnitude <= tolerance + 1e-9
        }
    }

    /// All numbers of a flow, and those of what stands beside it.
    public private(set) var rows: [Row]

    /// Compares a flow.
    public init(widget: FlowState, truth: FlowState) {
        rows = [
            Row(name: "Solar", unit: "W", widget: widget.solar, truth: truth.solar, tolerance: 1),
            Row(name: "Battery", unit: "W", widget: widget.battery, truth: truth.battery, tolerance: 1),
            Row(name: "Level", unit: "%", widget: widget.level, truth: truth.level, tolerance: 1),
            Row(name: "Grid", unit: "W", widget: widget.grid, truth: truth.grid, tolerance: 1),
            // The standby of the inverters, up to 2.7 W, is in the truth and not on the wire.
            Row(name: "Home", unit: "W", widget: widget.home, truth: truth.home, tolerance: 4),
        ]
    }

    /// Compares a progress that shows the battery's level, and must have its rows and its trend.
    public mutating func add(progress content: JSONObject, level: Double?) {
        let isWhole = content["stat_rows"]?.asArray?.isEmpty == false && content["trend"] != nil
        let value = isWhole ? content["value"]?.asNumber : nil
        rows.append(Row(name: "Progress", unit: "%", widget: value.map { $0 * 100 }, truth: level, tolerance: 1))
    }

    /// Compares a countdown with the two moments between which it counts, and must have a text for its end.
    public mutating func add(countdown content: JSONObject, from start: Duration, to end: Duration) {
        let dates = content["expired_text"] == nil ? nil : WidgetDates(content: content)
        let shown = dates.flatMap { dates in dates.start == start ? (dates.end - start) / .seconds(1) : nil }
        rows.append(
            Row(name: "Countdown", unit: "s", widget: shown, truth: (end - start) / .seconds(1), tolerance: 0)
        )
    }

    /// Whether all numbers are right.
    public var isRight: Bool { rows.allSatisfy(\.isRight) }

    /// The numbers as a table of aligned columns.
    public var table: [String] {
        let head = ["slot", "widget", "truth"]
        let cells = rows.map { row in
            [
                row.name,
                Figure.text(row.widget, unit: row.unit, decimals: 0),
                Figure.text(row.truth, unit: row.unit, decimals: 1),
                row.isRight ? "right" : "WRONG",
            ]
        }
        return ([head] + cells).map { row in
            "  " + Figure.left(row[0], 9) + Figure.right(row[1], 9) + Figure.right(row[2], 12)
                + row.dropFirst(3).map { "   \($0)" }.joined()
        }
    }
}
