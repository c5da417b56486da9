import Testing
import Widgets

@Suite("Writing JSON")
struct JSONWritingTests {
    @Test(
        "a number is written as the shortest text that reads back the same",
        arguments: [
            (3200.0, "3200"), (-900, "-900"), (0, "0"), (-0.0, "0"), (0.1, "0.1"), (1.95, "1.95"), (-0.25, "-0.25"),
            (9_007_199_254_740_992, "9007199254740992"), (1e18, "1000000000000000000"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-7, "1e-07"), (1e300, "1e+300"),
        ]
    )
    func number(value: Double, text: String) throws {
        let number = try #require(JSONValue(value))
        #expect(number.description == text)
        #expect(try json(text) == number)
    }

    @Test("what is not finite cannot be made", arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func notFinite(value: Double) {
        #expect(JSONNumber(value) == nil)
        #expect(JSONValue(value) == nil)
    }

    @Test(
        "a text is escaped where RFC 8259 wants it",
        arguments: [
            ("a\"b\\c/d", #""a\"b\\c/d""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""),
            ("\u{E9}\u{1F600}", "\"\u{E9}\u{1F600}\""), ("", #""""#),
        ]
    )
    func text(value: String, text: String) throws {
        #expect(JSONValue.string(value).description == text)
        #expect(try json(text) == .string(value))
    }

    @Test("values are written without white space, members in their order")
    func compact() {
        let value: JSONValue = ["b": [1, true, .null, "x"], "a": ["c": [:], "d": []]]
        #expect(value.description == #"{"b":[1,true,null,"x"],"a":{"c":{},"d":[]}}"#)
    }
}

@Suite("JSON objects")
struct JSONObjectTests {
    @Test("members keep the place where they were first set")
    func order() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["b"] = 3
        object["c"] = .null
        object["a"] = nil
        object["x"] = nil
        #expect(object.description == #"{"b":3,"c":null}"#)
        #expect(object["a"] == nil)
        #expect(object["c"] == .null)
    }

    @Test("order does not count for equality, members and values do")
    func equality() {
        #expect(["a": 1, "b": 2] as JSONObject == ["b": 2, "a": 1])
        #expect(["a": 1] as JSONObject != ["a": 2])
        #expect(["a": 1] as JSONObject != ["a": 1, "b": 2])
        #expect(["a": 1] as JSONObject != ["b": 1])
        #expect(JSONValue.bool(true) != 1)
    }

    @Test("keys and texts are compared by their bytes")
    func bytes() {
        let object: JSONObject = ["\u{E9}": 1, "e\u{301}": 2]
        #expect(object.count == 2)
        #expect(object["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    }
}
