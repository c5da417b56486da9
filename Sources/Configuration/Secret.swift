/// A password or key. It prints as `•••` wherever it turns up.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret itself, for the one call that needs it.
    public let exposed: String

    /// Wraps a secret.
    public init(_ text: String) {
        exposed = text
    }

    /// `•••`.
    public var description: String { "•••" }
    /// `•••`.
    public var debugDescription: String { "•••" }
    /// A mirror without members: `dump` and crash reports walk mirrors.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether it has the form of an integration key of the widget service: `hlk_` and 32 letters or digits.
    public var looksLikeServiceKey: Bool {
        let digits = exposed.utf8.dropFirst(4)
        return exposed.utf8.starts(with: "hlk_".utf8) && digits.count == 32
            && digits.allSatisfy(\.isASCIIAlphanumeric)
    }
}
