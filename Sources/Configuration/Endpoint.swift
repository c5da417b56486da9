/// A URL of scheme, host, port and path, and nothing else.
struct Endpoint: Equatable {
    var isSecure: Bool
    /// Without the brackets of an IPv6 address.
    var host: String
    var port: Int?
    var path: String

    /// Whether it is this machine itself, so that nothing travels.
    var isLoopback: Bool {
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = bytes.count == 4 && bytes.allSatisfy { UInt8($0) != nil }
        return host.lowercased() == "localhost" || host == "::1" || (isIPv4 && bytes[0] == "127")
    }

    /// Parses a URL whose scheme is one of two.
    ///
    /// The reasons complete a sentence about the key, and hold nothing of the text: a password may be in it.
    init(_ text: String, plain: String, secure: String) throws(EndpointError) {
        let bytes = text.utf8
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw EndpointError("may hold neither blanks nor letters beyond ASCII")
        }
        let isPlain = text.lowercased().hasPrefix("\(plain)://")
        isSecure = text.lowercased().hasPrefix("\(secure)://")
        guard isPlain || isSecure else {
            throw EndpointError("must begin with \(secure):// or \(plain)://")
        }
        let rest = text.dropFirst((isSecure ? secure : plain).count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        path = String(rest.dropFirst(authority.count))
        guard !rest.contains("@") else {
            throw EndpointError("holds a user or a password; they have keys of their own")
        }
        guard !path.contains("?"), !path.contains("#") else {
            throw EndpointError("may hold neither '?' nor '#'")
        }

        var portText: Substring?
        if authority.first == "[" {
            let address = authority.dropFirst().prefix { $0 != "]" }
            let after = authority.dropFirst(address.count + 2)
            guard authority.contains("]"), after.isEmpty || after.first == ":", address.contains(":") else {
                throw EndpointError("has a broken IPv6 address")
            }
            host = String(address)
            portText = after.isEmpty ? nil : after.dropFirst()
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { throw EndpointError("must have an IPv6 address in brackets: [::1]") }
            host = parts.first.map(String.init) ?? ""
            portText = parts.count == 2 ? parts[1] : nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0.isASCIIAlphanumeric || ".-_:%".utf8.contains($0) }) else {
            throw EndpointError("has no host, or one with letters that no host has")
        }
        guard let portText else { return }
        guard portText.utf8.allSatisfy(\.isASCIIDigit), let number = Int(portText), (1...65_535).contains(number)
        else {
            throw EndpointError("has a port outside 1 to 65535")
        }
        port = number
    }
}

/// Why a text is no such URL.
struct EndpointError: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) {
        description = reason
    }
}
