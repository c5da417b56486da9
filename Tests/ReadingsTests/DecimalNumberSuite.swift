import Delivery
import Testing

@testable import Readings

@Suite("Decimal numbers")
struct DecimalNumberSuite {
    @Test(
        "numbers as publishers write them",
        arguments: [
            ("0", 0.0), ("42", 42), ("-1234.5", -1234.5), ("+5", 5), (".5", 0.5), ("5.", 5), ("-.5", -0.5), ("007", 7),
            ("1E3", 1000), ("1e-05", 0.00001), ("1.23457e+06", 1_234_570), ("228.460000", 228.46),
            ("10.600000000000001", 10.600000000000001), ("367.40000000000003", 367.40000000000003),
            ("18446744073709551615", 18_446_744_073_709_551_616), ("99999999999999999999", 1e20),
            ("123456789012345678901234567890", 1.2345678901234568e29), ("1e22", 1e22), ("1e23", 1e23),
            ("9007199254740993", 9_007_199_254_740_992), ("1e308", 1e308), ("5e-324", .leastNonzeroMagnitude),
            ("1e-400", 0),
            ("0.000000000000000000000000000001", 1e-30), ("0e999999999999", 0), ("2.5000000000000000000000000", 2.5),
        ]
    )
    func numbers(text: String, value: Double) {
        #expect(read(text) == value)
    }

    @Test(
        "what is no number is none, not its beginning (FR-36, FR-40, FR-41)",
        arguments: [
            "", " ", ".", "-", "+", "e5", "1e", "1e+", "--1", "+-1", "1-", "1.2.3", "1_000", "0x10", "0x1p3", "nan",
            "inf",
            "-inf", "Infinity", "1e400", "-1e400", " 3", "3 ", "3\n", "3\0", "3\0abc", "4\u{0}2", "23,9", "500,20",
            "1,000",
            "12 W", "512W", "100,200,300", "running", "-----W--", "١٢", "true", "1e5.0", "1 234",
        ]
    )
    func garbage(text: String) {
        #expect(read(text) == nil)
    }

    @Test("minus zero is zero (P-25)", arguments: ["-0", "-0.0", "-0e5", "-1e-400"])
    func minusZero(text: String) {
        #expect(read(text)?.sign == .plus)
        #expect(read(text) == 0)
    }

    @Test(
        "a decimal comma, where it is asked for (P-12, FR-40)",
        arguments: [
            ("500,20", 500.2), ("23,9", 23.9), ("1,000", 1), ("1.234,5", 1234.5), ("12.345.678,9", 12_345_678.9),
            ("500", 500),
            ("-0,5", -0.5), (",5", 0.5), ("1.234.567", 1_234_567), ("1,5e3", 1500), ("+1.000,", 1000),
            ("123.456.789.012,123456789012", 123_456_789_012.12346),
        ]
    )
    func comma(text: String, value: Double) {
        #expect(read(text, .comma) == value)
    }

    @Test(
        "with a decimal comma, what could be two numbers is none",
        arguments: [
            "1.234", "12.5", "0.300", "1.23,4", "1234.567,8", "1,2,3", "1,234.5", ".234,5", "1..234,5", "1.234,5.6",
            "100,200,300",
            "1 234,5", ",", ".", "1.2345,6", "1.234.56",
        ]
    )
    func ambiguous(text: String) {
        #expect(read(text, .comma) == nil)
    }

    @Test("random numbers are rounded as the standard library rounds them")
    func rounding() {
        var random = SplitMix(seed: 4711)
        for _ in 0..<50_000 {
            let digits = Int.random(in: 1...22, using: &random)
            var text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            if Bool.random(using: &random) {
                text.insert(".", at: text.index(text.startIndex, offsetBy: Int.random(in: 0...digits, using: &random)))
            }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -25...25, using: &random))" }
            if Bool.random(using: &random) { text = "-" + text }
            let wanted = Double(text).map { $0 == 0 ? 0 : $0 }
            #expect(read(text) == wanted, "\(text), seed 4711")
        }
    }

    @Test("every double comes back from its shortest text")
    func roundTrip() {
        var random = SplitMix(seed: 815)
        for _ in 0..<50_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(read("\(value)") == value, "seed 815")
            let near = Double.random(in: -100_000...100_000, using: &random)
            #expect(read("\(near)") == near, "seed 815")
        }
    }

    private func read(_ text: String, _ mark: DecimalMark = .point) -> Double? {
        withBytes(text) { DecimalNumber.read($0, mark: mark) }
    }
}
