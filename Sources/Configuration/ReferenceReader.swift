internal import EnergyFlow
internal import Readings

/// Finds the readings that widgets name, and remembers which are used.
final class ReferenceReader {
    /// A reading that was named, and where.
    struct Reference {
        var index: Int
        var mark: YAMLMark
    }

    let readings: ReadingTable
    private let log: ProblemLog
    private var used: Set<Int> = []
    private var judgedZero: Set<Int> = []

    init(log: ProblemLog, readings: ReadingTable) {
        self.log = log
        self.readings = readings
    }

    /// A reading's name, or `{ sum: [a, b] }`.
    /// - Parameter word: what may stand there instead, for a suggestion.
    func references(_ node: YAMLNode, _ name: String, or word: String? = nil) -> [Reference]? {
        guard case .mapping(let entries) = node.content else { return reference(node, name, or: word).map { [$0] } }
        guard entries.count == 1, let entry = entries.first, entry.key == "sum",
            case .sequence(let elements) = entry.value.content, !elements.isEmpty
        else {
            log.error(node.mark, "\(name) must be a reading's name or { sum: [a, b] }")
            return nil
        }
        let references = elements.map { reference($0, name) }
        guard !references.contains(where: { $0 == nil }) else { return nil }
        let found = references.compactMap(\.self)
        var seen: Set<Int> = []
        for reference in found where !seen.insert(reference.index).inserted {
            log.error(reference.mark, "\(name) adds \(quoted(readings.rows[reference.index].name)) twice")
            return nil
        }
        return found
    }

    /// Warns of readings that no widget named: most are leftovers, and some are slips.
    func warnOfUnused() {
        for (index, row) in readings.rows.enumerated() where !used.contains(index) {
            log.warning(row.mark, "reading \(quoted(row.name)) is not used by any widget")
        }
    }

    /// Warns where a silent reading would show as zero though its source need not be at rest.
    func judgeZero(_ reference: Reference, in slot: String) {
        let row = readings.rows[reference.index]
        guard let mark = row.zeroMark, judgedZero.insert(reference.index).inserted else { return }
        log.warning(mark, "'expired: zero' suits solar inputs only, and \(quoted(row.name)) feeds \(slot)")
    }

    private func reference(_ node: YAMLNode, _ name: String, or word: String? = nil) -> Reference? {
        guard case .scalar = node.content else {
            log.error(node.mark, "\(name) must be a reading's name")
            return nil
        }
        guard let text = log.word(node, name) else { return nil }
        if let index = readings.index(of: text) {
            used.insert(index)
            return Reference(index: index, mark: node.mark)
        }
        let hint = nearest(to: text, among: readings.rows.map(\.name) + [word].compactMap(\.self))
        // What was likely meant is used, or a slip would count twice.
        if let index = hint.flatMap(readings.index) { used.insert(index) }
        log.error(node.mark, "unknown reading \(quoted(text)) in \(name)\(didYouMean(hint))")
        return nil
    }
}
