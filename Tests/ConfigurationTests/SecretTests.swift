import Configuration
import Glibc
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("print as dots, whichever way")
    func printing() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(["key": secret], to: &dumped)
        let texts = ["\(secret)", String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)", dumped]
        for text in texts {
            #expect(text.contains("•••"))
            #expect(!text.contains("hunter2"))
        }
    }

    @Test("a service key is hlk_ and 32 letters or digits")
    func form() {
        #expect(Secret("hlk_0123456789abcdefghijABCDEFGHIJxy").looksLikeServiceKey)
        for text in ["", "hlk_", "hlk_0123456789abcdefghijABCDEFGHIJx", "xlk_0123456789abcdefghijABCDEFGHIJxy"] {
            #expect(!Secret(text).looksLikeServiceKey)
        }
        #expect(!Secret("hlk_0123456789abcdefghijABCDEFGHIJx-").looksLikeServiceKey)
    }

    @Test(
        "a file gives up its secret without the newline at its end",
        arguments: [("s3cret\n", "s3cret"), ("s3cret\r\n", "s3cret"), ("s3cret", "s3cret"), (" a b \n", " a b ")]
    )
    func reading(contents: String, expected: String) throws {
        try withDirectory { directory in
            try write(contents, to: "\(directory)/key")
            #expect(try SecretSource.file("\(directory)/key").read().exposed == expected)
            #expect(try SecretSource.credential("key").read(credentials: directory).exposed == expected)
        }
    }

    @Test("what cannot be a secret is refused with its reason, not its text")
    func refusals() throws {
        try withDirectory { directory in
            let path = "\(directory)/key"
            try write("\n", to: path)
            #expect(reason(.file(path)) == "The secret file '\(path)' is empty.")
            try write("one\ntwo\n", to: path)
            #expect(reason(.file(path)) == "The secret file '\(path)' holds control characters; it must be one line.")
            try write(String(repeating: "x", count: 5000), to: path)
            #expect(reason(.file(path)) == "The secret file '\(path)' is larger than 4096 bytes.")
            #expect(reason(.file("\(path)2")) == "The secret file '\(path)2' does not exist.")
            #expect(reason(.file(directory)) == "The secret file '\(directory)' is a directory.")
            #expect(
                reason(.credential("k")) == "The credential 'k' was not handed in: $CREDENTIALS_DIRECTORY is not set; "
                    + "the unit needs LoadCredential=, and a command by hand CREDENTIALS_DIRECTORY=/etc/flowbridge before it."
            )
        }
    }

    @Test("a file of another user is told from a missing one", .enabled(if: geteuid() != 0, "root may read all"))
    func permissions() throws {
        try withDirectory { directory in
            let path = "\(directory)/key"
            try write("s3cret", to: path)
            chmod(path, 0)
            #expect(
                reason(.file(path)) == "The secret file '\(path)' may not be read by this user (uid \(geteuid())); "
                    + "look at its owner and mode."
            )
        }
    }

    private func reason(_ source: SecretSource) -> String? {
        do {
            _ = try source.read(credentials: nil)
            return nil
        } catch {
            return error.description
        }
    }
}

@Suite("Secrets in a configuration")
struct HiddenSecretTests {
    private static let marker = "hunter2marker"

