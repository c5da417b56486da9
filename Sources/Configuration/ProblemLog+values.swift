internal import Widgets

/// The kinds of values that configurations hold. Each returns `nil` only after it has said why.
extension ProblemLog {
    /// Text. Numbers and truth values must be quoted where text is meant.
    func text(_ node: YAMLNode, _ name: String) -> String? {
        guard let text = word(node, name) else { return nil }
        if case .scalar(_, isPlain: true) = node.content, YAMLWord.isNumberOrTruth(text) {
            error(node.mark, "\(name) must be text; quote it: \"\(text)\"")
            return nil
        }
        return text
    }

    /// A scalar's text, quoted or not: a word that payloads carry may well be `1` or `true`.
    func word(_ node: YAMLNode, _ name: String) -> String? {
        guard case .scalar(let text, _) = node.content else {
            error(node.mark, "\(name) must be text")
            return nil
        }
        guard !text.isEmpty, !node.isNull else {
            error(node.mark, "\(name) is empty")
            return nil
        }
        return text
    }

    /// A list of at least one word.
    func words(_ node: YAMLNode, _ name: String) -> [String]? {
        guard case .sequence(let elements) = node.content else {
            error(node.mark, "\(name) must be a list of words, such as [online]")
            return nil
        }
        guard !elements.isEmpty else {
            error(node.mark, "\(name) is empty")
            return nil
        }
        let words = elements.map { word($0, name) }
        return words.contains(nil) ? nil : words.compactMap(\.self)
    }

    /// One of a few words.
    func choice<Value>(_ node: YAMLNode, _ name: String, _ choices: KeyValuePairs<String, Value>) -> Value? {
        guard let text = word(node, name) else { return nil }
        if let choice = choices.first(where: { $0.key.utf8.elementsEqual(text.utf8) }) { return choice.value }
        let known = choices.map(\.key)
        let hint = nearest(to: text, among: known).map(didYouMean) ?? " (it is \(list(known)))"
        error(node.mark, "\(name) cannot be \(quoted(text))\(hint)")
        return nil
    }

    /// A finite number.
    func number(_ node: YAMLNode, _ name: String) -> Double? {
        guard case .scalar(let text, let isPlain) = node.content, !node.isNull else {
            error(node.mark, "\(name) must be a number")
            return nil
        }
        guard let number = YAMLWord.number(text) else {
            let hint = text.contains(",") ? "; the decimal mark is a point" : ""
            error(node.mark, "\(name) must be a number, not \(quoted(text))\(hint)")
            return nil
        }
        guard isPlain else {
            error(node.mark, "\(name) must be a number; leave out the quotes")
            return nil
        }
        return number
    }

    /// A duration such as `15s`, within bounds.
    func duration(_ node: YAMLNode, _ name: String, from least: Int, to most: Int? = nil) -> Duration? {
        guard let text = word(node, name) else { return nil }
        guard let seconds = YAMLWord.seconds(text) else {
            let hint = text.utf8.allSatisfy(\.isASCIIDigit) ? "did you mean '\(text)s'?" : "write 15s, 10m, 1h or 2d"
            error(node.mark, "\(name) must be a duration, not \(quoted(text)) (\(hint))")
            return nil
        }
        guard seconds >= least, seconds <= most ?? .max else {
            let bounds =
                most.map { "between \(YAMLWord.duration(least)) and \(YAMLWord.duration($0))" }
                ?? "at least \(YAMLWord.duration(least))"
            error(node.mark, "\(name) must be \(bounds)")
            return nil
        }
        return .seconds(seconds)
    }

    /// Text of a bounded length, in code points.
    func bounded<Bound>(_ node: YAMLNode, _ name: String) -> BoundedText<Bound>? {
        guard let text = text(node, name) else { return nil }
        guard let bounded = BoundedText<Bound>(text) else {
            let length = text.unicodeScalars.count
            error(node.mark, "\(name) has \(length) characters; the service takes at most \(Bound.limit)")
            return nil
        }
        return bounded
    }

    /// A colour that the service knows.
    func color(_ node: YAMLNode, _ name: String) -> WidgetColor? {
        guard !node.isNull else {
            error(node.mark, "\(name) is empty; '#' begins a comment, so quote the colour: \"#RRGGBB\"")
            return nil
        }
        guard let text = word(node, name) else { return nil }
        guard let color = WidgetColor(text) else {
            let forms = " (a name such as red, or \"#RRGGBB\" or \"#RRGGBBAA\")"
            let hint = nearest(to: text, among: WidgetColor.names).map(didYouMean) ?? forms
            error(node.mark, "\(name) is no colour: \(quoted(text))\(hint)")
            return nil
        }
        return color
    }
}

/// `'a', 'b' or 'c'`.
func list(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
}
