internal import Bridge
internal import Delivery
internal import EnergyFlow
internal import Widgets

extension SettingsReader {
    private static let widgetKeys = [
        "template", "name", "label", "subtitle", "icon", "unit", "accent_color", "background_color", "text_color",
        "stale_after", "freshness", "push_throttle", "push", "inputs", "storage", "exchange", "output",
    ]
    private static let laterWidgetKeys = ["tap_action", "url_action", "secondary_url_action"]
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
        let plans = entries.map { widget($0, references) }
        // Without the widgets that could not be read nobody knows what they would have used.
        if !plans.contains(nil) { references.warnOfUnused() }
        return plans.contains(nil) ? nil : plans.compactMap(\.self)
    }

    private func widget(_ entry: YAMLEntry, _ references: ReferenceReader) -> WidgetPlan? {
        let slug = self.slug(entry)
        let path = "widgets.\(label(entry.key))"
        guard !isPlanned(entry, path),
            let section = Section(
                entry.value,
                path,
                at: entry.mark,
                keys: SettingsReader.widgetKeys,
                later: SettingsReader.laterWidgetKeys,
                log: log
            )
        else { return nil }

        _ = section.required("template").flatMap { log.choice($0, section.name("template"), ["flow": true]) }
        let name: BoundedText<NameBound>? = section.required("name").flatMap { log.bounded($0, section.name("name")) }
        let throttle = section.duration("push_throttle", from: 1, to: 3600).map(\.wholeSeconds)
        let stale = section.duration("stale_after", from: 60, to: 604_800).map(\.wholeSeconds)
        let shared = SharedContent(
            label: section.bounded("label"),
            subtitle: section.bounded("subtitle"),
            icon: section.bounded("icon"),
            accentColor: section.color("accent_color"),
            backgroundColor: section.color("background_color"),
            textColor: section.color("text_color")
        )
        let unit = self.unit(section["unit"], section.name("unit"), standard: "W")
        let push = PushReader(log: log, section: section, unit: unit, throttle: throttle).policy()
        let flow = FlowReader(log: log, references: references, section: section, unit: unit).flow()
        guard let slug, let name, let flow else { return nil }
        return WidgetPlan(
            widget: WidgetDefinition(
                slug: slug,
                name: name,
                pushThrottle: throttle,
                staleAfter: stale,
                shared: shared
            ),
            template: .flow(flow.definition, flow.appearance),
            push: push
        )
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

    /// Whether the template is a planned one, whose keys are not known here and would only be reported as unknown.
    private func isPlanned(_ entry: YAMLEntry, _ path: String) -> Bool {
        guard case .mapping(let entries) = entry.value.content,
            let node = entries.first(where: { $0.key == "template" })?.value,
            case .scalar(let text, _) = node.content, ["progress", "countdown"].contains(text)
        else { return false }
        log.error(node.mark, "\(path).template: '\(text)' is not yet supported in this version")
        return true
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
