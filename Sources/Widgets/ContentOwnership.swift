/// Which members of a stored content belong to the bridge.
///
/// The app, another program or an earlier configuration may have set members that the bridge knows nothing of. They
/// are left alone, unless a change of template makes them meaningless.
public enum ContentOwnership {
    /// The part of a stored content that a diff to the wanted content may touch.
    ///
    /// With the same template these are the members that the wanted content has, each with all that is inside it:
    /// within `flow` everything is the bridge's. With another template it is everything, because what is left over
    /// from it can make the service refuse patches that never touch it.
    public static func owned(stored: JSONObject, wanted: JSONObject) -> JSONObject {
        guard stored["template"] == wanted["template"] else { return stored }
        var owned = JSONObject()
        for (key, value) in stored where wanted[key] != nil { owned[key] = value }
        return owned
    }
}
