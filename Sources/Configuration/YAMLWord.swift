/// What a scalar's text stands for.
enum YAMLWord {
    /// A finite decimal number.
    ///
    /// The letters are judged first, since `Double` takes `nan`, `inf` and `0x10` for numbers.
    static func number(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Whether YAML 1.2 (core schema) takes a plain scalar for a number or a truth value.
    static func isNumberOrTruth(_ text: String) -> Bool {
        switch text {
        case "true", "True", "TRUE", "false", "False", "FALSE": true
        default: number(text) != nil
        }
    }

    /// The seconds of a duration: `15s`, `10m`, `1h`, `2d`. No fractions, no sums.
    static func seconds(_ text: String) -> Int? {
        let factor: Int
        switch text.utf8.last {
        case UInt8(ascii: "s"): factor = 1
        case UInt8(ascii: "m"): factor = 60
        case UInt8(ascii: "h"): factor = 3600
        case UInt8(ascii: "d"): factor = 86_400
        default: return nil
        }
        let digits = text.utf8.dropLast()
        // Nine digits of days still fit, and `Int` would take a sign.
        guard (1...9).contains(digits.count), digits.allSatisfy(\.isASCIIDigit), let count = Int(text.dropLast()) else {
            return nil
        }
        return count * factor
    }

    /// A number of seconds as it would be written.
    static func duration(_ seconds: Int) -> String {
        for (unit, length) in [("d", 86_400), ("h", 3600), ("m", 60)] where seconds > 0 && seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
