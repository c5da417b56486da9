/// Lines for a terminal of limited width.
public enum TerminalLine {
    /// The beginning of a line that fits into so many columns; its colours count for nothing, and end with it.
    public static func cut(_ line: String, to columns: Int) -> String {
        var result = ""
        var used = 0
        var isColor = false
        for character in line {
            if character == "\u{1B}" { isColor = true }
            if !isColor {
                guard used < columns else { continue }
                used += 1
            } else if character == "m" {
                isColor = false
            }
            result.append(character)
        }
        return result
    }
}
