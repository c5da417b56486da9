internal import Readings

extension SettingsReader {
    private static let readingKeys = [
        "topic", "path", "unit", "unit_path", "scale", "counts", "combine", "direction", "only_if", "range",
        "expires", "expired", "available", "retained", "decimal",
    ]

    func readings(_ entry: YAMLEntry) -> ReadingTable {
        guard case .mapping(let entries) = entry.value.content, !entries.isEmpty else {
            log.error(entry.mark, "readings must hold at least one reading, such as grid_power: { topic: meter/power }")
            return ReadingTable()
        }
        return ReadingTable(rows: entries.map(reading))
    }

    private func reading(_ entry: YAMLEntry) -> ReadingTable.Row {
        var row = ReadingTable.Row(name: entry.key, mark: entry.mark, unit: "W")
        if ["balance", "integrate"].contains(entry.key) {
            log.error(entry.mark, "a reading cannot be called '\(entry.key)', which has a meaning of its own")
        }
        let path = "readings.\(label(entry.key))"
        guard
            let section = Section(
                entry.value,
                path,
                at: entry.mark,
                keys: SettingsReader.readingKeys,
                log: log
            )
        else { return row }

        let topic = section.required("topic").flatMap { self.topic($0, section.name("topic")) }
        let counts = section.choice("counts", ["today": CounterKind.today, "lifetime": .lifetime])
        let unit = self.unit(section["unit"], section.name("unit"), standard: section.has("counts") ? "kWh" : "W")
        let combine = section.choice("combine", ["sum": Combination.sum, "mean": .mean, "max": .max])
        let pointer = section["path"].flatMap { self.pointer($0, section.name("path")) }
        let unitPath = section["unit_path"].flatMap { self.pointer($0, section.name("unit_path")) }
        let scale = self.scale(section["scale"], section.name("scale"))
        let direction = section.entry("direction").flatMap { self.direction($0, section.name("direction")) }
        let condition = section.entry("only_if").flatMap { self.condition($0, section.name("only_if")) }
        let range = section["range"].flatMap { self.range($0, section.name("range")) }
        let expiry = section["expires"].flatMap { self.expiry($0, section.name("expires")) }
        let expired = section.choice("expired", ["unknown": ExpiredValue.unknown, "zero": .zero])
        let available = section.entry("available").flatMap { self.availability($0, section.name("available")) }
        let retained = section.choice("retained", ["use": RetainedPolicy.use, "ignore": .ignore])
        let decimal = section.choice("decimal", ["point": DecimalMark.point, "comma": .comma])

        if let topic, let node = section["topic"] { judge(topic, at: node.mark, in: section) }
        for key in ["unit_path", "direction"] where !section.has("path") {
            guard let entry = section.entry(key) else { continue }
            log.error(entry.mark, "\(section.name(key)) needs \(section.name("path")): only a JSON payload has fields")
        }
        if let unit {
            row.unit = unit
            if counts != nil, let node = section.entry("counts") { judgeCounter(unit, at: node.mark, in: section) }
        }
        if expired == .zero { row.zeroMark = section.entry("expired")?.mark }
        guard let topic, let unit else { return row }
        row.definition = ReadingDefinition(
            name: entry.key,
            topic: topic,
            path: pointer,
            unit: ReadingUnit(unit),
            unitPath: unitPath,
            scale: scale ?? 1,
            counts: counts,
            combine: combine,
            direction: direction,
            onlyIf: condition,
            range: range,
            expiry: expiry,
            expired: expired ?? .unknown,
            available: available,
            retained: retained ?? .use,
            decimal: decimal ?? .point
        )
        return row
    }

    /// A name of the user's, within a path of keys.
    func label(_ name: String) -> String {
        let bare = quoted(name).dropFirst().dropLast()
        return bare.contains { " .:'".contains($0) } ? "'\(bare)'" : String(bare)
    }

    // MARK: - Judging what belongs together

    private func judge(_ topic: TopicFilter, at mark: YAMLMark, in section: Section) {
        if !topic.isExact, !section.has("combine") {
            let name = section.name("topic")
            log.error(mark, "\(name) has a wildcard and may match many topics; say how with combine: sum, mean or max")
        }
        if topic.isExact, let combine = section.entry("combine") {
            log.error(combine.mark, "\(section.name("combine")) needs a topic with a wildcard (+ or #)")
        }
    }

    private func judgeCounter(_ unit: String, at mark: YAMLMark, in section: Section) {
        switch ReadingUnit(unit).quantity {
        case .energy, .other: return
        case .power, .level, .duration, .timestamp:
            log.error(mark, "\(section.name("counts")) needs a unit that adds up, such as kWh, not \(quoted(unit))")
        }
    }

