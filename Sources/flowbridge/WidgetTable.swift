import Widgets

/// The account's widgets as a table for people.
struct WidgetTable {
    private let rows: [[String]]

    /// Makes a table of widgets as the service lists them.
    /// - Parameter configured: the slugs in the configuration; others belong to somebody else, or are left over.
    init(_ widgets: [JSONValue], configured: [Slug]) {
        rows = widgets.map { widget in
            let slug = widget.asObject?["slug"]?.asString ?? ""
            return [
                slug, widget.asObject?["name"]?.asString ?? "",
                widget.asObject?["content"]?.asObject?["template"]?.asString ?? "",
                widget.asObject?["updated_at"]?.asString ?? "",
                configured.contains { $0.description.hasSameBytes(as: slug) } ? "yes" : "no",
            ]
        }
    }

    /// A row a widget below a row of headings.
    var text: String {
        Self.aligned([["slug", "name", "template", "updated", "configured"]] + rows)
    }

    /// All members of one widget, a line each: where it stands and what it is.
    static func members(of widget: JSONValue) -> String {
        aligned(leaves(of: widget, at: ""))
    }

    private static func leaves(of value: JSONValue, at path: String) -> [[String]] {
        switch value {
        case .object(let members):
            members.flatMap { leaves(of: $0.value, at: path.isEmpty ? $0.key : "\(path).\($0.key)") }
        case .array(let elements):
            elements.enumerated().flatMap { leaves(of: $0.element, at: "\(path)[\($0.offset)]") }
        case .string(let text): [[path, text]]
        default: [[path, value.description]]
        }
    }

    private static func aligned(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(printable) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                // Nothing stands behind the last cell, and blanks there would only wrap.
                column == row.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }
            return cells.joined(separator: "  ") + "\n"
        }
        .joined()
    }
}
