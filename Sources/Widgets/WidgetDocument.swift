/// A widget as the service stores it, without its slug and dates.
public struct WidgetDocument: Sendable, Equatable {
    /// The widget's name in the app's list.
    public var name: String
    /// What the widget shows.
    public var content: JSONObject
    /// Seconds between pushes. `nil` leaves the service's own, and what is stored.
    public var pushThrottle: Int?
    /// Seconds without an update after which the phone dims the widget. `nil` for never.
    public var staleAfter: Int?

    /// Makes a document.
    public init(name: String, content: JSONObject, pushThrottle: Int? = nil, staleAfter: Int? = nil) {
        self.name = name
        self.content = content
        self.pushThrottle = pushThrottle
        self.staleAfter = staleAfter
    }

    /// The document that a widget of this definition should be, with this content.
    public init(_ definition: WidgetDefinition, content: JSONObject) {
        self.init(
            name: definition.name.text,
            content: content,
            pushThrottle: definition.pushThrottle,
            staleAfter: definition.staleAfter
        )
    }

    /// Reads the service's answer to a read or a write, or `nil` when it is not an object with a `content` object.
    ///
    /// Lenient: members that are unknown are ignored, and one of a wrong type counts as absent, so that the next diff
    /// sets it right.
    public init?(widget: JSONValue) {
        guard let widget = widget.asObject, let content = widget["content"]?.asObject else { return nil }
        self.init(
            name: widget["name"]?.asString ?? "",
            content: content,
            pushThrottle: widget["push_throttle"]?.asNumber.flatMap(Int.init(exactly:)),
            staleAfter: widget["stale_after"]?.asNumber.flatMap(Int.init(exactly:))
        )
    }
}

extension WidgetDocument {
    /// The body of a `POST /widgets` that makes this document. Nothing in it is null: the service refuses that here.
    public func creation(slug: Slug) -> JSONObject {
        var body: JSONObject = ["slug": .string(slug.description)]
        for (key, value) in members { body[key] = value }
        return body
    }

    /// What a merge patch must hold to turn the stored document into this one, or `nil` when nothing differs.
    ///
    /// Members of the stored content that are not the bridge's are not touched. The result may lack `content`, so it
    /// is not yet a body: see `patch(_:)`.
    /// - Parameter abandoned: members of the content that the bridge set under an earlier configuration.
    public func difference(from stored: WidgetDocument, abandoning abandoned: [String] = []) -> JSONObject? {
        var stored = stored
        stored.content = ContentOwnership.owned(stored: stored.content, wanted: content, abandoned: abandoned)
        // The service takes a number for the throttle, but no null that would take one away.
        if pushThrottle == nil { stored.pushThrottle = nil }
        return MergePatch.diff(from: stored.members, to: members).map(pairingDates)
    }

    /// The difference with both dates where it has one: the other, as stored, could be on its wrong side when somebody
    /// else changed it meanwhile, and the service would refuse the patch.
    private func pairingDates(_ difference: JSONObject) -> JSONObject {
        guard var change = difference["content"]?.asObject else { return difference }
        for (one, other) in [("start_date", "end_date"), ("end_date", "start_date")] {
            if change[one] != nil, change[other] == nil { change[other] = content[other] }
        }
        var difference = difference
        difference["content"] = .object(change)
        return difference
    }

    /// The body of a `PATCH` that makes this difference. It always has a `content` with at least one member, as the
    /// service demands; where nothing in it differs that is the template.
    public func patch(_ difference: JSONObject) -> JSONObject {
        guard difference["content"] == nil else { return difference }
        return MergePatch.union(difference, heartbeat)
    }

    /// The body of a `PATCH` that changes nothing and shows that the widget is alive.
    public var heartbeat: JSONObject {
        var template = JSONObject()
        template["template"] = content["template"]
        return ["content": .object(template)]
    }

    /// The document that the service holds once it has applied a patch. One that would take the whole content away is
    /// refused there, and changes nothing here.
    public func merging(_ patch: JSONObject) -> WidgetDocument {
        WidgetDocument(widget: .object(MergePatch.apply(patch, to: members))) ?? self
    }

    private var members: JSONObject {
        var members: JSONObject = ["name": .string(name), "content": .object(content)]
        members["push_throttle"] = pushThrottle.map { JSONValue($0) }
        members["stale_after"] = staleAfter.map { JSONValue($0) }
        return members
    }
}
