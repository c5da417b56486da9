/// A date of the civil (proleptic Gregorian) calendar, written `2026-03-29`.
public struct LocalDay: Sendable, Hashable, Comparable, CustomStringConvertible, LosslessStringConvertible {
    /// Days since 1970-01-01.
    public let number: Int

    /// The date this many days after 1970-01-01.
    public init(number: Int) {
        self.number = number
    }

    /// The date of a civil year, month and day. `nil` when there is no such date.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.init(number: Self.number(year: year, month: month, day: day))
        guard civil == (year, month, day) else { return nil }
    }

    /// Reads `2026-03-29`, exactly so. `nil` for any other form and for dates that do not exist.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The year.
    public var year: Int { civil.year }
    /// The month, 1...12.
    public var month: Int { civil.month }
    /// The day of the month, 1...31.
    public var day: Int { civil.day }

    /// `2026-03-29`.
    public var description: String {
        let (year, month, day) = civil
        return "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
    }

    /// Whether the first date is the earlier.
    public static func < (first: LocalDay, second: LocalDay) -> Bool {
        first.number < second.number
    }

    /// Howard Hinnant's `civil_from_days`: eras of 400 years that begin on 1 March, so that leap days come last.
    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Howard Hinnant's `days_from_civil`.
    private static func number(year: Int, month: Int, day: Int) -> Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch.flooredQuotient(400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int {
    /// The quotient rounded down: the day of an instant before 1970 is the earlier one. `divisor` > 0.
    func flooredQuotient(_ divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
