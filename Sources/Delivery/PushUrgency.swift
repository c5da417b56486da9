import Widgets

/// Which changes of a flow a person wants to see at once.
enum PushUrgency {
    /// Whether a slot appears or goes, or a two-way slot changes its direction.
    static func isUrgent(from stored: JSONObject, to wanted: JSONObject) -> Bool {
        guard let old = stored["flow"]?.asObject, let new = wanted["flow"]?.asObject else { return true }
        let slots = ["storage", "exchange", "output"]
        if slots.contains(where: { (old[$0] == nil) != (new[$0] == nil) }) { return true }
        if old["inputs"]?.asArray?.count != new["inputs"]?.asArray?.count { return true }
        return ["storage", "exchange"].contains { direction(old[$0]) * direction(new[$0]) < 0 }
    }

    private static func direction(_ node: JSONValue?) -> Double {
        let rate = node?.asObject?["rate"]?.asNumber ?? 0
        return rate > 0 ? 1 : rate < 0 ? -1 : 0
    }
}
