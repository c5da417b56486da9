/// Dates as the service reads and writes them: `2026-03-19T11:00:15Z` (RFC 3339).
public enum RFC3339 {
    /// The text of a wall time since 1970-01-01T00:00:00Z, in UTC, cut down to the second or millisecond.
    ///
    /// Holds for the years 1970...9999; an earlier or later time is shown as the first or last second of these.
    public static func text(_ wall: Duration, milliseconds: Bool = false) -> String {
        let inRange = min(max(wall, .zero), lastSecond)
        let (seconds, attoseconds) = inRange.components
        let (year, month, day) = date(daysSince1970: Int(seconds) / 86_400)
        let second = Int(seconds) % 86_400
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        let fraction = milliseconds ? "." + padded(Int(attoseconds / 1_000_000_000_000_000), 3) : ""
        return "\(date)T\(time)\(fraction)Z"
    }

    /// Reads a date and time with its offset, or `nil` when the text is anything else. The result is the wall time
    /// since 1970-01-01T00:00:00Z, negative before that.
    ///
    /// Of a fraction the first nine digits count. A leap second (`:60`) is refused: the clocks here have none.
    public static func parse(_ text: String) -> Duration? {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        guard let year = scanner.number(digits: 4, within: 0...9999), scanner.skip("-"),
            let month = scanner.number(digits: 2, within: 1...12), scanner.skip("-"),
            let day = scanner.number(digits: 2, within: 1...days(inMonth: month, of: year)), scanner.skip("Tt"),
            let hour = scanner.number(digits: 2, within: 0...23), scanner.skip(":"),
            let minute = scanner.number(digits: 2, within: 0...59), scanner.skip(":"),
            let second = scanner.number(digits: 2, within: 0...59),
            let nanoseconds = scanner.fraction(),
            let offset = scanner.offset(), scanner.rest.isEmpty
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return .seconds(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + .nanoseconds(nanoseconds)
    }

    /// 9999-12-31T23:59:59Z.
    private static let lastSecond = Duration.seconds(253_402_300_799)

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Both directions count in years that begin in March, so that the leap day comes last, and in eras of 400 years,
    // which all have 146 097 days. The era of 1970 began 719 468 days before it.

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        // One era more keeps the year 0 from dividing below zero.
        let marchYear = (month <= 2 ? year - 1 : year) + 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 146_097 - 719_468
    }

    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

/// Takes a date apart from the left.
private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ anyOf: String) -> Bool {
        guard let byte = rest.first, anyOf.utf8.contains(byte) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int, within range: ClosedRange<Int>) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(Scanner.isDigit) else { return nil }
        rest.removeFirst(digits)
        let number = Scanner.number(text)
        return range.contains(number) ? number : nil
    }

    /// Nanoseconds; 0 where no fraction stands.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        let digits = rest.prefix(while: Scanner.isDigit)
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        return Scanner.number(digits.prefix(9) + repeatElement(UInt8(ascii: "0"), count: max(0, 9 - digits.count)))
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(digits: 2, within: 0...23), skip(":"),
            let minutes = number(digits: 2, within: 0...59)
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
