internal import EnergyFlow
internal import Readings

/// A point in time as the configuration names it.
enum MomentSetting {
    case reading(MomentSource)
    case daily(TimeOfDay)
    /// Something is wrong with it, and has been told.
    case broken
}

/// Reads where the dates of windows and countdowns come from.
struct MomentReader {
    let log: ProblemLog
    let references: ReferenceReader

    enum Role {
        case start
        case end
    }

    /// A reading's name or a time of the day.
    func moment(_ node: YAMLNode, _ name: String, _ role: Role) -> MomentSetting {
        if let time = log.timeOfDay(node, name) { return time.map(MomentSetting.daily) ?? .broken }
        guard let found = references.references(node, name), let reference = found.first else { return .broken }
        let row = references.readings.rows[reference.index]
        guard found.count == 1 else {
            log.error(node.mark, "\(name) must be one reading: points in time do not add up")
            return .broken
        }
        guard let definition = row.definition else { return .broken }
        switch (definition.unit.quantity, role) {
        case (.timestamp, _): return .reading(.timestamp(reference.index))
        case (.duration, .start): return .reading(.elapsed(reference.index))
        case (.duration, .end): return .reading(.remaining(reference.index))
        default:
            let span = role == .start ? "has passed" : "is left"
            log.error(
                reference.mark,
                "\(name) needs a reading of a point in time (unit: timestamp) or of the time that \(span) (unit: s, min or "
                    + "h), and \(quoted(row.name)) is in \(quoted(row.unit))"
            )
            return .broken
        }
    }
}
