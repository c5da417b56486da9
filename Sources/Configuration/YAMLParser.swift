internal import CFyaml

/// Reads YAML 1.2 with libfyaml, event by event, into values of Swift.
///
/// Anchors, aliases and tags are refused: no configuration needs them, and nine lines of aliases can stand for a
/// billion values.
final class YAMLParser {
    /// What a text holds: a tree unless its syntax is broken or it is empty, and what is wrong with it.
    struct Document {
        var root: YAMLNode?
        var problems: [YAMLProblem]
    }

    /// No configuration nests deeper than eight; the bound keeps hostile nesting off the stack.
    static let depthLimit = 32

    fileprivate enum Event {
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case alias
        case documentStart
        case end
    }

    /// Thrown once the rest of the text cannot be understood; the reason is already among `problems`.
    private struct Broken: Error {}

    private let diagnostics: OpaquePointer
    private let parser: OpaquePointer
    private let source: SourceText
    private var problems: [YAMLProblem] = []
    private var mark = YAMLMark.start

    /// Reads a text whose encoding `SourceText` has already judged.
    static func parse(_ source: SourceText) -> Document {
        // libfyaml reads from this memory until the parser is destroyed, which ends with the closure.
        source.bytes.withUnsafeBytes { bytes in
            guard let parser = YAMLParser(source, bytes) else {
                return Document(problems: [YAMLProblem(mark: .start, message: "there is no memory to read it")])
            }
            return parser.document()
        }
    }

    private init?(_ source: SourceText, _ bytes: UnsafeRawBufferPointer) {
        var diagnosticsConfiguration = fy_diag_cfg()
        fy_diag_cfg_default(&diagnosticsConfiguration)
        // Without a stream libfyaml would print the offending line, which may hold a secret, to stderr.
        diagnosticsConfiguration.fp = nil
        guard let diagnostics = fy_diag_create(&diagnosticsConfiguration) else { return nil }
        fy_diag_set_collect_errors(diagnostics, true)

        var configuration = fy_parse_cfg()
        configuration.flags = fy_parse_cfg_flags(
            FYPCF_QUIET.rawValue | FYPCF_COLLECT_DIAG.rawValue | FYPCF_DEFAULT_VERSION_1_2.rawValue
        )
        configuration.diag = diagnostics
        guard let parser = fy_parser_create(&configuration) else {
            fy_diag_destroy(diagnostics)
            return nil
        }
        self.source = source
        self.diagnostics = diagnostics
        self.parser = parser
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard fy_parser_set_string(parser, start, bytes.count) == 0 else { return nil }
    }

    deinit {
        fy_parser_destroy(parser)
        fy_diag_destroy(diagnostics)
    }

    private func document() -> Document {
        do {
            guard case .documentStart = try next() else { return Document(root: nil, problems: problems) }
            let root = try node(try next(), depth: 0)
            if case .documentStart = try next() {
                report("a second document starts here; a configuration is one document")
            }
            return Document(root: root, problems: problems)
        } catch {
            return Document(root: nil, problems: problems)
        }
    }

    private func node(_ event: Event, depth: Int) throws(Broken) -> YAMLNode {
        guard depth <= YAMLParser.depthLimit else { throw broken("this is nested too deeply") }
        let start = mark
        switch event {
        case .scalar(let text, let isPlain):
            return YAMLNode(content: .scalar(text, isPlain: isPlain), mark: start)
        case .alias:
            report("aliases (*) and anchors (&) are not supported; write the value out")
            return YAMLNode(content: .scalar("", isPlain: false), mark: start)
        case .sequenceStart:
            var elements: [YAMLNode] = []
            while case let element = try next(), !element.isEnd {
                elements.append(try node(element, depth: depth + 1))
            }
            return YAMLNode(content: .sequence(elements), mark: start)
        case .mappingStart:
            return YAMLNode(content: .mapping(try entries(depth: depth)), mark: start)
        case .documentStart, .end:
            throw broken("a value is missing here")
        }
    }

