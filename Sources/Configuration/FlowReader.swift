internal import EnergyFlow
internal import Readings
internal import Widgets

/// Reads the slots of one flow widget, and judges them together.
struct FlowReader {
    let log: ProblemLog
    let references: ReferenceReader
    let section: Section
    /// `nil` when the widget's unit is broken, so that nothing can disagree with it.
    let unit: String?

    /// The service draws no more.
    private static let inputLimit = 3

    func flow() -> (definition: FlowDefinition, appearance: FlowAppearance)? {
        let inputs = self.inputs()
        let storage = section.entry("storage").map { slot($0, .storage) }
        let exchange = section.entry("exchange").map { slot($0, .exchange) }
        let output = section.entry("output").map { slot($0, .output) }
        let all = inputs + [storage, exchange, output].compactMap(\.self)
        guard !all.isEmpty else {
            if !["inputs", "storage", "exchange", "output"].contains(where: section.isMeant) {
                log.error(section.mark, "\(section.path) has no slot; give it inputs, storage, exchange or output")
            }
            return nil
        }
        judgeBalance(all, hasOutput: output != nil)
        judgeTotals(all)
        guard let unit = unit.flatMap({ BoundedText<UnitBound>($0) }), all.allSatisfy({ $0.definition != nil }) else {
            return nil
        }
        let definition = FlowDefinition(
            inputs: inputs.compactMap(\.definition),
            storage: storage?.definition,
            exchange: exchange?.definition,
            output: output?.definition
        )
        let appearance = FlowAppearance(
            unit: unit,
            inputs: inputs.map(\.appearance),
            storage: storage?.appearance ?? NodeAppearance(),
            exchange: exchange?.appearance ?? NodeAppearance(),
            output: output?.appearance ?? NodeAppearance()
        )
        return (definition, appearance)
    }

    private func inputs() -> [ParsedSlot] {
        guard let entry = section.entry("inputs") else { return [] }
        guard case .sequence(let elements) = entry.value.content, !elements.isEmpty else {
            log.error(entry.mark, "\(section.name("inputs")) must be a list, each line of it beginning with '- '")
            return []
        }
        if elements.count > FlowReader.inputLimit {
            log.error(
                elements[FlowReader.inputLimit].mark,
                "\(section.name("inputs")) has \(elements.count) entries; the service draws at most "
                    + "\(FlowReader.inputLimit) (readings can be added: { sum: [a, b] })"
            )
        }
        return elements.enumerated().map { index, node in
            slot(YAMLEntry(key: "inputs[\(index)]", mark: node.mark, value: node), .input)
        }
    }

    // MARK: - One slot

    private func slot(_ entry: YAMLEntry, _ kind: SlotKind) -> ParsedSlot {
        var slot = ParsedSlot(name: section.name(entry.key), mark: entry.mark)
        let keys = ["rate", "total", "level", "name", "icon", "color"]
        guard let slotSection = Section(entry.value, slot.name, at: entry.mark, keys: keys, log: log) else {
            return slot
        }
        slot.appearance = NodeAppearance(
            name: slotSection.bounded("name"),
            icon: slotSection.bounded("icon"),
            color: slotSection.color("color")
        )
        let rate = slotSection.required("rate").flatMap { self.rate($0, slotSection.name("rate"), kind) }
        if rate == .balance { slot.balanceMark = slotSection["rate"]?.mark }
        let total = slotSection["total"].flatMap { self.total($0, slotSection.name("total"), kind, &slot) }
        let level = slotSection["level"].flatMap { self.level($0, slotSection.name("level")) }
        if let entry = slotSection.entry("level"), kind != .storage {
            log.warning(entry.mark, "\(slotSection.name("level")) is not drawn; only storage has a level")
        }
        if let rate { slot.definition = SlotDefinition(rate: rate, total: total, level: level) }
        return slot
    }

