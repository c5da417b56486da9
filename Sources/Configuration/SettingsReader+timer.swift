internal import Bridge
internal import EnergyFlow

extension SettingsReader {
    /// The time below the heading: `{ since: READING }` or `{ until: READING }`, and perhaps a style.
    func timer(_ widget: Section, _ references: ReferenceReader) -> SubtitleTimer? {
        guard let entry = widget.entry("subtitle_timer"),
            let section = Section(
                entry.value,
                widget.name("subtitle_timer"),
                at: entry.mark,
                keys: ["since", "until", "style"],
                log: log
            )
        else { return nil }
        let style = section.choice("style", ["timer": SubtitleTimer.Style.timer, "relative": .relative])
        if case .scalar("timer", _) = widget["freshness"]?.content {
            log.error(
                entry.mark,
                "\(section.path) cannot stand beside freshness: timer, which shows the age of the data in its place"
            )
            return nil
        }
        guard section.has("since") != section.has("until") else {
            log.error(
                entry.mark,
                "\(section.path) needs one of { since: READING } for what has begun and { until: READING } for what is to come"
            )
            return nil
        }
        let key = section.has("since") ? "since" : "until"
        guard let node = section[key] else { return nil }
        let moments = MomentReader(log: log, references: references)
        switch moments.moment(node, section.name(key), key == "since" ? .start : .end) {
        case .reading(let moment):
            return SubtitleTimer(moment, style: style)
        case .daily:
            log.error(node.mark, "\(section.name(key)) must be a reading: a countdown takes times of the day")
            return nil
        case .broken:
            return nil
        }
    }
}
