internal import Bridge
internal import Delivery
internal import EnergyFlow
internal import Widgets

extension SettingsReader {
    /// The service holds no more for one account.
    private static let widgetLimit = 50

    func widgets(_ entry: YAMLEntry, _ readings: ReadingTable) -> [WidgetPlan]? {
        guard case .mapping(let entries) = entry.value.content, !entries.isEmpty else {
            log.error(entry.mark, "widgets must hold at least one widget, such as power: { template: flow, ... }")
            return nil
        }
        if entries.count > SettingsReader.widgetLimit {
            let mark = entries[SettingsReader.widgetLimit].mark
            log.error(mark, "the service holds at most \(SettingsReader.widgetLimit) widgets for an account")
        }
        let references = ReferenceReader(log: log, readings: readings)
        // Countdowns name flows, wherever those stand.
        let flows = WidgetFlows(entries.filter { TemplateKind(of: $0) == .flow })
        let flowPlans = entries.map { TemplateKind(of: $0) == .flow ? widget($0, references, flows) : nil }
        let plans = zip(entries, flowPlans).map { entry, plan in
            TemplateKind(of: entry) == .flow ? plan : widget(entry, references, flows)
        }
        // Without the widgets that could not be read nobody knows what they would have used.
        if !plans.contains(nil) { references.warnOfUnused() }
        return plans.contains(nil) ? nil : plans.compactMap(\.self)
    }

    private func widget(_ entry: YAMLEntry, _ references: ReferenceReader, _ flows: WidgetFlows) -> WidgetPlan? {
        let slug = self.slug(entry)
        let path = "widgets.\(label(entry.key))"
        let kind = TemplateKind(of: entry)
        guard
            let section = Section(
                entry.value,
                path,
                at: entry.mark,
                keys: kind?.keys ?? TemplateKind.allKeys,
                elsewhere: { key in TemplateKind.owner(of: key).map { "the template \($0.rawValue)" } },
                log: log
            )
        else { return nil }

        _ = section.required("template").flatMap { log.choice($0, section.name("template"), TemplateKind.choices) }
        let name: BoundedText<NameBound>? = section.required("name").flatMap { log.bounded($0, section.name("name")) }
        let throttle = section.duration("push_throttle", from: 1, to: 3600).map(\.wholeSeconds)
        let stale = section.duration("stale_after", from: 60, to: 604_800).map(\.wholeSeconds)
        let shared = self.shared(section)
        let timer = self.timer(section, references)
        let unit = kind ?? .flow == .flow ? self.unit(section["unit"], section.name("unit"), standard: "W") : nil
        let push = PushReader(
            log: log,
            section: section,
            unit: unit,
            hasEvening: kind ?? .flow == .flow,
            throttle: throttle
        ).policy()
        let template = (kind ?? TemplateKind.likely(in: section))
            .flatMap { self.template($0, section, unit: unit, references, flows) }
        if case .flow(let flow, _) = template { flows.add(flow, slug: entry.key) }
        guard let slug, let name, let template else { return nil }
        return WidgetPlan(
            widget: WidgetDefinition(
                slug: slug,
                name: name,
                pushThrottle: throttle,
                staleAfter: stale,
                shared: shared
            ),
            template: template,
            timer: timer,
            push: push
        )
    }

    private func template(
        _ kind: TemplateKind,
        _ section: Section,
        unit: String?,
        _ references: ReferenceReader,
        _ flows: WidgetFlows
    ) -> TemplatePlan? {
        switch kind {
        case .flow:
            return FlowReader(log: log, references: references, section: section, unit: unit).flow()
                .map { .flow($0.definition, $0.appearance) }
        case .progress:
            return ProgressReader(log: log, references: references, section: section).progress()
                .map { .progress($0.definition, $0.rows) }
        case .countdown:
            return CountdownReader(log: log, references: references, flows: flows, section: section).countdown()
                .map { .countdown($0.definition, $0.expiredText) }
        }
    }

    private func slug(_ entry: YAMLEntry) -> Slug? {
        if let slug = Slug(entry.key) { return slug }
        log.error(
            entry.mark,
            "\(quoted(entry.key)) is no slug: it takes letters, digits, '-' and '_', begins with a letter or digit and "
                + "has at most 128 characters"
        )
        return nil
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
