/// The templates of widgets, and the keys that each knows.
enum TemplateKind: String, CaseIterable {
    case flow
    case progress
    case countdown

    /// The template that a widget's entry names; `nil` when it names none that is known.
    init?(of entry: YAMLEntry) {
        guard case .mapping(let entries) = entry.value.content,
            let node = entries.first(where: { $0.key == "template" })?.value, case .scalar(let text, _) = node.content,
            let kind = TemplateKind(rawValue: text)
        else { return nil }
        self = kind
    }

    static let choices: KeyValuePairs = ["flow": flow, "progress": progress, "countdown": countdown]

    /// What a widget without a template was likely meant to be, so that more of it can be judged: a flow, unless it holds
    /// what no flow does.
    static func likely(in section: Section) -> TemplateKind? {
        [TemplateKind.progress, countdown].contains { $0.own.contains(where: section.has) } ? nil : flow
    }

    /// All that a widget of this template may hold.
    var keys: [String] { TemplateKind.sharedKeys + own }

    /// All that a widget may hold whose template is not known.
    static var allKeys: [String] { sharedKeys + allCases.flatMap(\.own) }

    /// The template that a key belongs to.
    static func owner(of key: String) -> TemplateKind? {
        allCases.first { $0.own.contains { $0.utf8.elementsEqual(key.utf8) } }
    }

    private static let sharedKeys = [
        "template", "name", "label", "subtitle", "subtitle_timer", "icon", "accent_color", "background_color",
        "text_color", "severity",
        "tap_action", "url_action", "secondary_url_action", "stale_after", "freshness", "push_throttle", "push",
    ]

    private var own: [String] {
        switch self {
        case .flow: ["unit", "inputs", "storage", "exchange", "output"]
        case .progress: ["value", "window", "trend", "stat_rows"]
        case .countdown: ["end", "start", "expired_text"]
        }
    }
}
