internal import Readings

/// The readings of a configuration, for widgets to refer to.
struct ReadingTable {
    struct Row {
        var name: String
        var mark: YAMLMark
        /// The unit as written, since two unknown units agree when their texts do.
        var unit: String
        /// Where `expired: zero` stands.
        var zeroMark: YAMLMark?
        /// `nil` when something is wrong with it, so that references to it are no further problems.
        var definition: ReadingDefinition?
    }

    let rows: [Row]
    /// By the bytes of the name: strings would merge those that Unicode takes for equal. Of two with one name, which is an
    /// error, the first.
    private let indices: [[UInt8]: Int]

    init(rows: [Row] = []) {
        self.rows = rows
        indices = Dictionary(rows.enumerated().map { (Array($1.name.utf8), $0) }) { first, _ in first }
    }

    /// All definitions, if nothing is wrong with any.
    var definitions: [ReadingDefinition]? {
        let sound = rows.compactMap(\.definition)
        return sound.count == rows.count ? sound : nil
    }

    func index(of name: String) -> Int? {
        indices[Array(name.utf8)]
    }
}
