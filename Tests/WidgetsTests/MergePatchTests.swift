import Testing
import Widgets

@Suite("Merge patches")
struct MergePatchTests {
    @Test(
        "every example of RFC 7396 appendix A gives its result",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
    )
    func appendixA(original: String, patch: String, result: String) throws {
        #expect(try MergePatch.apply(json(patch), to: json(original)) == json(result))
    }

    @Test(
        "a diff holds what differs and nothing else",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, nil),
            (
                #"{"flow":{"exchange":{"rate":1}}}"#, #"{"flow":{"exchange":{"rate":2}}}"#,
                #"{"flow":{"exchange":{"rate":2}}}"#
            ),
            (
                #"{"flow":{"storage":{"rate":1},"output":{"rate":2}}}"#, #"{"flow":{"output":{"rate":2}}}"#,
                #"{"flow":{"storage":null}}"#
            ),
            (
                #"{"flow":{}}"#, #"{"flow":{"storage":{"rate":1,"level":5}}}"#,
                #"{"flow":{"storage":{"rate":1,"level":5}}}"#
            ),
            (#"{"a":[{"b":1,"c":1}]}"#, #"{"a":[{"b":1,"c":2}]}"#, #"{"a":[{"b":1,"c":2}]}"#),
            (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":null}}"#),
            (#"{"a":1}"#, #"{"a":{}}"#, #"{"a":{}}"#),
            (#"{"a":{"b":1}}"#, #"{"a":"x"}"#, #"{"a":"x"}"#),
            (#"{"a":null}"#, #"{}"#, #"{"a":null}"#),
            (#"{}"#, #"{"a":null}"#, nil),
            (#"{"a":null}"#, #"{"a":null}"#, nil),
            ("{\"a\":\"\u{E9}\"}", "{\"a\":\"e\u{301}\"}", "{\"a\":\"e\u{301}\"}"),
            ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}", "{\"e\u{301}\":1,\"\u{E9}\":null}"),
            ("1", "1", nil),
            (#"{"a":1}"#, "[]", "[]"),
        ] as [(String, String, String?)]
    )
    func diff(old: String, new: String, patch: String?) throws {
        #expect(try MergePatch.diff(from: json(old), to: json(new))?.description == patch)
    }
}
