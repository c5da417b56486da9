/// Numbers and texts in columns.
enum Figure {
    /// A number with its unit and 0 or 1 decimals; a dash when it is not known.
    static func text(_ number: Double?, unit: String, decimals: Int = 0) -> String {
        guard let number, number.magnitude < 1e15 else { return "–" }
        let tenths = Int64((number * (decimals == 0 ? 1 : 10)).rounded(.toNearestOrAwayFromZero))
        let sign = tenths < 0 ? "−" : ""
        let digits = decimals == 0 ? "\(tenths.magnitude)" : "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
        return "\(sign)\(digits) \(unit)"
    }

    /// A text with blanks after it.
    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    /// A text with blanks before it.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// A text between blanks.
    static func centered(_ text: String, _ width: Int) -> String {
        let blanks = max(width - text.count, 0)
        return left(right(text, text.count + blanks / 2), width)
    }

    /// A bar that is full at 1.
    static func bar(_ fraction: Double, _ width: Int) -> String {
        let full = Int((min(max(fraction, 0), 1) * Double(width)).rounded())
        return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    }
}
