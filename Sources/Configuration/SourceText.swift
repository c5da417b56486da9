/// A configuration's text as it was read, line by line, and which of its lines a message may show.
struct SourceText {
    /// Larger files are no configuration.
    static let sizeLimit = 1 << 20

    /// The text without a byte order mark.
    let bytes: [UInt8]
    private let lines: [String]
    private let showable: [Bool]

    /// Judges the encoding: UTF-8, without control characters.
    init(_ input: [UInt8]) throws(SourceTextError) {
        let bytes = input.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(input.dropFirst(3)) : input
        guard bytes.count <= SourceText.sizeLimit else {
            throw SourceTextError(mark: .start, message: "the file is larger than 1 MiB")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw SourceTextError(mark: .start, message: "the file is UTF-16; save it as UTF-8")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SourceTextError(
                mark: SourceText.firstInvalid(in: bytes),
                message: "the file is not UTF-8 from here on"
            )
        }
        if let mark = SourceText.firstControl(in: text) {
            throw SourceTextError(mark: mark, message: "a control character, which YAML does not allow")
        }
        self.bytes = bytes
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.last == "\r" ? line.dropLast() : line)
        }
        showable = SourceText.showable(lines)
    }

    /// The line's text, unless a secret could be in it.
    func line(_ number: Int) -> String? {
        isShowable(line: number) ? lines[number - 1] : nil
    }

    /// Whether a message may hold text of this line.
    func isShowable(line number: Int) -> Bool {
        showable.indices.contains(number - 1) && showable[number - 1]
    }

    /// The character at a place.
    func scalar(at mark: YAMLMark) -> Unicode.Scalar? {
        guard lines.indices.contains(mark.line - 1) else { return nil }
        return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first
    }

    /// The place itself, or the end of the text for one behind it: libfyaml counts a line more than there is.
    func within(_ mark: YAMLMark) -> YAMLMark {
        guard mark.line > lines.count, let last = lines.last else { return mark }
        return YAMLMark(line: lines.count, column: last.unicodeScalars.count + 1)
    }

    private static func firstInvalid(in bytes: [UInt8]) -> YAMLMark {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var mark = YAMLMark.start
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            mark = mark.advanced(over: scalar)
        }
        return mark
    }

    private static func firstControl(in text: String) -> YAMLMark? {
        var mark = YAMLMark.start
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            // A lone CR is a line break to YAML and to nobody else.
            if isAfterReturn, scalar != "\n" { return mark }
            isAfterReturn = scalar == "\r"
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: break
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: return mark
            default: break
            }
            mark = mark.advanced(over: scalar)
        }
        return nil
    }

    // MARK: - What may be shown

    /// The sections that hold no secrets. Everything else is hidden until shown to be harmless.
    private static let openSections: Set<String> = ["timezone", "readings", "widgets"]
    /// Keys of the other sections whose values are no secrets.
    private static let harmlessKeys: Set<String> = ["url", "username", "ca", "client_certificate", "client_id"]
    /// Signs of a secret or of a section that holds some, in a line that should have none.
    private static let signs = [
        "passw", "secret", "token", "credential", "bearer", "hlk_", "broker:", "broker\"", "pushward:", "pushward\"",
        "key:", "key\"", "key'", "key :",
    ]

    private static func showable(_ lines: [String]) -> [Bool] {
        var isOpen = false
        var sectionIndent = Int.max
        var secretIndent: Int?
        return lines.map { line in
            let indent = line.prefix { $0 == " " }.count
            let body = line.dropFirst(indent)
            guard let first = body.first, first != "#" else { return false }
            let key = leadingKey(body)
            if let key, first != "\t", indent <= sectionIndent {
                sectionIndent = indent
                isOpen = openSections.contains(key)
                secretIndent = nil
                if !isOpen { return false }
            }
            if let hidden = secretIndent {
                // What is indented below a secret's key may be the secret.
                if indent > hidden { return false }
                secretIndent = nil
            }
            let lowered = body.lowercased()
            if signs.contains(where: lowered.holds) || (lowered.holds("://") && lowered.contains("@")) {
                secretIndent = indent
                return false
            }
            if isOpen { return true }
            guard let key, indent > sectionIndent, harmlessKeys.contains(key) else { return false }
            return !body.contains { "@{}\"'".contains($0) }
        }
    }

    private static func leadingKey(_ body: Substring) -> String? {
        guard let colon = body.firstIndex(of: ":") else { return nil }
        let after = body[body.index(after: colon)...]
        guard after.isEmpty || after.first == " " else { return nil }
        return String(body[..<colon].filter { !"\"' ".contains($0) })
    }
}

/// Why a file is no text that YAML can be read from.
struct SourceTextError: Error {
    var mark: YAMLMark
    var message: String
}

extension YAMLMark {
    fileprivate func advanced(over scalar: Unicode.Scalar) -> YAMLMark {
        scalar == "\n" ? YAMLMark(line: line + 1, column: 1) : YAMLMark(line: line, column: column + 1)
    }
}

/// A piece of the file within quotes, for a message: short, and without what looks like a secret.
func quoted(_ text: String) -> String {
    if text.holds("hlk_") || (text.holds("://") && text.contains("@")) { return "'•••'" }
    let limit = 64
    return "'\(String(text.unicodeScalars.prefix(limit)))\(text.unicodeScalars.count > limit ? "…" : "")'"
}
