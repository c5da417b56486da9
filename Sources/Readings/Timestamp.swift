/// Turns a local date and time into unix seconds. It is handed the seconds since 1970-01-01T00:00:00 that the local clock
/// shows, as if that clock were one of UTC. `nil` where no zone is known, and the text is then no time.
public typealias LocalTime = @Sendable (Int) -> Int?

/// A point in time as payloads carry it, in unix seconds.
enum Timestamp {
    /// Reads a unix time in seconds or milliseconds, or a date and time as in RFC 3339. One without an offset, as Home
    /// Assistant's helpers write it, is local.
    static func read(_ text: UnsafeRawBufferPointer, localTime: LocalTime) -> Double? {
        if let number = DecimalNumber.read(text) { return seconds(number) }
        return dateAndTime(text, localTime: localTime)
    }

    /// Seconds, told from milliseconds by size: 1e11 seconds are the year 5138, 1e11 milliseconds March 1973.
    static func seconds(_ number: Double) -> Double {
        abs(number) > 1e11 ? number / 1000 : number
    }

    /// `2022-06-11T20:38:00Z`, `2022-05-03 17:28:40.25+02:00`, and local `2022-05-03 17:28:40` and `2022-05-03T17:28`.
    private static func dateAndTime(_ text: UnsafeRawBufferPointer, localTime: LocalTime) -> Double? {
        var rest = text[...]
        guard let year = take(4, from: &rest), skip("-", in: &rest), let month = take(2, from: &rest),
            skip("-", in: &rest), let day = take(2, from: &rest), skip("T", in: &rest) || skip(" ", in: &rest),
            let hour = take(2, from: &rest), skip(":", in: &rest), let minute = take(2, from: &rest)
        else { return nil }
        var second = 0
        if skip(":", in: &rest) {
            guard let written = take(2, from: &rest) else { return nil }
            second = written
        }
        guard (1...12).contains(month), day >= 1, day <= daysIn(month, year), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = 0.0
        if skip(".", in: &rest) {
            var place = 0.1
            guard rest.first?.isDigit == true else { return nil }
            while let digit = take(1, from: &rest) {
                fraction += Double(digit) * place
                place /= 10
            }
        }
        let shown = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        if rest.isEmpty { return localTime(shown).map { Double($0) + fraction } }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return Double(shown - offset) + fraction
    }

    /// Reads `Z` or `+02:00`, in seconds east of Greenwich.
    private static func offset(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        if skip("Z", in: &rest) || skip("z", in: &rest) { return 0 }
        let sign = skip("-", in: &rest) ? -1 : 1
        guard sign == -1 || skip("+", in: &rest), let hours = take(2, from: &rest), skip(":", in: &rest),
            let minutes = take(2, from: &rest), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func take(_ count: Int, from rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        guard rest.count >= count, rest.prefix(count).allSatisfy(\.isDigit) else { return nil }
        defer { rest.removeFirst(count) }
        return rest.prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func skip(_ sign: Unicode.Scalar, in rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private static func daysIn(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }
}
