/// JSON merge patches (RFC 7396): an absent member is kept, `null` removes, an object is merged member by member, and
/// anything else, arrays included, replaces as a whole.
///
/// A merge patch cannot say "a member that is null". Documents here have no such members; one that is met in a target
/// counts as absent.
public enum MergePatch {
    /// The document that the service holds once it has applied a patch (RFC 7396 section 2).
    public static func apply(_ patch: JSONValue, to document: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        return .object(apply(patch, to: document.asObject ?? JSONObject()))
    }

    /// The object that the service holds once it has applied a patch (RFC 7396 section 2).
    public static func apply(_ patch: JSONObject, to document: JSONObject) -> JSONObject {
        var result = document
        for (key, value) in patch {
            result[key] = value == .null ? nil : apply(value, to: result[key] ?? .null)
        }
        return result
    }

    /// The smallest patch that turns `old` into `new`, or `nil` when there is nothing to change.
    ///
    /// Objects on both sides are compared member by member; an array that differs anywhere goes whole, and so does an
    /// object that stands where there was none.
    public static func diff(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard case .object(let new) = new, case .object(let old) = old else { return old == new ? nil : new }
        return diff(from: old, to: new).map(JSONValue.object)
    }

    /// The smallest patch that turns `old` into `new`, or `nil` when there is nothing to change.
    public static func diff(from old: JSONObject, to new: JSONObject) -> JSONObject? {
        var patch = JSONObject()
        for (key, value) in new where value != .null {
            patch[key] = old[key].map { diff(from: $0, to: value) } ?? value
        }
        for (key, value) in old where (new[key] ?? .null) == .null && new[key] != value {
            patch[key] = .null
        }
        return patch.isEmpty ? nil : patch
    }

    /// One patch out of two that lead from two documents to the same target.
    ///
    /// Applied to either of the two documents it gives the target. It is what to send while it is not known which of
    /// them the service holds, because a request was left unanswered.
    public static func union(_ first: JSONValue?, _ second: JSONValue?) -> JSONValue? {
        guard let first else { return second }
        guard case .object(let left) = first, case .object(let right) = second else { return second ?? first }
        return .object(union(left, right))
    }

    /// One patch out of two that lead from two objects to the same target; see the other `union`.
    public static func union(_ first: JSONObject, _ second: JSONObject) -> JSONObject {
        var result = first
        for (key, value) in second {
            result[key] = union(result[key], value)
        }
        return result
    }
}
