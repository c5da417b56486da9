import Testing
import Widgets

@Suite("Reading JSON")
struct JSONParsingTests {
    @Test(
        "a text gives its value",
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("-0.0", 0), ("1e3", 1000),
            ("-812.4", -812.4), ("9007199254740992", 9_007_199_254_740_992),
            ("1.7976931348623157e308", 1.7976931348623157e308),
            ("18446744073709551615", 18_446_744_073_709_551_615.0), (#""""#, ""), (#" "a" "#, "a"),
            (#""\u00e9\n\"\\\/\ud83d\ude00""#, "\u{E9}\n\"\\/\u{1F600}"), (#""\u0000""#, "\0"),
            ("[]", []), ("[1,[2,[]]]", [1, [2, []]]), ("{}", [:]), (#"{"":{"a":[{}]}}"#, ["": ["a": [[:]]]]),
            (#"{"a":1,"b":2,"a":3}"#, ["a": 3, "b": 2]), ("\n\t {\r} ", [:]),
        ] as [(String, JSONValue)]
    )
    func value(text: String, value: JSONValue) throws {
        #expect(try json(text) == value)
    }

    @Test(
        "a text that is not JSON is refused with its reason",
        arguments: [
            ("", .empty), (" \n", .empty), ("{} x", .badSyntax), ("{}{}", .badSyntax), ("{}\0", .badSyntax),
            ("{\"v\":1,}", .badSyntax), ("[1,2,]", .badSyntax), ("{\"a\"}", .badSyntax), ("{a:1}", .badSyntax),
            ("[", .badSyntax), ("NaN", .badSyntax), ("nul", .badSyntax), ("\u{FEFF}{}", .badSyntax),
            ("01", .badNumber), ("1.", .badNumber), ("-", .badNumber), ("1e400", .badNumber), ("0x10", .badNumber),
            ("18446744073709551616", .badNumber), ("\"\t\"", .badString), ("\"a", .badString), (#""\x""#, .badString),
            (#""\ud800""#, .badString), (#""\udc00""#, .badString), (#"{"\udc00":1}"#, .badString),
        ] as [(String, JSONParseError.Reason)]
    )
    func refusal(text: String, reason: JSONParseError.Reason) {
        #expect(throws: JSONParseError(reason)) { try json(text) }
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]]
    )
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: JSONParseError(.notUTF8)) { try JSONValue(parsing: bytes) }
    }

    @Test("64 levels are read, 65 are not")
    func depth() throws {
        func nested(_ levels: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }
        _ = try json(nested(64, "[", "]"))
        _ = try json(nested(64, #"{"a":"#, "}"))
        #expect(throws: JSONParseError(.tooDeep)) { try json(nested(65, "[", "]")) }
        #expect(throws: JSONParseError(.tooDeep)) { try json(nested(65, #"{"a":"#, "}")) }
        #expect(throws: JSONParseError.self) { try json(String(repeating: "[", count: 1_000_000)) }
    }

    @Test("1024 members are read, 1025 are not")
    func members() throws {
        func object(_ count: Int) -> String {
            "{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        }
        #expect(try json(object(1024)).asObject?.count == 1024)
        #expect(throws: JSONParseError(.tooManyMembers)) { try json(object(1025)) }
    }
}
