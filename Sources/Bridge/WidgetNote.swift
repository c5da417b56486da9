import Delivery
import Widgets

/// What the next run should know of the widgets of this one: the bridge deletes none unasked, and one that has left the
/// configuration would stay on the phone for ever with nobody to tell why.
struct WidgetNote: Sendable {
    private static let name = "widgets"
    private let slugs: [String]

    init(_ slugs: [Slug]) {
        self.slugs = slugs.map(\.description)
    }

    /// For the notes that are kept.
    var note: [String: String] {
        [WidgetNote.name: slugs.joined(separator: " ")]
    }

    /// A line for each widget of the run before that is not configured any more.
    func departed(since notes: [String: String]) -> [LogEntry] {
        let former = (notes[WidgetNote.name] ?? "").split(separator: " ").map(String.init)
        return former.filter { former in Slug(former) != nil && !slugs.contains { $0.hasSameBytes(as: former) } }
            .map { slug in
                LogEntry(
                    .notice,
                    "The widget '\(slug)' is no longer in the configuration. It stays as it is; 'flowbridge widget delete "
                        + "\(slug)' deletes it."
                )
            }
    }
}