    private func entries(depth: Int) throws(Broken) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        var places: [[UInt8]: YAMLMark] = [:]
        while case let event = try next(), !event.isEnd {
            let key = try node(event, depth: depth + 1)
            let value = try node(try next(), depth: depth + 1)
            guard case .scalar(let text, _) = key.content else {
                report("a key must be a plain word", at: key.mark)
                continue
            }
            // Bytes, since Swift's `==` takes differently composed letters for the same and JSON does not.
            if let first = places.updateValue(key.mark, forKey: Array(text.utf8)) {
                let name = source.isShowable(line: key.mark.line) ? "key \(quoted(text))" : "key"
                report("duplicate \(name), which already stands at \(first.line):\(first.column)", at: key.mark)
                continue
            }
            entries.append(YAMLEntry(key: text, mark: key.mark, value: value))
        }
        return entries
    }

    private func next() throws(Broken) -> Event {
        while true {
            guard let event = fy_parser_parse(parser) else {
                if let problem = syntaxProblem() { problems.append(problem) }
                throw Broken()
            }
            defer { fy_parser_event_free(parser, event) }
            if let place = fy_event_start_mark(event)?.pointee, place.line >= 0 {
                mark = YAMLMark(line: Int(place.line) + 1, column: Int(place.column) + 1)
            }
            let type = event.pointee.type
            // The document events' own tokens are their markers, which these two would take for a value's.
            if type == FYET_SCALAR || type == FYET_SEQUENCE_START || type == FYET_MAPPING_START {
                refuseProperties(of: event)
            }
            switch type {
            case FYET_SCALAR: return scalar(event.pointee.scalar.value)
            case FYET_ALIAS: return .alias
            case FYET_SEQUENCE_START: return .sequenceStart
            case FYET_MAPPING_START: return .mappingStart
            case FYET_DOCUMENT_START: return .documentStart
            case FYET_SEQUENCE_END, FYET_MAPPING_END, FYET_STREAM_END: return .end
            default: continue
            }
        }
    }

    private func scalar(_ token: OpaquePointer?) -> Event {
        guard let token else { return .scalar("", isPlain: true) }
        let style = fy_token_scalar_style(token)
        if style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED {
            // libfyaml's mark is the first character within the quotes.
            mark.column = max(1, mark.column - 1)
        }
        var length = 0
        guard let text = fy_token_get_text(token, &length) else { return .scalar("", isPlain: true) }
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        return .scalar(String(decoding: bytes, as: UTF8.self), isPlain: style == FYSS_PLAIN)
    }

    private func refuseProperties(of event: UnsafeMutablePointer<fy_event>) {
        if fy_event_get_anchor_token(event) != nil {
            report("aliases (*) and anchors (&) are not supported; write the value out")
        }
        if fy_event_get_tag_token(event) != nil {
            report("tags such as !secret are not supported; a secret is named with { file: PATH }")
        }
    }

    private func report(_ message: String, at place: YAMLMark? = nil) {
        problems.append(YAMLProblem(mark: place ?? mark, message: message))
    }

    private func broken(_ message: String) -> Broken {
        report(message)
        return Broken()
    }

    private func syntaxProblem() -> YAMLProblem? {
        var iterator: UnsafeMutableRawPointer?
        guard let error = fy_diag_errors_iterate(diagnostics, &iterator)?.pointee else {
            return problems.isEmpty ? YAMLProblem(mark: mark, message: "this is not valid YAML") : nil
        }
        let place = source.within(YAMLMark(line: max(1, Int(error.line)), column: max(1, Int(error.column))))
        let reason = error.msg.map { String(cString: $0) } ?? ""
        return YAMLProblem(mark: place, message: YAMLParser.explanation(of: reason, at: place, in: source))
    }

    /// Says libfyaml's reason in words that help, and without the parts of the file that some of its reasons quote.
    private static func explanation(of reason: String, at mark: YAMLMark, in source: SourceText) -> String {
        if reason.hasPrefix("plain scalar cannot start with"), let character = source.scalar(at: mark) {
            return "a value that starts with '\(character)' needs quotes"
                + (character == "%" ? ": write \"%\"" : "")
        }
        if reason.holds("tab ") {
            return "a tab may not indent a line; use spaces"
        }
        if reason.hasPrefix("invalid multiline plain key") {
            return
                "this is neither 'key: value' nor part of the line above; look for a missing ':' or the space after it"
        }
        if reason.hasPrefix("invalid nested block mapping on the same line") {
            return "a second ': ' on this line; put a value that holds ': ' in quotes"
        }
        if reason.hasPrefix("wrongly indented flow") || reason.holds("without a closing b") {
            return "a '{' or '[' above is not closed (a '#' after a blank begins a comment)"
        }
        if reason.holds("without closing quote") || reason.holds("quoted scalar") {
            return "the text that begins here has no closing quote in its place"
        }
        if reason.hasPrefix("missing comma in flow") {
            return "a comma or a closing bracket is missing before this"
        }
        if reason.holds("indendation") || reason.holds("indentation") {
            return "the indentation of this line fits none above"
        }
        // Static text ends where a quoted piece of the file begins.
        let safe = reason.prefix { !"'\"(".contains($0) }
        var trimmed = safe[...]
        while trimmed.last == " " { trimmed.removeLast() }
        return trimmed.isEmpty ? "this is not valid YAML" : "this is not valid YAML: \(trimmed)"
    }
}

extension YAMLParser.Event {
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }
}
