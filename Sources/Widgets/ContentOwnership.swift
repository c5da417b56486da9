/// Which members of a stored content belong to the bridge.
///
/// The app or another program may have set members that the bridge knows nothing of. They are left alone, unless a change
/// of template makes them meaningless.
public enum ContentOwnership {
    /// The part of a stored content that a diff to the wanted content may touch.
    ///
    /// With the same template these are the members that the wanted content has, each with all that is inside it, those
    /// that are the template's own, and those that the bridge set earlier: within `flow` everything is the bridge's, and a
    /// progress whose window is over must lose both dates. With another template it is everything, because what is left
    /// over from it can make the service refuse patches that never touch it.
    /// - Parameter abandoned: members that the bridge set under an earlier configuration.
    public static func owned(stored: JSONObject, wanted: JSONObject, abandoned: [String] = []) -> JSONObject {
        guard stored["template"] == wanted["template"] else { return stored }
        let own = templateMembers(wanted["template"]?.asString) + abandoned
        var owned = JSONObject()
        for (key, value) in stored where wanted[key] != nil || own.contains(where: { $0.hasSameBytes(as: key) }) {
            owned[key] = value
        }
        return owned
    }

    private static func templateMembers(_ template: String?) -> [String] {
        switch template {
        case "progress": ["value", "start_date", "end_date", "trend", "stat_rows"]
        case "countdown": ["start_date", "end_date", "expired_text"]
        default: []
        }
    }
}
