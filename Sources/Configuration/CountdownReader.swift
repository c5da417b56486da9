internal import EnergyFlow
internal import Readings
internal import Widgets

/// Reads what feeds one countdown widget.
struct CountdownReader {
    let log: ProblemLog
    let references: ReferenceReader
    let flows: WidgetFlows
    let section: Section

    private enum End {
        case moment(MomentSetting)
        case estimate(StorageEstimate, FlowDefinition)
    }

    func countdown() -> (definition: CountdownDefinition, expiredText: BoundedText<ExpiredTextBound>?)? {
        let text: BoundedText<ExpiredTextBound>? = section.bounded("expired_text")
        let moments = MomentReader(log: log, references: references)
        let start = section["start"].map { moments.moment($0, section.name("start"), .start) }
        let end = section.required("end").map { self.end($0, section.name("end"), moments) } ?? .moment(.broken)
        guard let definition = definition(start, end), !(section.has("expired_text") && text == nil) else { return nil }
        return (definition, text)
    }

    private func definition(_ start: MomentSetting?, _ end: End) -> CountdownDefinition? {
        switch (start, end) {
        case (.broken?, _), (_, .moment(.broken)):
            return nil
        case (nil, .moment(.reading(let end))):
            return .reading(start: nil, end: end)
        case (.reading(let start)?, .moment(.reading(let end))):
            return .reading(start: start, end: end)
        case (nil, .moment(.daily(let end))):
            return .daily(start: nil, end: end)
        case (.daily(let start)?, .moment(.daily(let end))):
            guard start != end else {
                log.error(section.mark, "\(section.path) begins and ends at \(start), and would never be over")
                return nil
            }
            return .daily(start: start, end: end)
        case (nil, .estimate(let estimate, let flow)):
            return .estimate(start: nil, estimate, of: flow)
        case (.reading(let start)?, .estimate(let estimate, let flow)):
            return .estimate(start: start, estimate, of: flow)
        default:
            log.error(
                section.entry("start")?.mark ?? section.mark,
                "\(section.name("start")) and \(section.name("end")) must both be times of the day, or neither"
            )
            return nil
        }
    }

    private func end(_ node: YAMLNode, _ name: String, _ moments: MomentReader) -> End {
        guard case .mapping = node.content else { return .moment(moments.moment(node, name, .end)) }
        let keys = ["when", "of", "capacity", "efficiency"]
        guard let section = Section(node, name, at: node.mark, keys: keys, log: log) else { return .moment(.broken) }
        let goal = section.required("when").flatMap { self.goal($0, section.name("when")) }
        let flow = section.required("of").flatMap { storage($0, section.name("of")) }
        let capacity = section.required("capacity")
            .flatMap { log.quantity($0, section.name("capacity"), example: "10 kWh") }
        let efficiency =
            section["efficiency"].map { log.percentage($0, section.name("efficiency")).map { $0 / 100 } }
            ?? StorageEstimate.standardEfficiency
        guard let goal, let flow, let capacity, let efficiency, let node = section["capacity"],
            let size = self.capacity(capacity, of: flow, at: node.mark, section.name("capacity"))
        else { return .moment(.broken) }
        return .estimate(StorageEstimate(goal, capacity: size, efficiency: efficiency), flow)
    }

    private func goal(_ node: YAMLNode, _ name: String) -> StorageEstimate.Goal? {
        guard let text = log.word(node, name) else { return nil }
        switch text {
        case "full": return .full
        case "empty": return .empty
        default: break
        }
        guard text.utf8.first?.isASCIIDigit == true else {
            let hint =
                nearest(to: text, among: ["full", "empty"]).map(didYouMean) ?? " (it is 'full', 'empty' or 80 %)"
            log.error(node.mark, "\(name) cannot be \(quoted(text))\(hint)")
            return nil
        }
        return log.percentage(node, name).map(StorageEstimate.Goal.level)
    }

    /// A flow by its widget's slug, or readings: `{ rate: { charging: x }, level: y }`.
    private func storage(_ node: YAMLNode, _ name: String) -> FlowDefinition? {
        guard case .scalar = node.content else { return slot(node, name) }
        guard let slug = log.word(node, name) else { return nil }
        guard flows.knows(slug) else {
            let hint = didYouMean(nearest(to: slug, among: flows.slugs))
            log.error(node.mark, "\(name): there is no widget \(quoted(slug)) with the template flow\(hint)")
            return nil
        }
        guard let flow = flows[slug] else { return nil }
        guard flow.storage?.level != nil else {
            log.error(node.mark, "\(name): the widget \(quoted(slug)) has no storage with a level")
            return nil
        }
        return flow
    }

    private func slot(_ node: YAMLNode, _ name: String) -> FlowDefinition? {
        guard let section = Section(node, name, at: node.mark, keys: ["rate", "level"], log: log) else { return nil }
        let reader = FlowReader(log: log, references: references, section: section, unit: "W")
        let rate = section.required("rate").flatMap { reader.rate($0, section.name("rate"), .storage) }
        let level = section.required("level").flatMap { reader.level($0, section.name("level")) }
        guard let rate, let level else { return nil }
        guard rate != .balance else {
            log.error(
                section["rate"]?.mark ?? node.mark,
                "\(section.name("rate")) cannot be the balance: there are no other slots"
            )
            return nil
        }
        return FlowDefinition(storage: SlotDefinition(rate: rate, level: level))
    }

    /// The capacity in what the rate adds up to in an hour.
    private func capacity(
        _ capacity: (number: Double, unit: String),
        of flow: FlowDefinition,
        at mark: YAMLMark,
        _ name: String
    ) -> Double? {
        let rate = CountdownDefinition.estimate(start: nil, StorageEstimate(.full, capacity: 1), of: flow).readings
            .first
        guard let rate, let unit = references.readings.rows[rate].definition?.unit else { return nil }
        let written = ReadingUnit(capacity.unit)
        switch unit.quantity {
        case .power where written.quantity == .energy:
            return capacity.number * written.factor
        case .other(let name) where name.split(separator: "/").first.map({ $0 == capacity.unit }) == true:
            return capacity.number
        default:
            let row = references.readings.rows[rate]
            log.error(mark, "\(name) is in \(quoted(capacity.unit)), and \(quoted(row.name)) is in \(quoted(row.unit))")
            return nil
        }
    }
}
