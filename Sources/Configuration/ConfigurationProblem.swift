/// One thing that is wrong, or likely not meant, in a configuration.
public struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// How much a problem weighs.
    public enum Severity: String, Sendable {
        /// The configuration cannot be used.
        case error
        /// It can, but a person should look.
        case warning
    }

    /// A place in the file.
    public struct Place: Sendable, Equatable, Comparable {
        /// Counted from 1.
        public var line: Int
        /// Counted from 1, in code points.
        public var column: Int

        /// By line, then by column.
        public static func < (left: Place, right: Place) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// The file as it was named.
    public var file: String
    /// Where in the file; `nil` when it could not be read at all.
    public var place: Place?
    /// How much it weighs.
    public var severity: Severity
    /// What is wrong and what would be right, without a period. Never holds a secret.
    public var message: String
    /// The line at `place`; `nil` when a secret could be in it.
    public var sourceLine: String?

    /// `file:line:column: severity: message`, then the source line and a caret below the place.
    public var description: String {
        var text = file
        if let place { text += ":\(place.line):\(place.column)" }
        text += ": \(severity.rawValue): \(message)"
        if let place, let sourceLine {
            // Tabs stay tabs, so that the caret stands right whatever their width.
            let before = sourceLine.unicodeScalars.prefix(place.column - 1).map { $0 == "\t" ? "\t" : " " }
            text += "\n\(sourceLine)\n\(before.joined())^"
        }
        return text
    }
}
