/// The widget beside the truth.
public struct Verdict: Sendable, Equatable {
    /// One number of the two.
    public struct Row: Sendable, Equatable {
        /// What it is.
        public var name: String
        /// `W` or `%`.
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

    /// All numbers of a flow.
    public let rows: [Row]

    /// Compares.
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
