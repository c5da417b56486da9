internal import EnergyFlow
internal import Readings
internal import Widgets

/// Reads what feeds one progress widget.
struct ProgressReader {
    let log: ProblemLog
    let references: ReferenceReader
    let section: Section

    func progress() -> (definition: ProgressDefinition, rows: [StatRow])? {
        let value = section["value"].map { self.value($0, section.name("value")) }
        let window = section.entry("window").map { self.window($0, section.name("window")) }
        let trend = section["trend"].map { self.trend($0, section.name("trend")) }
        let rows = self.rows()
        if value == nil, window == nil, !section.isMeant("value"), !section.isMeant("window") {
            log.error(section.mark, "\(section.path) has nothing to show; give it a value or a window")
        }
        if let trend = section.entry("trend"), !section.isMeant("value") {
            log.error(
                trend.mark,
                "\(section.name("trend")) needs \(section.name("value")): a window knows only one way"
            )
        }
        guard value != nil || window != nil, value.map({ $0 != nil }) ?? true, window.map({ $0 != nil }) ?? true,
            !rows.contains(where: { $0 == nil })
        else { return nil }
        let definition = ProgressDefinition(
            value: value ?? nil,
            window: window ?? nil,
            trend: trend ?? nil,
            rows: rows.compactMap { $0?.value }
        )
        return (definition, rows.compactMap { $0?.row })
    }

    // MARK: - The value

    private func value(_ node: YAMLNode, _ name: String) -> ProgressDefinition.Value? {
        if case .mapping(let entries) = node.content, !entries.contains(where: { $0.key == "sum" }) {
            return share(node, name)
        }
        guard let found = references.references(node, name), let reference = found.first else { return nil }
        guard found.count == 1 else {
            log.error(
                node.mark,
                "\(name) cannot be a sum: levels do not add up; write { of: { sum: [a, b] }, goal: 30 kWh }"
            )
            return nil
        }
        let row = references.readings.rows[reference.index]
        guard let definition = row.definition else { return nil }
        guard definition.unit.quantity == .level else {
            log.error(
                reference.mark,
                "\(name) needs a reading in % or as a fraction, and \(quoted(row.name)) is in \(quoted(row.unit)); write "
                    + "{ of: \(row.name), goal: 30 \(row.unit) } for its share of a goal"
            )
            return nil
        }
        return .level(ReadingSum([reference.index]))
    }

    private func share(_ node: YAMLNode, _ name: String) -> ProgressDefinition.Value? {
        guard let section = Section(node, name, at: node.mark, keys: ["of", "goal"], log: log) else { return nil }
        let found = section.required("of").flatMap { references.references($0, section.name("of")) }
        let goal = section.required("goal").flatMap { log.quantity($0, section.name("goal"), example: "30 kWh") }
        guard let found, let goal, let node = section["goal"] else { return nil }
        let unit = ReadingUnit(goal.unit)
        for reference in found {
            let row = references.readings.rows[reference.index]
            guard let definition = row.definition else { return nil }
            guard definition.unit.quantity == unit.quantity, unit.quantity != .timestamp else {
                log.error(
                    node.mark,
                    "\(section.name("goal")) is in \(quoted(goal.unit)), and \(quoted(row.name)) is in \(quoted(row.unit))"
                )
                return nil
            }
        }
        return .share(ReadingSum(found.map(\.index)), goal: goal.number * unit.factor)
    }

    // MARK: - The window and the trend

    private func window(_ entry: YAMLEntry, _ name: String) -> ProgressDefinition.Window? {
        guard let section = Section(entry.value, name, at: entry.mark, keys: ["start", "end"], log: log) else {
            return nil
        }
        let moments = MomentReader(log: log, references: references)
        let start = section.required("start").map { moments.moment($0, section.name("start"), .start) } ?? .broken
        let end = section.required("end").map { moments.moment($0, section.name("end"), .end) } ?? .broken
        switch (start, end) {
        case (.reading(let start), .reading(let end)):
            return .readings(start: start, end: end)
        case (.daily(let start), .daily(let end)):
            guard start != end else {
                log.error(entry.mark, "\(name) begins and ends at \(start), and would never be over")
                return nil
            }
            return .daily(start: start, end: end)
        case (.broken, _), (_, .broken):
            return nil
        default:
            log.error(entry.mark, "\(name) needs two readings or two times of the day, not one of each")
            return nil
        }
    }

