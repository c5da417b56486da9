import Configuration
import Glibc
import Testing

@Suite("Configuration files")
struct FileTests {
    private func diagnosis(of path: String) -> String {
        ConfigurationReader().read(file: path).problems.map(\.description).joined(separator: "\n")
    }

    @Test("relative paths are taken relative to the file")
    func relativePaths() throws {
        try withDirectory { directory in
            try write(example, to: "\(directory)/flowbridge.yaml")
            let settings = ConfigurationReader().read(file: "\(directory)/flowbridge.yaml").settings
            #expect(settings?.broker.password == .file("\(directory)/mqtt-password"))
            #expect(settings?.broker.ca == "/etc/ssl/certs/home-ca.pem")
        }
    }

    @Test("missing, a directory and empty are told apart")
    func kinds() throws {
        try withDirectory { directory in
            let path = "\(directory)/flowbridge.yaml"
            #expect(diagnosis(of: path) == "\(path): error: the file does not exist")
            #expect(diagnosis(of: directory) == "\(directory): error: the file is a directory")
            for text in ["", "\n", "# only a comment\n", "\u{FEFF}"] {
                try write(text, to: path)
                #expect(diagnosis(of: path) == "\(path):1:1: error: the file is empty")
            }
        }
    }

    @Test("a file of another user is told from a missing one", .enabled(if: geteuid() != 0, "root may read all"))
    func permissions() throws {
        try withDirectory { directory in
            let path = "\(directory)/flowbridge.yaml"
            try write(example, to: path)
            chmod(path, 0)
            #expect(
                diagnosis(of: path) == "\(path): error: the file may not be read by this user (uid \(geteuid())); look "
                    + "at its owner and mode"
            )
        }
    }

    @Test(
        "what is no UTF-8 text is refused at its place",
        arguments: [
            (Array("a: \u{E4}\nb: ".utf8) + [0xE4, 0x0A], "2:4: error: the file is not UTF-8 from here on"),
            ([0xFF, 0xFE, 0x61, 0x00], "1:1: error: the file is UTF-16; save it as UTF-8"),
            (Array("a: 1\nb: 2\0c: 3\n".utf8), "2:5: error: a control character, which YAML does not allow"),
            (Array("a: 1\rb: 2\n".utf8), "1:6: error: a control character, which YAML does not allow"),
            (Array("a: \u{1B}[2J\n".utf8), "1:4: error: a control character, which YAML does not allow"),
            (Array(repeating: 0x61, count: 1_048_577), "1:1: error: the file is larger than 1 MiB"),
        ] as [([UInt8], String)]
    )
    func encodings(bytes: [UInt8], expected: String) throws {
        try withDirectory { directory in
            let path = "\(directory)/flowbridge.yaml"
            try write(bytes, to: path)
            #expect(diagnosis(of: path) == "\(path):\(expected)")
        }
    }

    @Test("files that the settings name and that cannot be used are reported before anything connects")
    func unusableFiles() throws {
        try withDirectory { directory in
            try write("s3cret", to: "\(directory)/key")
            let text =
                "broker:\n  url: mqtts://h\n  username: u\n  password: { file: \(directory)/key }\n"
                + "  ca: \(directory)/ca.pem\npushward: { key: { credential: no-key } }\ntimezone: UTC\n"
                + soundReadings + soundWidgets
            let settings = try #require(ConfigurationReader().read(text: text).settings)
            #expect(
                settings.unusableFiles(credentials: directory) == [
                    "The credential 'no-key' does not exist.",
                    "The file '\(directory)/ca.pem' of broker.ca does not exist.",
                ]
            )
        }
    }
}
