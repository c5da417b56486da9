/// Why a text is not JSON that can be taken.
public struct JSONParseError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with the text.
    public enum Reason: Sendable {
        /// There is nothing but white space.
        case empty
        /// Arrays and objects nest deeper than `JSONValue.maximumDepth`.
        case tooDeep
        /// An object has more members than `JSONValue.maximumMembers`.
        case tooManyMembers
        /// The bytes are not UTF-8.
        case notUTF8
        /// A number breaks the grammar, is beyond a `Double`, or is whole and needs more than 64 bits.
        case badNumber
        /// A string is not closed, or has a raw control character, an unknown escape or half of a surrogate pair.
        case badString
        /// The text is larger than the parser can take, or than there is memory for.
        case tooLarge
        /// Anything else that breaks the grammar, text after the value included.
        case badSyntax
    }

    /// What is wrong with the text.
    public let reason: Reason

    /// Makes an error.
    public init(_ reason: Reason) {
        self.reason = reason
    }

    /// One sentence; the text itself is never in it, for it may hold a secret.
    public var description: String {
        switch reason {
        case .empty: "The JSON text is empty."
        case .tooDeep: "The JSON text nests deeper than \(JSONValue.maximumDepth) levels."
        case .tooManyMembers: "The JSON text has an object of more than \(JSONValue.maximumMembers) members."
        case .notUTF8: "The JSON text is not UTF-8."
        case .badNumber: "The JSON text has a number that is malformed or too large."
        case .badString: "The JSON text has a malformed string."
        case .tooLarge: "The JSON text is too large."
        case .badSyntax: "The text is not JSON."
        }
    }
}
