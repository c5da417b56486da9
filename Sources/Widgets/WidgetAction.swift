/// What a tap does: it opens a URL, or sends a request from the phone. A value of this type keeps the service's bounds.
public struct WidgetAction: Sendable, Equatable {
    /// As in `content`: `url`, and perhaps `method`, `headers`, `body`, `title`, `icon` and `foreground`.
    public let members: JSONObject

    /// Takes an action's members, or `nil` when the service would refuse them: see `problems(in:)`.
    public init?(_ members: JSONObject) {
        guard Self.problems(in: members).isEmpty else { return nil }
        self.members = members
    }

    /// Everything that the service would refuse in an action; locations begin with a period and a member's name.
    public static func problems(in members: JSONObject) -> [ContentProblem] {
        ContentRules.problems(inAction: members)
    }

    /// Whether a tap does nothing: a web address is opened only in the foreground, and only a method makes it a request.
    public var isIdle: Bool {
        let url = members["url"]?.asString?.lowercased() ?? ""
        guard url.hasPrefix("http:") || url.hasPrefix("https:") else { return false }
        return members["method"] == nil && members["foreground"] != true
    }
}