    /// `true`, or how much of the past it is about.
    private func trend(_ node: YAMLNode, _ name: String) -> Duration? {
        switch node.content {
        case .scalar("true", isPlain: true): return .seconds(1800)
        case .scalar("false", isPlain: true): return nil
        default: return log.duration(node, name, from: 60, to: 86_400)
        }
    }

    // MARK: - The rows

    private func rows() -> [(row: StatRow, value: ReadingSum)?] {
        guard let entry = section.entry("stat_rows") else { return [] }
        let name = section.name("stat_rows")
        guard case .sequence(let elements) = entry.value.content, !elements.isEmpty else {
            log.error(entry.mark, "\(name) must be a list, each line of it beginning with '- '")
            return [nil]
        }
        if elements.count > StatRow.limit {
            log.error(
                elements[StatRow.limit].mark,
                "\(name) has \(elements.count) entries; the service takes at most \(StatRow.limit)"
            )
        }
        return elements.enumerated().map { row($0.element, "\(name)[\($0.offset)]") }
    }

    private func row(_ node: YAMLNode, _ name: String) -> (row: StatRow, value: ReadingSum)? {
        let keys = ["label", "value", "unit", "decimals"]
        guard let section = Section(node, name, at: node.mark, keys: keys, log: log) else { return nil }
        let label: BoundedText<RowLabelBound>? = section.required("label")
            .flatMap { log.bounded($0, section.name("label")) }
        let found = section.required("value").flatMap { references.references($0, section.name("value")) }
        let decimals = section["decimals"].map { log.whole($0, section.name("decimals"), in: 0...6) }
        guard let found, let shown = unit(of: found, section), let label, decimals.map({ $0 != nil }) ?? true else {
            return nil
        }
        let row = StatRow(
            label: label,
            unit: shown.text,
            factor: shown.factor,
            decimals: decimals ?? shown.decimals
        )
        return (row, ReadingSum(found.map(\.index)))
    }

    /// The unit of a row, with what values in their base unit are multiplied by.
    private func unit(
        of found: [ReferenceReader.Reference],
        _ section: Section
    ) -> (text: BoundedText<RowUnitBound>?, factor: Double, decimals: Int?)? {
        var quantity: ReadingUnit.Quantity?
        for reference in found {
            let row = references.readings.rows[reference.index]
            guard let definition = row.definition else { return nil }
            guard definition.unit.quantity != .timestamp else {
                log.error(
                    reference.mark,
                    "\(section.name("value")) cannot be a point in time, and \(quoted(row.name)) is one"
                )
                return nil
            }
            guard quantity == nil || quantity == definition.unit.quantity else {
                log.error(reference.mark, "\(section.name("value")) adds readings of different kinds")
                return nil
            }
            quantity = definition.unit.quantity
        }
        guard let quantity else { return nil }
        let standard: String? =
            switch quantity {
            case .power: "W"
            case .energy: "kWh"
            case .level: "%"
            case .duration: "min"
            case .other(let name): name
            case .timestamp: nil
            }
        let written: BoundedText<RowUnitBound>? = section.bounded("unit")
        if section.has("unit"), written == nil { return nil }
        guard let name = written?.text ?? standard else { return nil }
        var factor = 1.0
        // What a unit of its own means only its user knows, so that another name for it is as good.
        if !quantity.isNamed {
            let unit = ReadingUnit(name)
            guard unit.quantity == quantity, name != "fraction" else {
                log.error(
                    section["unit"]?.mark ?? section.mark,
                    "\(section.name("unit")) is \(quoted(name)), and the value is in \(quoted(standard ?? ""))"
                )
                return nil
            }
            factor = 1 / unit.factor
        }
        let whole = ["W", "mW", "%", "s", "min"].contains(name)
        return (written ?? BoundedText(name), factor, whole ? 0 : nil)
    }
}

extension ReadingUnit.Quantity {
    /// Whether it is nothing but a name.
    fileprivate var isNamed: Bool {
        if case .other = self { true } else { false }
    }
}
