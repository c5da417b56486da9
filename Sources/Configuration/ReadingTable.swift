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

    var rows: [Row] = []

    /// All definitions, if nothing is wrong with any.
    var definitions: [ReadingDefinition]? {
        let sound = rows.compactMap(\.definition)
        return sound.count == rows.count ? sound : nil
    }

    func index(of name: String) -> Int? {
        rows.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    }
}
