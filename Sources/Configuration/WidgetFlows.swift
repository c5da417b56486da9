internal import EnergyFlow

/// The flows of a configuration by the slugs of their widgets, for countdowns that ask for their storage.
final class WidgetFlows {
    /// Of all that there are, sound or not.
    let slugs: [String]
    private var flows: [(slug: String, definition: FlowDefinition)] = []

    init(_ entries: [YAMLEntry]) {
        slugs = entries.map(\.key)
    }

    func add(_ definition: FlowDefinition, slug: String) {
        flows.append((slug, definition))
    }

    /// Whether there is a flow of that slug, even one that could not be read.
    func knows(_ slug: String) -> Bool {
        slugs.contains { $0.utf8.elementsEqual(slug.utf8) }
    }

    /// The flow of that slug; `nil` when it could not be read.
    subscript(slug: String) -> FlowDefinition? {
        flows.first { $0.slug.utf8.elementsEqual(slug.utf8) }?.definition
    }
}
