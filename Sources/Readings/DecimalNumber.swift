/// A number as text, read by a grammar of our own: an optional sign, decimal digits with an optional fraction, and an
/// optional exponent, from the first byte to the last.
///
/// `Double(String)` is not strict enough for what brokers carry: it takes `nan`, `inf`, `0x10`, and of `"3\0abc"` the
/// 3. What real publishers send beyond JSON's grammar is taken: `+5`, `.5`, `5.`, `007`. The process's locale has no
/// say.
enum DecimalNumber {
    /// Reads a number. Correctly rounded; `-0` is 0. Nil for anything else, and for what a `Double` cannot hold.
    static func read(_ text: UnsafeRawBufferPointer, mark: DecimalMark = .point) -> Double? {
        guard let scan = Scan(text, mark: mark) else { return nil }
        guard let value = scan.exactValue ?? scan.slowValue(text), value.isFinite else { return nil }
        return value == 0 ? 0 : value
    }
}

/// What one pass over the text finds: value = ±digits × 10^exponent.
private struct Scan {
    var isNegative = false
    /// The first 19 significant digits.
    var digits: UInt64 = 0
    var exponent = 0
    /// Whether digits were left out of `digits`, so that it alone does not say the value.
    var isCut = false
    let mark: DecimalMark

    init?(_ text: UnsafeRawBufferPointer, mark: DecimalMark) {
        self.mark = mark
        var rest = text[...]
        switch rest.first {
        case UInt8(ascii: "-"):
            isNegative = true
            rest.removeFirst()
        case UInt8(ascii: "+"):
            rest.removeFirst()
        default:
            break
        }
        guard readWhole(&rest) else { return nil }
        guard readExponent(&rest), rest.isEmpty else { return nil }
    }

    /// Reads the digits around the decimal mark. There must be one at least.
    private mutating func readWhole(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        var count = readDigits(&rest, step: 0)
        if mark == .comma {
            guard readGroups(&rest, leading: count) else { return false }
        }
        if rest.first == (mark == .comma ? UInt8(ascii: ",") : UInt8(ascii: ".")) {
            rest.removeFirst()
            count += readDigits(&rest, step: -1)
        }
        return count > 0
    }

    /// Reads `.234.567` after a number's first one to three digits.
    ///
    /// A single group without a comma behind it is refused: `1.234` is 1234 to a German publisher and 1.234 to one that
    /// forgot its locale, and a factor of a thousand is not to be guessed.
    private mutating func readGroups(_ rest: inout Slice<UnsafeRawBufferPointer>, leading: Int) -> Bool {
        var groups = 0
        while rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard (1...3).contains(leading), readDigits(&rest, step: 0) == 3 else { return false }
            groups += 1
        }
        return groups != 1 || rest.first == UInt8(ascii: ",")
    }

    /// Reads digits, each moving the decimal exponent by `step`, and returns how many there were.
    private mutating func readDigits(_ rest: inout Slice<UnsafeRawBufferPointer>, step: Int) -> Int {
        var index = rest.startIndex
        let start = index
        while index < rest.endIndex, rest[index] &- UInt8(ascii: "0") <= 9 {
            if digits < 1_000_000_000_000_000_000 {
                digits = digits * 10 + UInt64(rest[index] - UInt8(ascii: "0"))
                exponent += step
            } else {
                isCut = isCut || rest[index] != UInt8(ascii: "0")
                exponent += step + 1
            }
            index += 1
        }
        rest = rest[index...]
        return index - start
    }

    private mutating func readExponent(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") else { return true }
        rest.removeFirst()
        var sign = 1
        switch rest.first {
        case UInt8(ascii: "-"):
            sign = -1
            rest.removeFirst()
        case UInt8(ascii: "+"):
            rest.removeFirst()
        default:
            break
        }
        var power = 0
        guard !rest.isEmpty else { return false }
        while let digit = rest.first, digit &- UInt8(ascii: "0") <= 9 {
            // Capped far above any exponent that matters, so that a long row of digits cannot overflow.
            power = min(power * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000)
            rest.removeFirst()
        }
        exponent += sign * power
        return true
    }

    /// The value, correctly rounded, for up to 19 digits and exponents within ±19: all that meters send.
    var exactValue: Double? {
        guard !isCut else { return nil }
        guard digits > 0 else { return 0 }
        guard (-19...19).contains(exponent) else { return nil }
        let magnitude: Double
        if digits < 1 << 53, exponent >= -19, exponent <= 0 {
            // Both are exact as doubles, so one division rounds once.
            magnitude = Double(digits) / Self.power(-exponent).rounded
        } else if exponent >= 0 {
            magnitude = Self.rounded(UInt128(digits) * UInt128(Self.power(exponent).whole))
        } else {
            let zeros = digits.leadingZeroBitCount
            let divisor = UInt128(Self.power(-exponent).whole)
            let (quotient, remainder) = (UInt128(digits << zeros) << 63).quotientAndRemainder(dividingBy: divisor)
            // The quotient has at least 63 bits, so a remainder can only break a tie: one more low bit says that.
            magnitude =
                Self.rounded(quotient | (remainder == 0 ? 0 : 1))
                * Double(sign: .plus, exponent: -63 - zeros, significand: 1)
        }
        return isNegative ? -magnitude : magnitude
    }

    /// Rounds to the nearest double once, whatever the width.
    private static func rounded(_ wide: UInt128) -> Double {
        let excess = max(0, 64 - wide.leadingZeroBitCount)
        let kept = UInt64(truncatingIfNeeded: wide >> excess)
        let isInexact = wide & ((1 << excess) - 1) != 0
        return Double(kept | (isInexact ? 1 : 0)) * Double(sign: .plus, exponent: excess, significand: 1)
    }

    private static func power(_ exponent: Int) -> (whole: UInt64, rounded: Double) {
        var whole: UInt64 = 1
        for _ in 0..<exponent { whole *= 10 }
        return (whole, Double(whole))
    }

    /// The value by way of the standard library, for what `exactValue` leaves. Allocates.
    func slowValue(_ text: UnsafeRawBufferPointer) -> Double? {
        var plain = ""
        for byte in text {
            switch byte {
            case UInt8(ascii: ".") where mark == .comma: continue
            case UInt8(ascii: ","): plain.append(".")
            default: plain.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return Double(plain)
    }
}
