/// Draws a flow for a terminal: solar, house and grid side by side, and the battery below.
public struct FlowPicture: Sendable {
    /// Whether to use the terminal's colours.
    public var isColored: Bool

    /// Makes a painter.
    public init(isColored: Bool) {
        self.isColored = isColored
    }

    private static let node = 12
    private static let gap = 15

    /// The picture, always as many lines, none of them longer than 66 columns.
    public func lines(_ state: FlowState) -> [String] {
        let solar = state.solar ?? 0
        let grid = state.grid ?? 0
        let battery = state.battery ?? 0
        let indent = String(repeating: " ", count: FlowPicture.node + FlowPicture.gap)
        let level = Figure.text(state.level, unit: "%")
        return [
            title("Solar", .yellow) + blank + title("Home", .cyan) + blank + title("Grid", .magenta),
            value(state.solar) + paint(arrow(solar), .yellow) + value(state.home)
                + paint(arrow(-grid), .magenta) + value(state.grid.map(\.magnitude)),
            indent + paint(Figure.centered(battery == 0 ? "·" : battery > 0 ? "│" : "▲", FlowPicture.node), .green)
                + blank + note(grid > 0 ? "import" : grid < 0 ? "export" : ""),
            indent + paint(Figure.centered(battery == 0 ? "·" : battery > 0 ? "▼" : "│", FlowPicture.node), .green),
            indent + value(state.battery.map(\.magnitude))
                + note(battery > 0 ? "charging" : battery < 0 ? "discharging" : ""),
            indent + title("Battery", .green) + paint(Figure.bar((state.level ?? 0) / 100, 20), .green) + " \(level)",
        ]
    }

    /// What stands above the picture: the recorded date, and how much of the play is over, 0 to 1.
    public static func heading(date: String, progress: Double) -> String {
        "  \(Figure.left(date, 32)) \(Figure.bar(progress, 30))"
    }

    /// The same in words, for one line.
    public static func sentence(_ state: FlowState) -> String {
        func watts(_ number: Double?) -> String { Figure.right(Figure.text(number.map(\.magnitude), unit: "W"), 6) }
        let battery = state.battery ?? 0
        let grid = state.grid ?? 0
        return "solar \(watts(state.solar)), home \(watts(state.home)), "
            + "battery \(watts(state.battery)) \(battery > 0 ? "in " : battery < 0 ? "out" : "   ") "
            + "at \(Figure.right(Figure.text(state.level, unit: "%"), 5)), "
            + "grid \(watts(state.grid))\(grid > 0 ? " import" : grid < 0 ? " export" : "")"
    }

    private var blank: String { String(repeating: " ", count: FlowPicture.gap) }

    private func title(_ text: String, _ color: Color) -> String {
        paint(Figure.centered(text, FlowPicture.node), color)
    }

    private func value(_ number: Double?) -> String {
        Figure.centered(Figure.text(number, unit: "W"), FlowPicture.node)
    }

    private func note(_ text: String) -> String {
        Figure.centered(text, FlowPicture.node)
    }

    /// Rightwards when positive.
    private func arrow(_ rate: Double) -> String {
        let line = String(repeating: rate == 0 ? "·" : "─", count: FlowPicture.gap - 4)
        return rate > 0 ? " \(line)─▶ " : rate < 0 ? " ◀─\(line) " : " ·\(line)· "
    }

    /// The terminal's numbers of the colours (ECMA-48, SGR).
    private enum Color: Int {
        case green = 32
        case yellow = 33
        case magenta = 35
        case cyan = 36
    }

    private func paint(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