    // MARK: - Values

    private func topic(_ node: YAMLNode, _ name: String) -> TopicFilter? {
        guard let text = log.text(node, name) else { return nil }
        do {
            return try TopicFilter(text)
        } catch {
            log.error(node.mark, "\(name): \(clause(error.description))")
            return nil
        }
    }

    private func pointer(_ node: YAMLNode, _ name: String) -> JSONPointer? {
        guard let text = log.text(node, name) else { return nil }
        do {
            return try JSONPointer(text)
        } catch {
            log.error(node.mark, "\(name): \(clause(error.description))")
            return nil
        }
    }

    /// A sentence as part of a message.
    func clause(_ sentence: String) -> String {
        var clause = sentence.prefix(1).lowercased() + sentence.dropFirst()
        if clause.hasSuffix(".") { clause.removeLast() }
        return clause
    }

    /// A unit's text. `W` by default, `kWh` for a counter.
    func unit(_ node: YAMLNode?, _ name: String, standard: String) -> String? {
        guard let node else { return standard }
        guard let text = log.text(node, name) else { return nil }
        guard text.unicodeScalars.count <= 32 else {
            log.error(node.mark, "\(name) has \(text.unicodeScalars.count) characters; the service takes at most 32")
            return nil
        }
        // Any text is a unit of its own, so a slip in a known one would silently stop its conversion.
        let near = unitsMeant(by: text)
        guard near.isEmpty else {
            log.error(node.mark, "\(name) is no unit: \(quoted(text)) (did you mean \(list(near))?)")
            return nil
        }
        return text
    }

    private func scale(_ node: YAMLNode?, _ name: String) -> Double? {
        guard let node, let scale = log.number(node, name) else { return nil }
        guard scale != 0 else {
            log.error(node.mark, "\(name) of 0 would leave nothing of the value")
            return nil
        }
        return scale
    }

    private func range(_ node: YAMLNode, _ name: String) -> ClosedRange<Double>? {
        guard case .sequence(let bounds) = node.content, bounds.count == 2 else {
            log.error(node.mark, "\(name) must be two numbers: [low, high]")
            return nil
        }
        guard let low = log.number(bounds[0], name), let high = log.number(bounds[1], name) else { return nil }
        guard low < high else {
            log.error(node.mark, "\(name) is empty: the low end must be less than the high end")
            return nil
        }
        return low...high
    }

    private func expiry(_ node: YAMLNode, _ name: String) -> Expiry? {
        if case .scalar("never", _) = node.content { return .never }
        return log.duration(node, name, from: 1).map { .after($0) }
    }

    private func direction(_ entry: YAMLEntry, _ name: String) -> DirectionField? {
        let keys = ["path", "positive", "negative"]
        guard let section = Section(entry.value, name, at: entry.mark, keys: keys, log: log) else { return nil }
        let path = section.required("path").flatMap { self.pointer($0, section.name("path")) }
        let positive = section.required("positive").flatMap { log.words($0, section.name("positive")) }
        let negative = section.required("negative").flatMap { log.words($0, section.name("negative")) }
        guard let path, let positive, let negative else { return nil }
        let turned = Set(negative.map { $0.lowercased() })
        if let both = positive.first(where: { turned.contains($0.lowercased()) }) {
            log.error(entry.mark, "\(name) has \(quoted(both)) among the positive and the negative words")
            return nil
        }
        return DirectionField(path: path, positive: positive, negative: negative)
    }

    private func condition(_ entry: YAMLEntry, _ name: String) -> MessageCondition? {
        guard let section = Section(entry.value, name, at: entry.mark, keys: ["path", "equals"], log: log) else {
            return nil
        }
        let path = section.required("path").flatMap { self.pointer($0, section.name("path")) }
        let equals = section.required("equals").flatMap { log.word($0, section.name("equals")) }
        guard let path, let equals else { return nil }
        return MessageCondition(path: path, equals: equals)
    }

    private func availability(_ entry: YAMLEntry, _ name: String) -> AvailabilitySource? {
        let keys = ["topic", "path", "when"]
        guard let section = Section(entry.value, name, at: entry.mark, keys: keys, log: log) else { return nil }
        let path = section["path"].flatMap { self.pointer($0, section.name("path")) }
        let words = section["when"].map { log.words($0, section.name("when")) } ?? AvailabilitySource.standardWords
        guard let node = section.required("topic"), let topic = self.topic(node, section.name("topic")) else {
            return nil
        }
        guard topic.isExact else {
            log.error(node.mark, "\(section.name("topic")) must be one topic, without wildcards")
            return nil
        }
        return words.map { AvailabilitySource(topic: topic, path: path, when: $0) }
    }
}
