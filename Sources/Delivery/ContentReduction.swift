import Widgets

/// What is left out of a content because the service refused it: one bad icon must not freeze the rates.
///
/// Each refusal takes one step: the cosmetic members that the service names; then all but what is required; then, if the
/// bare content is refused as well, nothing is sent until the content changes.
struct ContentReduction: Sendable, Equatable {
    /// Members, with their path in the content, positions in arrays left out: `flow.inputs.color`.
    private var dropped: Set<String> = []
    private var isBare = false

    private static let cosmetic: Set<String> = [
        "label", "subtitle", "icon", "color", "name", "unit", "severity", "trend", "accent_color", "background_color",
        "text_color", "stat_rows", "subtitle_timer", "tap_action", "url_action", "secondary_url_action", "total",
        "level",
        "expired_text",
    ]

    /// Takes a step after a refusal. Returns what was given up, `nil` when there is nothing left to give up.
    mutating func refuse(_ locations: [String]) -> String? {
        let named = Set(locations.compactMap(ContentReduction.cosmeticPath)).subtracting(dropped)
        if !named.isEmpty, !isBare {
            dropped.formUnion(named)
            return named.sorted().joined(separator: ", ")
        }
        guard !isBare else { return nil }
        isBare = true
        return "everything but the values"
    }

    /// The content without what is left out.
    func applied(to content: JSONObject) -> JSONObject {
        guard isBare || !dropped.isEmpty else { return content }
        return reduced(content, at: "")
    }

    private func reduced(_ object: JSONObject, at path: String) -> JSONObject {
        var result = JSONObject()
        for (key, value) in object where !isLeftOut(key, at: path + key) {
            result[key] = reduced(value, at: path + key + ".")
        }
        return result
    }

    private func reduced(_ value: JSONValue, at path: String) -> JSONValue {
        switch value {
        case .object(let object): .object(reduced(object, at: path))
        case .array(let elements): .array(elements.map { reduced($0, at: path) })
        default: value
        }
    }

    private func isLeftOut(_ key: String, at path: String) -> Bool {
        dropped.contains(path) || (isBare && ContentReduction.cosmetic.contains(key))
    }

    /// `body.content.flow.inputs[0].color` → `flow.inputs.color`; `nil` when it is no cosmetic member.
    private static func cosmeticPath(_ location: String) -> String? {
        let parts = location.split { ".[]/".contains($0) }.filter { Int($0) == nil }
        guard let content = parts.firstIndex(of: "content") else { return nil }
        let path = parts[(content + 1)...]
        // A fault inside an action or a row makes the whole of it go.
        guard let end = path.firstIndex(where: { cosmetic.contains(String($0)) }) else { return nil }
        return path[...end].joined(separator: ".")
    }
}
