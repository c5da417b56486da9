/// Collects what is wrong while a configuration is read, so that one run tells all.
final class ProblemLog {
    private let file: String
    private let source: SourceText
    private var problems: [ConfigurationProblem] = []

    init(file: String, source: SourceText) {
        self.file = file
        self.source = source
    }

    func error(_ mark: YAMLMark, _ message: String) {
        add(mark, .error, message)
    }

    func warning(_ mark: YAMLMark, _ message: String) {
        add(mark, .warning, message)
    }

    /// By place; problems of one place in the order found.
    var sorted: [ConfigurationProblem] {
        let order = problems.enumerated().sorted { left, right in
            guard let first = left.element.place, let second = right.element.place, first != second else {
                return left.offset < right.offset
            }
            return first < second
        }
        return order.map(\.element)
    }

    private func add(_ mark: YAMLMark, _ severity: ConfigurationProblem.Severity, _ message: String) {
        problems.append(
            ConfigurationProblem(
                file: file,
                place: ConfigurationProblem.Place(line: mark.line, column: mark.column),
                severity: severity,
                message: harmless(message),
                sourceLine: source.line(mark.line)
            )
        )
    }
}

/// A message on one line, of a bounded length and without what looks like a service key, whatever it quotes.
private func harmless(_ message: String) -> String {
    let limit = 600
    var scalars = String.UnicodeScalarView()
    for scalar in message.unicodeScalars.prefix(limit) {
        // A terminal would obey control characters, which double quotes in YAML can spell.
        scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    let text = String(scalars) + (message.unicodeScalars.count > limit ? "…" : "")
    return text.split(separator: " ", omittingEmptySubsequences: false)
        .map { $0.holds("hlk_") ? "•••" : $0 }
        .joined(separator: " ")
}
