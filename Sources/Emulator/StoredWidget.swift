import Readings
import Widgets

/// A widget as the service holds it.
struct StoredWidget {
    /// Its name in paths.
    let slug: Slug
    /// `name`, `content`, and `push_throttle` and `stale_after` when they are set.
    var document: JSONObject
    /// Wall time since 1970.
    let createdAt: Duration
    /// Wall time since 1970.
    var updatedAt: Duration
    /// Patches that changed it.
    var updates = 0
    /// What the phone got.
    var pushes = PushCounter()

    /// The time between pushes that the widget asks for, or the service's own.
    var throttle: Duration {
        document["push_throttle"]?.asNumber.map { .seconds($0) } ?? PushCounter.usualThrottle
    }

    /// As it is answered.
    var answer: JSONValue {
        var answer: JSONObject = ["slug": .string(slug.description)]
        for (key, value) in document { answer[key] = value }
        answer["created_at"] = .string(RFC3339.text(createdAt))
        answer["updated_at"] = .string(RFC3339.text(updatedAt))
        return .object(answer)
    }
}
