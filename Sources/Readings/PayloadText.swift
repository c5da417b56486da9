/// What a text is where a number is wanted.
enum TextNumber {
    case number(Double)
    /// A word by which sources say that they have nothing.
    case noData
    case fault(PayloadFault.Kind)
}

/// Reading of payloads as text: trimming, words and numbers, all on bytes.
enum PayloadText {
    /// Drops one byte order mark, then NULs and white space at the end and white space at the start.
    ///
    /// `echo … | mosquitto_pub -l`, C strings sent with their terminator and Windows shells all add some of these.
    static func trimmed(_ payload: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, payload.count)
        if end >= 3, payload[0] == 0xEF, payload[1] == 0xBB, payload[2] == 0xBF { start = 3 }
        while end > start, payload[end - 1] == 0 || payload[end - 1].isBlank { end -= 1 }
        while start < end, payload[start].isBlank { start += 1 }
        return UnsafeRawBufferPointer(rebasing: payload[start..<end])
    }

    /// The inside of a payload that is one JSON string, as Home Assistant's statestream sends attributes.
    static func unquoted(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard text.count >= 2, text[0] == UInt8(ascii: "\""), text[text.count - 1] == UInt8(ascii: "\"") else {
            return text
        }
        return UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1])
    }

    /// Reads trimmed text as a number or as one of the words for "no data".
    static func number(_ text: UnsafeRawBufferPointer, mark: DecimalMark) -> TextNumber {
        if let value = DecimalNumber.read(text, mark: mark) { return .number(value) }
        if isNoData(text) { return .noData }
        return .fault(fault(of: text, mark: mark))
    }

    /// Whether trimmed text is a word by which sources say that they have nothing.
    static func isNoData(_ text: UnsafeRawBufferPointer) -> Bool {
        noDataWords.contains { $0.matches(text) }
    }

    private static let noDataWords = ["null", "undefined", "unavailable", "unknown", "none", "nil", "n/a"].map(
        Word.init
    )
    private static let notFiniteWords = ["nan", "inf", "infinity"].map(Word.init)

    private static func fault(of text: UnsafeRawBufferPointer, mark: DecimalMark) -> PayloadFault.Kind {
        guard let first = text.first else { return .noNumber }
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        let unsigned = UnsafeRawBufferPointer(rebasing: text[(isSigned ? 1 : 0)...])
        if notFiniteWords.contains(where: { $0.matches(unsigned) }) { return .notFinite }
        if mark == .point, DecimalNumber.read(text, mark: .comma) != nil { return .decimalComma }
        if let space = text.firstIndex(where: \.isBlank),
            DecimalNumber.read(UnsafeRawBufferPointer(rebasing: text[..<space]), mark: mark) != nil
        {
            return .textBehind
        }
        return .noNumber
    }
}

/// A word that is compared without regard to ASCII case.
struct Word: Sendable, Hashable {
    private let lowercase: [UInt8]

    init(_ text: String) {
        lowercase = text.utf8.map(\.asciiLowercase)
    }

    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == lowercase.count else { return false }
        for index in lowercase.indices where text[index].asciiLowercase != lowercase[index] { return false }
        return true
    }
}

extension UInt8 {
    /// Whether it is ASCII white space.
    var isBlank: Bool {
        self == 0x20 || (0x09...0x0D).contains(self)
    }

    var asciiLowercase: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
