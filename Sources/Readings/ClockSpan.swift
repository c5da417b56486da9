/// A span of time as a clock would show it, `HH:MM:SS`.
enum ClockSpan {
    /// The seconds of `2:05:00`, `00:00:12.5` or `-00:01:00`. `nil` for anything else: `12:30` could be hours and minutes
    /// or minutes and seconds.
    static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, (1...5).contains(parts[0].count), parts[1].count == 2, parts[2].count >= 2,
            let hours = number(parts[0]), let minutes = number(parts[1]), let seconds = number(parts[2]),
            minutes < 60, seconds < 60, hours == hours.rounded(), minutes == minutes.rounded()
        else { return nil }
        let span = hours * 3600 + minutes * 60 + seconds
        return isNegative ? -span : span
    }

    /// Digits, with a fraction or without.
    private static func number(_ part: Slice<UnsafeRawBufferPointer>) -> Double? {
        guard part.first != UInt8(ascii: "+"), part.first != UInt8(ascii: "-"), !part.contains(where: \.isExponent)
        else { return nil }
        return DecimalNumber.read(UnsafeRawBufferPointer(rebasing: part))
    }
}

extension UInt8 {
    fileprivate var isExponent: Bool { self | 0x20 == UInt8(ascii: "e") }
}
