extension JSONPointer {
    /// What somebody meant who wrote a path as a template or another bridge takes it: `a.b[0]`, `value_json["x"]`,
    /// `$.a`, or a pointer without its slash.
    ///
    /// A dot between two digits is left alone (`PM2.5`, `1.8.0`): there it belongs to the key.
    static func suggestion(for text: String) -> String {
        var tokens: [String] = []
        var token = ""
        var rest = Substring(text)
        var last: Character = " "

        func isDecimalPoint() -> Bool {
            last.isASCII && last.isNumber && rest.first.map { $0.isASCII && $0.isNumber } == true
        }
        func close() {
            if !token.isEmpty { tokens.append(token) }
            token = ""
        }
        while let character = rest.popFirst() {
            switch character {
            case "." where !isDecimalPoint(), "/":
                close()
            case "[":
                close()
                token = bracketed(&rest)
                close()
            default:
                token.append(character)
            }
            last = character
        }
        close()
        if let first = tokens.first, ["$", "value_json", "payload_json"].contains(first) { tokens.removeFirst() }
        return tokens.map { "/" + escaped($0) }.joined()
    }

    /// Takes what stands between brackets, without its quotes.
    private static func bracketed(_ rest: inout Substring) -> String {
        var inside = ""
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            while let character = rest.popFirst(), character != "]" { inside.append(character) }
            return inside
        }
        rest.removeFirst()
        while let character = rest.popFirst(), character != quote { inside.append(character) }
        if rest.first == "]" { rest.removeFirst() }
        return inside
    }

    private static func escaped(_ token: String) -> String {
        var result = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
