/// A JSON Pointer (RFC 6901), parsed once.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The pointer as it was written.
    public let description: String

    /// Parses a pointer.
    public init(_ text: String) throws(JSONPointerError) {
        description = text
    }
}

/// Why a text is no JSON Pointer.
public struct JSONPointerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that ends in a period, with a suggestion where one can be made.
    public let description: String
}
