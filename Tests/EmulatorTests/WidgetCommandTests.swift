import Glibc
import ProcessSupport
import Testing
import Widgets

/// `flowbridge widget`, as built, against the emulator.
@Suite("flowbridge widget")
struct WidgetCommandTests {
    /// What the program printed, and its exit code.
    private struct End: Equatable {
        var code: Int32
        var output: String
        var errors = ""
    }

    private struct Account {
        let directory: String
        let emulator: EmulatorProcess

        func run(_ words: String...) throws -> End {
            try run(words)
        }

        func run(_ words: [String]) throws -> End {
            let end = try withFile("\(directory)/output", O_WRONLY | O_TRUNC) { output in
                try withFile("\(directory)/errors", O_WRONLY | O_TRUNC) { errors in
                    let program = try ChildProcess(
                        ChildProcess.built("flowbridge"),
                        ["widget"] + words + ["--config", "\(directory)/flowbridge.yaml"],
                        output: output,
                        errors: errors
                    )
                    return program.wait()
                }
            }
            guard case .code(let code) = end else { throw ProcessError("flowbridge was ended by a signal.") }
            return End(
                code: code,
                output: try contents(of: "\(directory)/output"),
                errors: try contents(of: "\(directory)/errors")
            )
        }

        /// Makes a widget as another program would.
        func create(_ body: String) throws {
            let connection = try LoopbackConnection(port: emulator.port)
            connection.send(
                "POST /widgets HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer \(Bench.key)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            guard case .closed(let answer) = connection.receive(), answer.hasPrefix("HTTP/1.1 201") else {
                throw ProcessError("The emulator did not create the widget.")
            }
        }
    }

    private func withAccount(key: String = Bench.key, _ body: (Account) throws -> Void) async throws {
        try await withDirectory { directory in
            try withEmulator("--key", Bench.key) { emulator in
                try write("\(key)\n", to: "\(directory)/key")
                try write(
                    """
                    broker: { url: mqtt://localhost }
                    pushward: { key: { file: key }, url: "\(emulator.firstLine)" }
                    readings:
                      level: { topic: t, unit: "%" }
                    widgets:
                      battery: { template: progress, name: Battery, value: level }

                    """,
                    to: "\(directory)/flowbridge.yaml"
                )
                try body(Account(directory: directory, emulator: emulator))
            }
        }
    }

    private let battery = #"{"slug":"battery","name":"Battery","content":{"template":"progress","value":0.5}}"#
    private let door = #"{"slug":"door","name":"Front door","content":{"template":"status","label":"Open"}}"#

    @Test("lists the account's widgets in a table, with those of the configuration marked")
    func list() async throws {
        try await withAccount { account in
            #expect(try account.run("list") == End(code: 0, output: "slug  name  template  updated  configured\n"))
            try account.create(battery)
            try account.create(door)
            let end = try account.run("list")
            #expect(end.code == 0 && end.errors == "")
            let rows = end.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(
                rows.map { [$0[0], $0.last ?? ""] } == [["slug", "configured"], ["battery", "yes"], ["door", "no"]]
            )
            let columns = end.output.split(separator: "\n").map { line in line.firstRange(of: "20")?.lowerBound }
            #expect(columns[1] != nil)
        }
    }

    @Test("prints one JSON line a widget for machines")
    func json() async throws {
        try await withAccount { account in
            try account.create(battery)
            try account.create(door)
            let lines = try account.run("list", "--json").output.split(separator: "\n")
            let slugs = try lines.map { try JSONValue(parsing: Array($0.utf8)).asObject?["slug"]?.asString }
            #expect(slugs == ["battery", "door"])
            let shown = try JSONValue(parsing: Array(account.run("show", "door", "--json").output.utf8))
            #expect(shown.asObject?["content"] == ["template": "status", "label": "Open"])
        }
    }

    @Test("shows each member of a widget on a line")
    func show() async throws {
        try await withAccount { account in
            try account.create(
                #"{"slug":"x","name":"A\u001b[31m","content":{"template":"progress","value":0.5,"stat_rows":"#
                    + #"[{"label":"Power","value":"1"}]}}"#
            )
            let end = try account.run("show", "x")
            #expect(end.code == 0)
            let lines = end.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(lines.contains(["content.value", "0.5"]))
            #expect(lines.contains(["content.stat_rows[0].label", "Power"]))
            // A name may come from anybody, and a terminal would obey it.
            #expect(lines.contains(["name", "A\u{FFFD}[31m"]))
        }
    }

    @Test("deletes one widget, and says when a running bridge will make it anew")
    func delete() async throws {
        try await withAccount { account in
            try account.create(battery)
            try account.create(door)
            #expect(try account.run("delete", "door") == End(code: 0, output: "The widget 'door' is deleted.\n"))
            #expect(
                try account.run("delete", "battery", "--json")
                    == End(
                        code: 0,
                        output: "{\"slug\":\"battery\",\"deleted\":true}\n",
                        errors: "flowbridge: It is in the configuration, so that a running bridge creates it again.\n"
                    )
            )
            #expect(try account.run("list", "--json").output == "")
        }
    }

    @Test("says what is wrong, with an exit code for each kind")
    func failures() async throws {
        try await withAccount { account in
            let missing = try account.run("show", "nothing")
            #expect(missing.code == EX_NOINPUT)
            #expect(missing.errors.hasPrefix("flowbridge: The service has no such widget"))
            #expect(try account.run("delete", "nothing").code == EX_NOINPUT)
            _ = account.emulator.end(with: SIGTERM)
            let away = try account.run("list")
            #expect(away.code == EX_UNAVAILABLE)
            #expect(away.errors.hasPrefix("flowbridge: The widget service cannot be reached: "))
        }
        try await withAccount(key: "hlk_00000000000000000000000000000000") { account in
            let refused = try account.run("list")
            #expect(refused.code == EX_NOPERM)
            #expect(refused.errors.hasPrefix("flowbridge: The service refuses the key"))
            #expect(!refused.errors.contains("hlk_"))
        }
    }

    @Test(
        "tells a wrong command line by its word",
        arguments: [
            ([], "'widget' needs a word: list, show SLUG or delete SLUG."),
            (["remove"], "'widget' knows no 'remove'; it is list, show SLUG or delete SLUG."),
            (["list", "x"], "'widget list' takes no 'x'."), (["show"], "'widget show' needs the slug of one widget."),
            (["delete", "a", "b"], "'widget delete' needs the slug of one widget."),
            (["delete", "a/../b"], "'a/../b' is no slug."),
            (["list", "--csv"], "'widget' has no option '--csv'; see 'flowbridge widget --help'."),
        ] as [([String], String)]
    )
    func misuse(words: [String], sentence: String) async throws {
        try await withAccount { account in
            let end = try account.run(words)
            #expect(end == End(code: EX_USAGE, output: "", errors: "flowbridge: \(sentence)\n"))
        }
    }
}
