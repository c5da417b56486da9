/// A JSON Pointer (RFC 6901), parsed once.
public struct JSONPointer: Sendable, CustomStringConvertible {
    /// The pointer as it was written.
    public let description: String

    /// The reference tokens, unescaped. Empty for the pointer to the whole document.
    let tokens: [[UInt8]]

    /// Parses a pointer.
    ///
    /// Fails if it is not empty and does not begin with `/`, or if a `~` is not followed by `0` or `1`.
    public init(_ text: String) throws(JSONPointerError) {
        description = text
        guard let first = text.utf8.first else {
            tokens = []
            return
        }
        guard first == UInt8(ascii: "/") else {
            throw JSONPointerError(
                description: "The path '\(text)' does not begin with '/': write '\(Self.suggestion(for: text))'."
            )
        }
        var tokens: [[UInt8]] = []
        for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let token = Self.unescaped(part) else {
                throw JSONPointerError(
                    description: "In the path '\(text)' a '~' must be followed by 0 (for '~') or 1 (for '/')."
                )
            }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    private static func unescaped(_ part: Substring.UTF8View.SubSequence) -> [UInt8]? {
        var token: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                token.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return token
    }
}

extension JSONPointer: Hashable {
    /// Equal if written with the same bytes: JSON keys are bytes, and `==` on `String` folds NFC and NFD together.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(utf8: description)
    }
}

/// Why a text is no JSON Pointer.
public struct JSONPointerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that ends in a period, with a suggestion where one can be made.
    public let description: String
}
