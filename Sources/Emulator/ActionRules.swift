import Widgets

/// What an action of a widget may do, beyond the shape of its members.
enum ActionRules {
    private static let refusedSchemes: Set = ["javascript", "data", "file", "vbscript"]
    private static let largestHeaders = 1024

    /// What is wrong with an action of the right shape.
    static func violations(of action: JSONObject, at location: String) -> [Violation] {
        func violation(_ message: String, _ key: String) -> Violation {
            Violation(message: message, location: "\(location).\(key)", value: action[key])
        }
        guard let url = action["url"]?.asString, let scheme = scheme(of: url) else {
            return [violation("url must be absolute", "url")]
        }
        if refusedSchemes.contains(scheme) { return [violation("url scheme \(scheme) is not allowed", "url")] }
        guard scheme == "http" || scheme == "https" else {
            return ["method", "headers", "body"].filter { action[$0] != nil }.map {
                violation("\($0) is allowed with http and https only", $0)
            }
        }
        if !hasHost(url.dropFirst(scheme.utf8.count + 1)) { return [violation("url must have a host", "url")] }
        let headers = action["headers"]?.asObject ?? JSONObject()
        // Bytes, unlike everywhere else: these travel as HTTP headers.
        let bytes = headers.reduce(0) { $0 + $1.key.utf8.count + ($1.value.asString?.utf8.count ?? 0) }
        return bytes > largestHeaders ? [violation("headers must have at most 1024 bytes", "headers")] : []
    }

    /// The scheme in lower case, or `nil` when the text has none (RFC 3986 section 3.1).
    private static func scheme(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = url[..<colon]
        let fits = scheme.unicodeScalars.enumerated().allSatisfy { index, scalar in
            switch scalar {
            case "a"..."z", "A"..."Z": true
            case "0"..."9", "+", "-", ".": index > 0
            default: false
            }
        }
        return fits && !scheme.isEmpty ? scheme.lowercased() : nil
    }

    /// Whether the part after `http:` names a host (RFC 3986 section 3.2).
    private static func hasHost(_ rest: Substring) -> Bool {
        guard rest.hasPrefix("//") else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return !host.isEmpty && !host.hasPrefix(":")
    }
}
