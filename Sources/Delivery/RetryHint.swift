import Readings

/// How long the service asks to wait: the larger of `retry_after_ms` in the body and the `Retry-After` header.
enum RetryHint {
    /// The wait asked for, or `nil` when none was or what stands there is nonsense (negative, not a number, not a date).
    ///
    /// - Parameters:
    ///   - header: seconds, whole or with a fraction, or an HTTP date (RFC 9110, section 10.2.3).
    ///   - milliseconds: `retry_after_ms` of the problem document.
    ///   - now: wall time, against which a date is read.
    static func wait(header: String?, milliseconds: Double?, now: Duration) -> Duration? {
        let fromHeader = header.flatMap { seconds(in: $0) ?? secondsUntil($0, from: now) }
        let fromBody = milliseconds.map { $0 / 1000 }
        let waits = [fromHeader, fromBody].compactMap { $0 }.filter { $0 >= 0 && $0 <= longest }
        return waits.max().map { .seconds($0) }
    }

    /// A month of 31 days and a day: the quota's reset is the furthest thing that the service can mean.
    private static let longest = 32.0 * 86_400

    private static func seconds(in text: String) -> Double? {
        // `Double` alone would read "nan", "inf" and hexadecimal digits.
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(text)
    }

    private static func secondsUntil(_ text: String, from now: Duration) -> Double? {
        HTTPDate.parse(text).map { max(0, ($0 - now).inSeconds) }
    }
}
