/// The four kinds of slots of a flow.
enum SlotKind {
    case input
    case storage
    case exchange
    case output

    /// The words for the two senses; `nil` for what flows one way.
    var senses: SenseWord? {
        switch self {
        case .storage: SenseWord(positive: "charging", negative: "discharging")
        case .exchange: SenseWord(positive: "import", negative: "export")
        case .input, .output: nil
        }
    }

    /// How messages speak of all slots of the kind.
    var plural: String {
        switch self {
        case .input: "inputs"
        case .storage: "batteries"
        case .exchange: "grids"
        case .output: "outputs"
        }
    }
}

/// The two words that say what a sign means, and never mix them up.
struct SenseWord {
    /// The sense that is positive inside.
    let positive: String
    let negative: String

    static let all = ["import", "export", "charging", "discharging"]

    /// The one of the words that somebody meant who wrote this: `charge`, `exporting`, `improt`.
    static func meant(by word: String) -> String? {
        all.first { $0 == word } ?? nearest(to: word, among: all)
            ?? all.first { $0.prefix(4) == word.lowercased().prefix(4) }
    }

    /// What to write, in words.
    var explanation: String {
        "write { \(positive): NAME } when positive values are \(positive), { \(negative): NAME } when they are "
            + "\(negative), or both for two readings that are never negative"
    }

    /// The first of the words among a mapping's keys.
    static func first(in node: YAMLNode) -> String? {
        guard case .mapping(let entries) = node.content else { return nil }
        return entries.first { all.contains($0.key) }?.key
    }
}
