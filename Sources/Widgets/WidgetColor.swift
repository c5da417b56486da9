/// A colour that the service accepts: one of its names, or `#RRGGBB[AA]`.
public struct WidgetColor: Sendable, Hashable {
    /// As sent: lower-case name, or `#` and upper-case digits.
    public let text: String

    /// The names that the service knows.
    public static let names = [
        "red", "orange", "yellow", "green", "blue", "purple", "pink", "indigo", "teal", "cyan", "mint", "brown",
    ]

    /// Reads a colour name in any case, or 6 or 8 hex digits with or without `#`. Three digits are refused.
    public init?(_ text: String) {
        let lowered = text.lowercased()
        if WidgetColor.names.contains(lowered) {
            self.text = lowered
            return
        }
        let digits = text.utf8.first == UInt8(ascii: "#") ? text.utf8.dropFirst() : text.utf8[...]
        guard digits.count == 6 || digits.count == 8, digits.allSatisfy(WidgetColor.isHexDigit) else { return nil }
        self.text = "#" + String(decoding: digits, as: UTF8.self).uppercased()
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
