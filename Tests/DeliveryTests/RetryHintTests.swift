import Testing

@testable import Delivery

@Suite("Retry hint")
struct RetryHintTests {
    /// 1994-11-06T08:48:37Z, a minute before the date of RFC 9110's example.
    private let now = Duration.seconds(784_111_717)

    @Test(
        "A header is read as seconds or as an HTTP date",
        arguments: [
            ("60", 60.0), ("1.5", 1.5), ("0", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 60), ("2678400", 2_678_400),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ]
    )
    func header(text: String, seconds: Double) {
        #expect(RetryHint.wait(header: text, milliseconds: nil, now: now) == .seconds(seconds))
    }

    @Test(
        "Nonsense in a header is no hint",
        arguments: [
            "", "-5", "nan", "inf", "0x10", "soon", "1e3", "99999999999", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
        ]
    )
    func nonsense(text: String) {
        #expect(RetryHint.wait(header: text, milliseconds: nil, now: now) == nil)
    }

    @Test("The larger of the two hints counts")
    func larger() {
        #expect(RetryHint.wait(header: "2", milliseconds: 2500, now: now) == .milliseconds(2500))
        #expect(RetryHint.wait(header: "3", milliseconds: 2500, now: now) == .seconds(3))
        #expect(RetryHint.wait(header: nil, milliseconds: -1, now: now) == nil)
    }
}
