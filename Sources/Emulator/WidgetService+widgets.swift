import Readings
import Widgets

extension WidgetService {
    func list() -> Response {
        // Null rather than an empty list: the service says either, and a client that expects a list breaks on null.
        let items = widgets.isEmpty ? JSONValue.null : .array(widgets.map(\.answer))
        return Response(200, ["items": items])
    }

    mutating func create(_ request: Request, at now: Moment) throws(Problem) -> Response {
        try require("application/json", of: request)
        let body = Shape.creation.withoutNullLists(
            .object(
                try object(of: request) { reason in
                    var problem = Problem(400, nil, "validation failed")
                    problem.violations = [Violation(message: reason, location: "body", value: nil)]
                    return problem
                }
            )
        )
        var violations = Shape.creation.violations(of: body, at: "body", now: now.wall)
        var document = body.asObject ?? JSONObject()
        let slug = document["slug"]?.asString.flatMap(Slug.init)
        if let text = document["slug"], slug == nil, !violations.contains(where: { $0.location == "body.slug" }) {
            let message = "expected string to match pattern ^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$"
            violations.append(Violation(message: message, location: "body.slug", value: text))
        }
        guard let slug, violations.isEmpty else { throw Problem(violations: violations) }
        document["slug"] = nil
        try checkContent(of: document)

        let existing = widgets.firstIndex { $0.slug == slug }
        if existing == nil, widgets.count >= WidgetService.largestCount {
            throw Problem(429, "widget.limit_exceeded", "widget limit reached (max \(WidgetService.largestCount))")
        }
        let index = existing ?? widgets.endIndex
        if existing == nil {
            widgets.append(StoredWidget(slug: slug, document: document, createdAt: now.wall, updatedAt: now.wall))
        }
        widgets[index].replace(with: document, at: now)
        let action = existing == nil ? "created" : "updated"
        return Response(
            201,
            widgets[index].answer,
            headers: [Response.Header(name: "X-Resource-Action", value: action)]
        )
    }

    mutating func patch(_ index: Int, _ request: Request, at now: Moment) throws(Problem) -> Response {
        try require("application/merge-patch+json", of: request)
        let patch = try object(of: request) { Problem(400, "widget.content_invalid", "invalid JSON: \($0)") }
        if patch.isEmpty { throw Problem(400, "request.body_required", "request body is required") }
        let violations = WidgetService.violations(ofPatch: patch)
        if !violations.isEmpty { throw Problem(content: violations) }

        let merged = MergePatch.apply(patch, to: widgets[index].document)
        let mergedViolations = Shape.widget.violations(of: .object(merged), at: "body", now: now.wall)
        if !mergedViolations.isEmpty { throw Problem(content: mergedViolations) }
        try checkContent(of: merged)
        if quota.isExhausted { throw quotaProblem(at: now) }

        let isChange = merged != widgets[index].document
        quota.count(changed: isChange)
        if isChange {
            updates += 1
            widgets[index].updates += 1
            widgets[index].replace(with: merged, at: now)
        } else {
            widgets[index].updatedAt = now.wall
        }
        return Response(200, widgets[index].answer)
    }

    mutating func delete(_ index: Int, at now: Moment) -> Response {
        earlierPushes += widgets[index].pushes.pushes(at: now.uptime)
        widgets.remove(at: index)
        return Response(204)
    }

    /// What a patch may not say, whatever it is merged into.
    private static func violations(ofPatch patch: JSONObject) -> [Violation] {
        var violations = Shape.widget.strangers(in: .object(patch), at: "body")
        // Only `stale_after` may be cleared; a patch without content is described as invalid, and one with empty
        // content as doing nobody knows what.
        for key in ["name", "push_throttle"] where patch[key] == .null {
            violations.append(Violation(message: "may not be null", location: "body.\(key)", value: .null))
        }
        switch patch["content"] {
        case nil:
            let message = "expected required property content to be present"
            violations.append(Violation(message: message, location: "body", value: .object(patch)))
        case .object(let content)? where !content.isEmpty: break
        case let content?:
            let message = "expected object with at least one member"
            violations.append(Violation(message: message, location: "body.content", value: content))
        }
        return violations
    }

    private func checkContent(of document: JSONObject) throws(Problem) {
        let violations = Template.violations(of: document["content"]?.asObject ?? JSONObject(), at: "body.content")
        if !violations.isEmpty { throw Problem(content: violations) }
    }

    private func require(_ mediaType: String, of request: Request) throws(Problem) {
        guard request.mediaType != mediaType else { return }
        throw Problem(415, nil, "content type must be \(mediaType)")
    }

    /// The body as an object; `malformed` words what is wrong with any other.
    private func object(of request: Request, malformed: (String) -> Problem) throws(Problem) -> JSONObject {
        if request.body.count > Request.largestBody { throw Problem(413, nil, "request body is too large") }
        if request.body.isEmpty { throw Problem(400, "request.body_required", "request body is required") }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: request.body)
        } catch {
            throw malformed(error.description)
        }
        guard let object = value.asObject else { throw malformed("The body is not an object.") }
        return object
    }

    func position(of escaped: String) throws(Problem) -> Int {
        guard let slug = WidgetService.unescaped(escaped).flatMap(Slug.init) else {
            throw Problem(400, "slug.invalid", "invalid slug format")
        }
        guard let index = widgets.firstIndex(where: { $0.slug == slug }) else {
            throw Problem(404, "widget.not_found", "widget not found")
        }
        return index
    }

    /// A path segment without its percent escapes, or `nil` when they are broken.
    private static func unescaped(_ segment: String) -> String? {
        var bytes: [UInt8] = []
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(UInt8(digits[0] * 16 + digits[1]))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension StoredWidget {
    /// Takes a document and tells the phone.
    fileprivate mutating func replace(with document: JSONObject, at now: Moment) {
        self.document = document
        updatedAt = now.wall
        pushes.change(at: now.uptime, throttle: throttle)
    }
}
