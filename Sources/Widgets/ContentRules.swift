/// What the service accepts as a `content`: its bounds, checked before a request leaves.
///
/// As on the service there is one table of members for all templates. So a member left over from an earlier template
/// is no problem as such, but it must keep its bounds even where the present template ignores it.
///
/// The templates value, status, gauge, stat_list, trend, battery and schedule are known by what all templates share;
/// members of their own are unknown here.
public enum ContentRules {
    /// Everything that the service would refuse in a whole content, in the order of the members.
    ///
    /// - Parameters:
    ///   - content: A content as stored: after a merge patch is applied, not the patch itself.
    ///   - now: Wall time since 1970-01-01T00:00:00Z; start and end dates may lie up to 366 days after it.
    public static func problems(in content: JSONObject, now: Duration) -> [ContentProblem] {
        var check = ContentCheck(now: now)
        check.object(content, ContentRules.content, at: "content")
        return check.problems
    }

    /// Everything that the service would refuse in an action.
    static func problems(inAction members: JSONObject) -> [ContentProblem] {
        var check = ContentCheck(now: .zero)
        check.object(members, action, at: "")
        return check.problems
    }
}

// MARK: - The tables

extension ContentRules {
    fileprivate static let content = Schema(
        [
            .required("template", .word(templates)),
            .optional("label", .text(0...LabelBound.limit)),
            .optional("subtitle", .text(0...LabelBound.limit)),
            .optional("unit", .text(0...UnitBound.limit)),
            .optional("icon", .text(0...IconBound.limit)),
            .optional("severity", .word(["info", "warning", "critical", "success"])),
            .optional("trend", .word(["up", "down", "flat"])),
            .optional("accent_color", .color),
            .optional("background_color", .color),
            .optional("text_color", .color),
            .optional("stat_rows", .list(.object(statRow), 0...6)),
            .optional("subtitle_timer", .object(timer)),
            .optional("tap_action", .object(action)),
            .optional("url_action", .object(action)),
            .optional("secondary_url_action", .object(action)),
            .optional("flow", .object(flow)),
            .optional("value", .number(-Double.infinity ... .infinity)),
            .optional("start_date", .windowedDate),
            .optional("end_date", .windowedDate),
            .optional("expired_text", .text(0...64)),
        ],
        also: requirements
    )

    private static let templates = [
        "value", "progress", "status", "gauge", "stat_list", "trend", "countdown", "battery", "schedule", "flow",
    ]

    private static let flow = Schema(
        [
            .optional("inputs", .list(.object(node), 0...3)),
            .optional("output", .object(node)),
            .optional("storage", .object(node)),
            .optional("exchange", .object(node)),
        ],
        also: { flow in
            flow.allSatisfy { $0.value == [] } ? [Finding("", "A flow needs at least one slot.")] : []
        }
    )

    private static let node = Schema([
        .required("rate", .number(-Double.infinity ... .infinity)),
        .optional("name", .text(0...NodeNameBound.limit)),
        .optional("total", .number(0 ... .infinity)),
        .optional("level", .number(0...100)),
        .optional("icon", .text(0...IconBound.limit)),
        .optional("color", .color),
    ])

    private static let statRow = Schema([
        .required("label", .text(1...32)),
        .required("value", .text(1...32)),
        .optional("unit", .text(0...16)),
        .optional("timer", .object(timer)),
    ])

    private static let timer = Schema([
        .required("date", .date),
        .optional("style", .word(["timer", "relative"])),
    ])

    private static let action = Schema(
        [
            .required("url", .text(1...2048)),
            .optional("method", .word(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])),
            .optional("headers", .headers(bytes: 1024)),
            .optional("body", .text(0...1024)),
            .optional("title", .text(0...64)),
            .optional("icon", .text(0...64)),
            .optional("foreground", .bool),
        ],
        also: actionRequirements
    )
}

// MARK: - What no table can say

extension ContentRules {
    private static func requirements(of content: JSONObject) -> [Finding] {
        var findings: [Finding] = []
        let hasWindow = content["start_date"] != nil && content["end_date"] != nil
        switch content["template"] {
        case "flow" where content["flow"] == nil:
            findings.append(Finding(".flow", "The template flow requires it."))
        case "progress":
            if content["value"] == nil && !hasWindow {
                findings.append(Finding(".value", "The template progress requires it, or both dates."))
            }
            if let value = content["value"]?.asNumber, !(0...1).contains(value) {
                findings.append(Finding(".value", "In the template progress it must be within 0...1."))
            }
        case "countdown" where content["end_date"] == nil:
            findings.append(Finding(".end_date", "The template countdown requires it."))
        case "stat_list" where (content["stat_rows"] ?? []) == []:
            findings.append(Finding(".stat_rows", "The template stat_list requires at least one."))
        default: break
        }
        if let start = content["start_date"]?.asString.flatMap(RFC3339.parse),
            let end = content["end_date"]?.asString.flatMap(RFC3339.parse), start >= end
        {
            findings.append(Finding(".start_date", "It must be before end_date."))
        }
        return findings
    }

    private static func actionRequirements(of action: JSONObject) -> [Finding] {
        guard let url = action["url"]?.asString, !url.isEmpty else { return [] }
        guard let scheme = scheme(of: url) else {
            return [Finding(".url", "It must begin with a scheme, as in https://.")]
        }
        switch scheme {
        case "javascript", "data", "file", "vbscript":
            return [Finding(".url", "The scheme \(scheme) is refused.")]
        case "http", "https":
            return hasHost(url) ? [] : [Finding(".url", "A web address needs a host.")]
        default:
            return ["method", "headers", "body"].filter { action[$0] != nil }.map { member in
                Finding(".\(member)", "It is allowed with http and https only.")
            }
        }
    }

    /// The scheme in lower case (RFC 3986 section 3.1), or `nil` when the text has none.
    private static func scheme(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = url.utf8[..<colon]
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Whether something stands where the host does (RFC 3986 section 3.2): between `//`, user and port.
    private static func hasHost(_ url: String) -> Bool {
        let afterScheme = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        guard afterScheme.starts(with: "//".utf8) else { return false }
        let authority = afterScheme.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
        return host.first.map { $0 != UInt8(ascii: ":") } ?? false
    }
}