    func rate(_ node: YAMLNode, _ name: String, _ kind: SlotKind) -> RateDefinition? {
        if case .scalar("balance", _) = node.content { return .balance }
        guard let senses = kind.senses else {
            if let word = SenseWord.first(in: node) {
                log.error(node.mark, "\(name) takes no '\(word)': \(kind.plural) flow one way; write a reading's name")
                return nil
            }
            return power(node, name, kind, or: "balance").map { .signed($0, reversed: false) }
        }
        guard case .mapping(let entries) = node.content, entries.contains(where: { SenseWord.meant(by: $0.key) != nil })
        else {
            var hint = ""
            if case .scalar(let text, _) = node.content { hint = didYouMean(nearest(to: text, among: ["balance"])) }
            log.error(node.mark, "\(name) needs a word for its sign\(hint): \(senses.explanation)")
            return nil
        }
        guard entries.allSatisfy({ $0.key == senses.positive || $0.key == senses.negative }) else {
            let wrong = entries.first { $0.key != senses.positive && $0.key != senses.negative }
            let word = wrong?.key ?? ""
            let meant = SenseWord.meant(by: word).flatMap {
                [senses.positive, senses.negative].contains($0) ? $0 : nil
            }
            log.error(
                wrong?.mark ?? node.mark,
                "\(name) cannot have \(quoted(word))\(didYouMean(meant)): \(senses.explanation)"
            )
            return nil
        }
        let sums = entries.map { entry in (entry.key, power(entry.value, "\(name).\(entry.key)", kind)) }
        let positive = sums.first { $0.0 == senses.positive }
        let negative = sums.first { $0.0 == senses.negative }
        switch (positive, negative) {
        case (let positive?, nil):
            return positive.1.map { .signed($0, reversed: false) }
        case (nil, let negative?):
            return negative.1.map { .signed($0, reversed: true) }
        default:
            guard let positive = positive?.1, let negative = negative?.1 else { return nil }
            guard Set(positive.members).isDisjoint(with: negative.members) else {
                log.error(node.mark, "\(name) names the same reading for both senses; one word takes a signed reading")
                return nil
            }
            return .pair(positive: positive, negative: negative)
        }
    }

    /// Readings whose unit is the widget's.
    private func power(_ node: YAMLNode, _ name: String, _ kind: SlotKind, or word: String? = nil) -> ReadingSum? {
        guard let found = references.references(node, name, or: word) else { return nil }
        for reference in found {
            judgeRate(reference, name)
            if kind != .input { references.judgeZero(reference, in: name) }
        }
        return ReadingSum(found.map(\.index))
    }

    private func judgeRate(_ reference: ReferenceReader.Reference, _ name: String) {
        let row = references.readings.rows[reference.index]
        guard let definition = row.definition, let unit else { return }
        if definition.counts != nil {
            log.error(reference.mark, "\(name) needs a rate, and \(quoted(row.name)) counts")
            return
        }
        let agrees =
            if ReadingUnit(unit).quantity == .power {
                definition.unit.quantity == .power
            } else {
                row.unit.utf8.elementsEqual(unit.utf8)
            }
        if !agrees {
            // Units of one's own are compared letter by letter.
            let hint = didYouMean(row.unit.lowercased() == unit.lowercased() ? unit : nil)
            log.error(
                reference.mark,
                "\(name) does not agree with the widget's unit \(quoted(unit)): \(quoted(row.name)) is in "
                    + quoted(row.unit) + hint
            )
        }
    }

    private func total(
        _ node: YAMLNode,
        _ name: String,
        _ kind: SlotKind,
        _ slot: inout ParsedSlot
    ) -> TotalDefinition? {
        if case .scalar("integrate", _) = node.content { return integral(.positive, at: node.mark, name) }
        if case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first {
            if entry.key == "integrate" { return integral(entry.value, name, kind) }
            if SenseWord.all.contains(entry.key) {
                guard let senses = kind.senses else {
                    log.error(entry.mark, "\(name) takes no '\(entry.key)': \(kind.plural) flow one way")
                    return nil
                }
                guard entry.key == senses.positive || entry.key == senses.negative else {
                    log.error(entry.mark, "\(name) cannot have '\(entry.key)': \(senses.explanation)")
                    return nil
                }
                return counter(entry.value, "\(name).\(entry.key)", &slot)
            }
        }
        return counter(node, name, &slot)
    }

