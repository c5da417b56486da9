/// A widget's name in request paths: `^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$`.
public struct Slug: Sendable, Hashable, CustomStringConvertible {
    /// The slug as it stands in paths; its alphabet needs no escaping.
    public let description: String

    /// Makes a slug, or `nil` when the text does not fit the pattern.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= 128, Slug.isAlphanumeric(first),
            bytes.allSatisfy({ Slug.isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
        else { return nil }
        description = text
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
