public import Widgets

/// The widgets beside the truth.
public struct Verdict: Sendable, Equatable {
    /// One number of the two.
    public struct Row: Sendable, Equatable {
        /// What it is.
        public var name: String
        /// `W`, `kW`, `%` or `s`.
        public var unit: String
        /// What the widget shows.
        public var widget: Double?
        /// What is true.
        public var truth: Double?
        /// How far apart the two may be.
        public var tolerance: Double
        /// How many decimals the widget shows, 0 or 1.
        public var decimals = 0

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

    /// Compares a progress that shows the battery's level, and must have its trend and rows for sun and grid in kW.
    public mutating func add(progress content: JSONObject, truth: FlowState) {
        let value = content["trend"] == nil ? nil : content["value"]?.asNumber
        rows.append(Row(name: "Progress", unit: "%", widget: value.map { $0 * 100 }, truth: truth.level, tolerance: 1))
        let shown = content["stat_rows"]?.asArray?.compactMap(\.asObject) ?? []
        for (label, watts) in [("Solar", truth.solar), ("Grid", truth.grid)] {
            let row = shown.first { $0["label"]?.asString == label && $0["unit"]?.asString == "kW" }
            let number = row?["value"]?.asString.flatMap { Double($0) }
            // With one decimal a row is up to 50 W off, and what it rests on up to 1 W.
            rows.append(
                Row(
                    name: "\(label) row",
                    unit: "kW",
                    widget: number,
                    truth: watts.map { $0 / 1000 },
                    tolerance: 0.051,
                    decimals: 1
                )
            )
        }
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
                Figure.text(row.widget, unit: row.unit, decimals: row.decimals),
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