    private func integral(_ node: YAMLNode, _ name: String, _ kind: SlotKind) -> TotalDefinition? {
        guard let senses = kind.senses else {
            log.error(node.mark, "\(name): \(kind.plural) flow one way; write total: integrate")
            return nil
        }
        let choices: KeyValuePairs = [senses.positive: FlowSense.positive, senses.negative: .negative]
        return log.choice(node, "\(name).integrate", choices).flatMap { integral($0, at: node.mark, name) }
    }

    private func integral(_ sense: FlowSense, at mark: YAMLMark, _ name: String) -> TotalDefinition? {
        if let unit, ReadingUnit(unit).quantity != .power {
            log.error(mark, "\(name) can only integrate power, and the widget's unit is \(quoted(unit))")
            return nil
        }
        return .integrate(sense)
    }

    private func counter(_ node: YAMLNode, _ name: String, _ slot: inout ParsedSlot) -> TotalDefinition? {
        guard let found = references.references(node, name, or: "integrate") else { return nil }
        for reference in found {
            let row = references.readings.rows[reference.index]
            guard let definition = row.definition else { continue }
            references.judgeZero(reference, in: name)
            if definition.counts == nil {
                log.error(
                    reference.mark,
                    "\(name) needs a reading that counts; give \(quoted(row.name)) counts: today or counts: "
                        + "lifetime, or write integrate"
                )
            } else {
                slot.totals.append((reference, name))
            }
        }
        return .counter(ReadingSum(found.map(\.index)))
    }

    func level(_ node: YAMLNode, _ name: String) -> ReadingSum? {
        guard let found = references.references(node, name) else { return nil }
        for reference in found {
            let row = references.readings.rows[reference.index]
            guard let definition = row.definition, definition.unit.quantity != .level else { continue }
            log.error(
                reference.mark,
                "\(name) needs a reading in % or as a fraction, and \(quoted(row.name)) is in \(quoted(row.unit))"
            )
        }
        return ReadingSum(found.map(\.index))
    }

    // MARK: - The slots together

    private func judgeBalance(_ slots: [ParsedSlot], hasOutput: Bool) {
        let balances = slots.filter { $0.balanceMark != nil }
        guard let first = balances.first, let mark = first.balanceMark else { return }
        for other in balances.dropFirst() {
            guard let mark = other.balanceMark else { continue }
            log.error(mark, "\(other.name).rate is a second balance; \(first.name) is one already")
        }
        guard balances.count == 1 else { return }
        if slots.count == 1 {
            log.error(mark, "\(first.name).rate is the balance of nothing; it needs other slots")
        } else if !hasOutput {
            log.error(mark, "\(first.name).rate cannot be the balance without an output, which the others add up to")
        }
    }

    /// Totals are drawn side by side without units of their own.
    private func judgeTotals(_ slots: [ParsedSlot]) {
        guard let unit else { return }
        var standard = ReadingUnit(unit).quantity == .power ? ReadingUnit("kWh").quantity : nil
        for (reference, name) in slots.flatMap(\.totals) {
            let row = references.readings.rows[reference.index]
            guard let quantity = row.definition?.unit.quantity else { continue }
            if let standard, quantity != standard {
                let wanted = if case .other(let unit) = standard { quoted(unit) } else { "Wh, kWh or MWh" }
                log.error(
                    reference.mark,
                    "\(name) must be in \(wanted), and \(quoted(row.name)) is in \(quoted(row.unit))"
                )
            } else {
                standard = quantity
            }
        }
    }
}

/// What could be read of one slot.
private struct ParsedSlot {
    var name: String
    var mark: YAMLMark
    var definition: SlotDefinition?
    var appearance = NodeAppearance()
    var balanceMark: YAMLMark?
    var totals: [(ReferenceReader.Reference, String)] = []
}
