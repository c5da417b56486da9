/// A place in a configuration file, both counted from 1; columns count code points.
struct YAMLMark: Equatable, Comparable {
    var line: Int
    var column: Int

    static let start = YAMLMark(line: 1, column: 1)

    static func < (left: YAMLMark, right: YAMLMark) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// One value of a YAML document, with the place where it stands.
///
/// Scalars keep their text as it was written. What it means (a number, a word, nothing) is for the reader of the key
/// to say: a topic `1` and a word `on` must not become a number and a truth value on the way.
struct YAMLNode {
    enum Content {
        /// `isPlain` when it was written without quotes, so that `1`, `true` and `~` are no text.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    var content: Content
    var mark: YAMLMark

    /// Whether nothing was written, or one of YAML's words for nothing.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}

/// One key of a mapping and its value.
struct YAMLEntry {
    var key: String
    var mark: YAMLMark
    var value: YAMLNode
}

/// Something wrong with a document as YAML, or with a part of YAML that configurations do without.
struct YAMLProblem: Equatable {
    var mark: YAMLMark
    /// Never holds text of the file: it could be a secret.
    var message: String
}
