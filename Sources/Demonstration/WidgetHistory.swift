public import Widgets

/// What became of one widget, told by the requests that wrote it.
public struct WidgetHistory: Sendable {
    /// One accepted write.
    public struct Update: Sendable, Equatable {
        /// `POST` or `PATCH`.
        public var method: String
        /// The body as it went.
        public var body: JSONValue
        /// The whole content of the widget after it.
        public var content: JSONObject

        /// Makes an update.
        public init(method: String, body: JSONValue, content: JSONObject) {
            self.method = method
            self.body = body
            self.content = content
        }

        /// The length of the body in bytes.
        public var size: Int { body.description.utf8.count }

        /// The length in bytes of a body that says the whole content, as clients without merge patches send each time.
        public var fullSize: Int {
            let full: JSONObject = ["content": .object(content)]
            return full.description.utf8.count
        }

        /// The part of the body that differs from one patch to the next: what most say of the flow, without what is around.
        public var change: JSONValue {
            var change = body
            for key in ["content", "flow"] {
                guard let object = change.asObject, object.count == 1, let inner = object[key] else { break }
                change = inner
            }
            return change
        }

        /// What was sent and how much of it, as `PATCH   97 of 382 bytes,  25 %`.
        public var summary: String {
            guard method == "PATCH" else {
                return "\(Figure.left(method, 5)) \(Figure.right("\(size)", 4)) bytes, everything"
            }
            let share = Int((Double(size) / Double(fullSize) * 100).rounded())
            return "PATCH \(Figure.right("\(size)", 4)) of \(fullSize) bytes, \(Figure.right("\(share)", 3)) %"
        }
    }

    private let slug: String
    private var widget = JSONObject()
    private var sizes: [(patch: Int, full: Int)] = []

    /// Begins with a widget that does not exist.
    public init(slug: String) {
        self.slug = slug
    }

    /// Takes a request into account, and gives the update that it made, if any.
    public mutating func take(_ entry: TraceEntry) -> Update? {
        guard entry.isAccepted, let body = entry.body.asObject else { return nil }
        switch entry.method {
        case "POST" where entry.path == "/widgets" && body["slug"] == .string(slug):
            widget = body
        case "PATCH" where entry.path == "/widgets/\(slug)":
            widget = MergePatch.apply(body, to: widget)
        default:
            return nil
        }
        let update = Update(method: entry.method, body: entry.body, content: widget["content"]?.asObject ?? [:])
        if update.method == "PATCH" { sizes.append((update.size, update.fullSize)) }
        return update
    }

    /// How many patches there were.
    public var patches: Int { sizes.count }

    /// The bytes of all patches together, and those that whole contents in their place would have had.
    public var bytes: (patches: Int, full: Int) {
        sizes.reduce((0, 0)) { ($0.0 + $1.patch, $0.1 + $1.full) }
    }
}