    /// Every place where a person might put a secret, right or wrong, `@` standing for it; each breaks something.
    private static let texts = [
        "broker:\n  password: @\n",
        "broker:\n  pasword: @\n",
        "broker: { url: mqtt://h, pasword: @, prot: 1 }\n",
        "broker: { url: mqtt://h, password: @ prot: 1 }\n",
        "broker:\n  password: \"@\n  x: y\n",
        "broker:\n  password: '@\n",
        "broker:\n  password: [@\n",
        "broker:\n  password: %@\n",
        "broker:\n  password: &@ x\n",
        "broker:\n  password: *@\n",
        "broker:\n  password: !@ x\n",
        "broker:\n  password: {@}\n",
        "broker:\n  password: { fil: @ }\n",
        "broker:\n  password: { file: [@] }\n",
        "broker:\n  password: { credential: /@ }\n",
        "broker:\n  password: \"\\q@\"\n",
        "broker:\n  password: |\n    @\n    @\n",
        "broker:\n  password:\n    @\n  x: 1\n",
        "broker:\n  password:\n    @: @\n",
        "broker:\n\tpassword: @\n",
        "broker:\n  password:@\n  url: x\n",
        "broker:\n  password: a: @\n",
        "broker:\n  password: @\n  password: @\n",
        "broker:\npassword: @\n",
        "broker: @\n",
        "broker:\n  - @\n",
        "broker:\n  url: mqtt://u:@@h\n",
        "broker:\n  url: mqtt://u:@@h:x/?\n",
        "broker:\n  url: \"mqtt://u:@@h\n",
        "broker:\n  client_key: \"-----BEGIN\\n@\"\n",
        "broker:\n  client_key: [@]\n",
        "pushward:\n  key: @\n",
        "pushward:\n  kee: @\n",
        "pushward:\n  key: hlk_@\n",
        "pushward:\n  key: { file: hlk_@ }\n",
        "pushward:\n  key @\n",
        "pushward:\n  key: @\n x: [\n",
        "pushward: { key: @ ]\n",
        "pushward: {\n  key:\n  @\n  ]\n}\n",
        "pushward: hlk_@\n",
        "pushward:\n  hlk_@: x\n",
        "pushwrd:\n  kee: @\n",
        "api_key: @\n",
        "password: @\n",
        "hlk_@: x\n",
        "timezone: hlk_@\n",
        "readings:\n  a: { topic: hlk_@, path: hlk_@ }\n",
        "readings:\n  a: { topic: t/#/hlk_@ }\n",
        "readings:\n  a: { topic: t, password: @, toppic: x }\n",
        "readings:\n  password: @\n",
        "readings:\n  a: { topic: t, unit: \"mqtt://u:@@h\", scale: \"mqtt://u:@@h\" }\n",
        "widgets:\n  hlk_@: { template: flow }\n",
        "widgets:\n  w: { template: hlk_@ }\n",
        "widgets:\n  w:\n    api_key:\n      @\n    x: [}\n",
        "widgets:\n  w: { tap_action: { headers: { Authorization: Bearer @ } } }\n",
        "{\"broker\": {\"password\": \"@\", \"x\": 1}, \"widgets\": 1}\n",
        "{\"broker\": {\"password\": \"@\", \"x\": 1, \"widgets\": 1}\n",
        "widgets: \"a\nbroker:\n  password: @\n",
        "widgets: {\n  broker: { password: @ }\n",
    ]

    @Test("no message shows one", arguments: texts.indices)
    func hidden(index: Int) {
        let template = HiddenSecretTests.texts[index]
        for (before, after) in [("", ""), ("", soundReadings + soundWidgets), (soundReadings + soundWidgets, "")] {
            // The places of "@" that are a URL's own are followed by "h".
            let text = before + template.replacing("@", with: HiddenSecretTests.marker, before: "h") + after
            let report = diagnosis(of: text)
            #expect(!report.isEmpty)
            #expect(!report.contains(HiddenSecretTests.marker), "\(text)\n\(report)")
        }
    }

    @Test("an inline secret is refused with the way to do it")
    func advice() {
        let text = "broker: { url: mqtt://localhost }\npushward: { key: abc }\n" + soundReadings + soundWidgets
        #expect(
            diagnosis(of: text) == "flowbridge.yaml:2:18: error: pushward.key must not stand in this file, which gets "
                + "copied, backed up and shown; put it in a file of its own that only the service can read, and write "
                + "{ file: pushward-key } here, or { credential: pushward-key }"
        )
    }
}

extension String {
    /// Replaces every `sign` by `text`, but one that follows another and stands before `next`: a URL's own.
    fileprivate func replacing(_ sign: Character, with text: String, before next: Character) -> String {
        var result = ""
        var previous: Character?
        for (offset, character) in enumerated() {
            let following = dropFirst(offset + 1).first
            let isOwn = character == sign && previous == sign && following == next
            result += character == sign && !isOwn ? text : String(character)
            previous = character
        }
        return result
    }
}
