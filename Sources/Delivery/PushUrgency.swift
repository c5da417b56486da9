import Widgets

/// Which changes of a flow a person wants to see at once.
enum PushUrgency {
    /// Whether a slot appears or goes, or a two-way slot changes its direction.
    static func isUrgent(from stored: JSONObject, to wanted: JSONObject) -> Bool {
        guard case .object(let old) = stored["flow"], case .object(let new) = wanted["flow"] else { return true }
        let slots = ["storage", "exchange", "output"]
        if slots.contains(where: { (old[$0] == nil) != (new[$0] == nil) }) { return true }
        if count(old["inputs"]) != count(new["inputs"]) { return true }
        return ["storage", "exchange"].contains { direction(old[$0]) * direction(new[$0]) < 0 }
    }

    private static func count(_ inputs: JSONValue?) -> Int {
        if case .array(let elements) = inputs { elements.count } else { 0 }
    }

    private static func direction(_ node: JSONValue?) -> Double {
        guard case .object(let members) = node, case .number(let rate) = members["rate"] else { return 0 }
        return rate > 0 ? 1 : rate < 0 ? -1 : 0
    }
}
