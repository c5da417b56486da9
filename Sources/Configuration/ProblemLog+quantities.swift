internal import EnergyFlow
internal import Widgets

/// Values with a unit of their own. Each function returns `nil` only after it has said why.
extension ProblemLog {
    /// `true` or `false`.
    func truth(_ node: YAMLNode, _ name: String) -> Bool? {
        switch node.content {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        default:
            error(node.mark, "\(name) must be true or false")
            return nil
        }
    }

    /// A whole number within bounds.
    func whole(_ node: YAMLNode, _ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = number(node, name) else { return nil }
        guard let whole = Int(exactly: number), range.contains(whole) else {
            error(node.mark, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return whole
    }

    /// A number > 0 and its unit, as in `10 kWh`.
    func quantity(_ node: YAMLNode, _ name: String, example: String) -> (number: Double, unit: String)? {
        guard let text = word(node, name) else { return nil }
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == "+" }
        var unit = text.dropFirst(digits.count)
        while unit.first == " " { unit.removeFirst() }
        guard let number = YAMLWord.number(String(digits)), !unit.isEmpty else {
            error(node.mark, "\(name) must be a number and its unit, such as \(example), not \(quoted(text))")
            return nil
        }
        guard number > 0 else {
            error(node.mark, "\(name) must be more than 0")
            return nil
        }
        let near = unitsMeant(by: String(unit))
        guard near.isEmpty else {
            error(node.mark, "\(name) is in no unit: \(quoted(String(unit))) (did you mean \(list(near))?)")
            return nil
        }
        return (number, String(unit))
    }

    /// A percentage, as in `80 %`.
    func percentage(_ node: YAMLNode, _ name: String) -> Double? {
        guard let (number, unit) = quantity(node, name, example: "80 %") else { return nil }
        guard unit == "%", number <= 100 else {
            error(node.mark, "\(name) must be a percentage up to 100 %, such as 80 %")
            return nil
        }
        return number
    }

    /// A time of the local day, `22:00`; `nil` without a word when the node is no such text at all.
    func timeOfDay(_ node: YAMLNode, _ name: String) -> TimeOfDay?? {
        guard case .scalar(let text, _) = node.content else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }) else {
            return nil
        }
        guard parts[0].count <= 2, parts[1].count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
            let time = TimeOfDay(hour: hour, minute: minute)
        else {
            error(node.mark, "\(name) is no time of the day: \(quoted(text)) (write 06:30 or 22:00)")
            return .some(nil)
        }
        return time
    }
}
