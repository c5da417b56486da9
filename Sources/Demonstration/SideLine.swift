public import Widgets

/// One line for a widget that stands beside the flow: what a phone would show of a progress or a countdown, which both move
/// by themselves.
public struct SideLine: Sendable, Equatable {
    /// The widget's content; empty before it is created.
    public var content: JSONObject
    /// How many patches it has taken.
    public var patches: Int

    /// Makes a line.
    public init(content: JSONObject = [:], patches: Int = 0) {
        self.content = content
        self.patches = patches
    }

    /// The line, of 80 columns at most.
    /// - Parameter wall: what the phone's clock shows.
    public func text(at wall: Duration) -> String {
        let label = Figure.left(content["label"]?.asString ?? "", 11)
        let count = "\(patches) \(patches == 1 ? "patch" : "patches")"
        return "  \(label) \(Figure.left(figure(at: wall), 54)) \(Figure.right(count, 11))"
    }

    /// The same in words, as it stands when an update comes.
    public func sentence(at wall: Duration) -> String {
        let label = content["label"]?.asString ?? ""
        switch content["template"]?.asString {
        case "progress":
            return "\(label) \(percent(at: wall))\(trend.map { ", \($0)" } ?? "")\(rows.map { ", \($0)" }.joined())"
        case "countdown": return "\(label) \(timeLeft(at: wall))"
        default: return label
        }
    }

    private func figure(at wall: Duration) -> String {
        switch content["template"]?.asString {
        case "progress":
            let arrows = ["up": "▲", "down": "▼", "flat": "─"]
            let arrow = trend.flatMap { arrows[$0] } ?? " "
            let rows = rows.map { "   \($0)" }.joined()
            return "\(Figure.bar(fraction(at: wall) ?? 0, 10)) \(Figure.right(percent(at: wall), 5)) \(arrow)\(rows)"
        case "countdown":
            return timeLeft(at: wall)
        default:
            return "–"
        }
    }

    /// With both dates the phone prefers them.
    private func fraction(at wall: Duration) -> Double? {
        WidgetDates(content: content)?.elapsed(at: wall) ?? content["value"]?.asNumber
    }

    private func percent(at wall: Duration) -> String {
        Figure.text(fraction(at: wall).map { $0 * 100 }, unit: "%")
    }

    private var trend: String? { content["trend"]?.asString }

    private var rows: [String] {
        (content["stat_rows"]?.asArray ?? []).compactMap(\.asObject).map { row in
            ["label", "value", "unit"].compactMap { row[$0]?.asString }.joined(separator: " ")
        }
    }

    /// Down to the end, and then the text in its place, or up from it.
    private func timeLeft(at wall: Duration) -> String {
        guard let end = WidgetDates(content: content)?.end else { return "–" }
        let left = (end - wall).components.seconds
        if end <= wall, let text = content["expired_text"]?.asString { return text }
        let seconds = left.magnitude
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(end > wall ? "in " : "")\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
