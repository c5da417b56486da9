import Configuration
import Testing

@Suite("Diagnostics, whole")
struct DiagnosticTests {
    @Test("an unknown key is shown at its place with what was likely meant")
    func unknownKey() {
        let text = example.replacing("grid_power:    { topic", with: "grid_power:    { toppic", maxReplacements: 1)
        #expect(
            diagnosis(of: text) == """
                flowbridge.yaml:15:20: error: unknown key 'toppic' in readings.grid_power (did you mean 'topic'?)
                  grid_power:    { toppic: shellypro3em-aabbccddeeff/status/em:0, path: /total_act_power, unit: W }
                                   ^
                """
        )
    }

    @Test("all problems of all sections come in one run, by place")
    func everySection() {
        let text = """
            broker:
              url: tcp://homeassistant.local
              prot: 8883
              password: { file: mqtt-password }
              ca: ca.pem
            pushward:
              url: http://example.org
              key: { path: x }
            timezone: europe/berlin
            reading:
              grid: { topic: t }
            widgets: []
            """
        #expect(
            diagnosis(of: text) == """
                flowbridge.yaml:2:8: error: broker.url must begin with mqtts:// or mqtt://
                  url: tcp://homeassistant.local
                       ^
                flowbridge.yaml:3:3: error: unknown key 'prot' in broker
                flowbridge.yaml:4:3: error: broker.password needs broker.username
                flowbridge.yaml:7:8: error: pushward.url must begin with https://, or the key would travel in clear
                  url: http://example.org
                       ^
                flowbridge.yaml:8:8: error: pushward.key takes either { file: PATH } or { credential: NAME }
                flowbridge.yaml:9:11: error: unknown time zone 'europe/berlin' (did you mean 'Europe/Berlin'?)
                timezone: europe/berlin
                          ^
                flowbridge.yaml:10:1: error: unknown key 'reading' (did you mean 'readings'?)
                flowbridge.yaml:12:1: error: widgets must hold at least one widget, such as power: { template: flow, ... }
                widgets: []
                ^
                """
        )
    }

    @Test("what is missing is named where it should stand")
    func missing() {
        #expect(
            diagnosis(of: "broker: {}\npushward: {}\nreadings:\n  a: {}\nwidgets:\n  w: {}\n") == """
                flowbridge.yaml:1:1: error: missing key 'url' in broker
                flowbridge.yaml:2:1: error: missing key 'key' in pushward
                flowbridge.yaml:4:3: error: missing key 'topic' in readings.a
                  a: {}
                  ^
                flowbridge.yaml:6:3: error: missing key 'template' in widgets.w
                  w: {}
                  ^
                flowbridge.yaml:6:3: error: missing key 'name' in widgets.w
                  w: {}
                  ^
                flowbridge.yaml:6:3: error: widgets.w has no slot; give it inputs, storage, exchange or output
                  w: {}
                  ^
                """
        )
        #expect(
            diagnosis(of: "{}") == """
                flowbridge.yaml:1:1: error: missing key 'broker'
                flowbridge.yaml:1:1: error: missing key 'pushward'
                flowbridge.yaml:1:1: error: missing key 'readings'
                flowbridge.yaml:1:1: error: missing key 'widgets'
                """
        )
    }

    @Test("a reading that nobody uses is worth a warning, and no more")
    func unused() {
        let text = soundHead + soundReadings + "  'two words': { topic: t }\n" + soundWidgets
        let result = ConfigurationReader().read(text: text)
        #expect(result.settings != nil)
        #expect(
            result.problems.map(\.description) == [
                """
                flowbridge.yaml:6:3: warning: reading 'two words' is not used by any widget
                  'two words': { topic: t }
                  ^
                """
            ]
        )
    }
}

/// One row of a table: what is wrong, and the place and message of each problem.
struct Slip: Sendable, CustomTestStringConvertible {
    var yaml: String
    var expected: [String]

    init(_ yaml: String, _ expected: String...) {
        self.yaml = yaml
        self.expected = expected
    }

    var testDescription: String { yaml }
}

/// The place and message of each problem, without source lines.
private func slips(_ text: String) -> [String] {
    ConfigurationReader().read(text: text).problems.map { problem in
        let place = problem.place.map { "\($0.line):\($0.column): " } ?? ""
        return "\(place)\(problem.severity.rawValue): \(problem.message)"
    }
}

@Suite("Slips in a reading")
struct ReadingSlipTests {
    @Test(
        "are each reported where they stand",
        arguments: [
            Slip("topic: 1", #"5:18: error: readings.grid.topic must be text; quote it: "1""#),
            Slip("topic: ", "5:11: error: readings.grid.topic is empty"),
            Slip("topic: [a]", "5:18: error: readings.grid.topic must be text"),
            Slip("topic: a/#/b", "5:18: error: readings.grid.topic: '#' can only be the last level of 'a/#/b'"),
            Slip(
                "topic: t/+",
                "5:18: error: readings.grid.topic has a wildcard and may match many topics; say how with combine: sum, "
                    + "mean or max"
            ),
            Slip(
                "topic: t, combine: sum",
                "5:21: error: readings.grid.combine needs a topic with a wildcard (+ or #)"
            ),
            Slip(
                "topic: t, path: value",
                "5:27: error: readings.grid.path: the path 'value' does not begin with '/': write '/value'"
            ),
            Slip("topic: t, unit: kw", "5:27: error: readings.grid.unit is no unit: 'kw' (did you mean 'kW'?)"),
            Slip("topic: t, unit: mw", "5:27: error: readings.grid.unit is no unit: 'mw' (did you mean 'MW' or 'mW'?)"),
            Slip("topic: t, unit: Watt", "5:27: error: readings.grid.unit is no unit: 'Watt' (did you mean 'W'?)"),
            Slip(
                "topic: t, unit: percent",
                "5:27: error: readings.grid.unit is no unit: 'percent' (did you mean '%'?)"
            ),
            Slip("topic: t, unit: kW/h", "5:27: error: readings.grid.unit is no unit: 'kW/h' (did you mean 'kWh'?)"),
            Slip(
                "topic: t, unit_path: /u",
                "5:21: error: readings.grid.unit_path needs readings.grid.path: only a JSON payload has fields"
            ),
            Slip("topic: t, scale: 0", "5:28: error: readings.grid.scale of 0 would leave nothing of the value"),
            Slip("topic: t, scale: nan", "5:28: error: readings.grid.scale must be a number, not 'nan'"),
            Slip("topic: t, scale: .inf", "5:28: error: readings.grid.scale must be a number, not '.inf'"),
            Slip("topic: t, scale: 0x10", "5:28: error: readings.grid.scale must be a number, not '0x10'"),
            Slip("topic: t, scale: 1e400", "5:28: error: readings.grid.scale must be a number, not '1e400'"),
            Slip(
                #"topic: t, scale: "0,1""#,
                "5:28: error: readings.grid.scale must be a number, not '0,1'; the decimal mark is a point"
            ),
            Slip(#"topic: t, scale: "2""#, "5:28: error: readings.grid.scale must be a number; leave out the quotes"),
            Slip(
                "topic: t, range: [3, 3]",
                "5:28: error: readings.grid.range is empty: the low end must be less than the high end"
            ),
            Slip("topic: t, range: 5", "5:28: error: readings.grid.range must be two numbers: [low, high]"),
            Slip(
                "topic: t, expires: 60",
                "5:30: error: readings.grid.expires must be a duration, not '60' (did you mean '60s'?)"
            ),
            Slip(
                "topic: t, expires: 500ms",
                "5:30: error: readings.grid.expires must be a duration, not '500ms' (write 15s, 10m, 1h or 2d)"
            ),
            Slip(
                "topic: t, expires: -5s",
                "5:30: error: readings.grid.expires must be a duration, not '-5s' (write 15s, 10m, 1h or 2d)"
            ),
            Slip("topic: t, expires: 0s", "5:30: error: readings.grid.expires must be at least 1s"),
            Slip(
                "topic: t, expired: nought",
                "5:30: error: readings.grid.expired cannot be 'nought' (it is 'unknown' or 'zero')"
            ),
            Slip(
                "topic: t, retained: ingore",
                "5:31: error: readings.grid.retained cannot be 'ingore' (did you mean 'ignore'?)"
            ),
            Slip("topic: t, decimal: null", "5:30: error: readings.grid.decimal is empty"),
            Slip(
                "topic: t, path: /p, direction: { path: /d, positive: [in], negative: [out, IN] }",
                "5:31: error: readings.grid.direction has 'in' among the positive and the negative words"
            ),
            Slip(
                "topic: t, only_if: { path: /x }",
                "5:21: error: missing key 'equals' in readings.grid.only_if"
            ),
            Slip(
                "topic: t, available: { topic: a/+ }",
                "5:41: error: readings.grid.available.topic must be one topic, without wildcards"
            ),
            Slip(
                "topic: t, available: { topic: a, when: online }",
                "5:50: error: readings.grid.available.when must be a list of words, such as [online]"
            ),
            Slip(
                "topic: t, topic: u",
                "5:21: error: duplicate key 'topic', which already stands at 5:11"
            ),
        ]
    )
    func reading(slip: Slip) {
        #expect(slips(soundHead + "readings:\n  grid: { \(slip.yaml) }\n" + soundWidgets) == slip.expected)
    }

    @Test("what does not count energy cannot count")
    func counters() {
        let text =
            soundHead + "readings:\n  grid: { topic: t }\n  a: { topic: t, unit: \"%\", counts: today }\n"
            + "  balance: { topic: t }\n" + soundWidgets
        #expect(
            slips(text) == [
                "6:3: warning: reading 'a' is not used by any widget",
                "6:29: error: readings.a.counts needs a unit that adds up, such as kWh, not '%'",
                "7:3: error: a reading cannot be called 'balance', which has a meaning of its own",
                "7:3: warning: reading 'balance' is not used by any widget",
            ]
        )
    }
}

@Suite("Slips in a widget")
struct WidgetSlipTests {
    private static let readings = """
        readings:
          p: { topic: p }
          q: { topic: q }
          zero: { topic: z, expired: zero }
          wh: { topic: e, unit: Wh, counts: lifetime }
          soc: { topic: s, unit: "%" }
          flow: { topic: f, unit: L/min }
          litres: { topic: l, unit: L, counts: today }

        """

    private static let senses = (
        storage: "write { charging: NAME } when positive values are charging, { discharging: NAME } when they are "
            + "discharging, or both for two readings that are never negative",
        exchange: "write { import: NAME } when positive values are import, { export: NAME } when they are export, or "
            + "both for two readings that are never negative"
    )

    @Test(
        "are each reported where they stand",
        arguments: [
            Slip(
                "output: { rate: pp }",
                "15:21: error: unknown reading 'pp' in widgets.w.output.rate (did you mean 'p'?)"
            ),
            Slip("output: { rate: house }", "15:21: error: unknown reading 'house' in widgets.w.output.rate"),
            Slip(
                "output: { rate: ballance }",
                "15:21: error: unknown reading 'ballance' in widgets.w.output.rate (did you mean 'balance'?)"
            ),
            Slip(
                "output: { rate: p, total: intergrate }",
                "15:31: error: unknown reading 'intergrate' in widgets.w.output.total (did you mean 'integrate'?)"
            ),
            Slip(
                "exchange: { rate: balanced }",
                "15:23: error: widgets.w.exchange.rate needs a word for its sign (did you mean 'balance'?): "
                    + senses.exchange
            ),
            Slip(
                "storage: { rate: { charge: p } }",
                "15:24: error: widgets.w.storage.rate cannot have 'charge' (did you mean 'charging'?): \(senses.storage)"
            ),
            Slip(
                "exchange: { rate: { import: p, exporting: q } }",
                "15:36: error: widgets.w.exchange.rate cannot have 'exporting' (did you mean 'export'?): "
                    + senses.exchange
            ),
            Slip(
                "{ unit: l/min, output: { rate: flow } }",
                "15:34: error: widgets.w.output.rate does not agree with the widget's unit 'l/min': 'flow' is in 'L/min' "
                    + "(did you mean 'l/min'?)"
            ),
            Slip("output: { name: House }", "15:5: error: missing key 'rate' in widgets.w.output"),
            Slip(
                "output: { rate: { import: p } }",
                "15:21: error: widgets.w.output.rate takes no 'import': outputs flow one way; write a reading's name"
            ),
            Slip(
                "output: { rate: { sum: [p, p] } }",
                "15:32: error: widgets.w.output.rate adds 'p' twice"
            ),
            Slip(
                "output: { rate: { sum: p } }",
                "15:21: error: widgets.w.output.rate must be a reading's name or { sum: [a, b] }"
            ),
            Slip(
                "exchange: { rate: p }",
                "15:23: error: widgets.w.exchange.rate needs a word for its sign: \(senses.exchange)"
            ),
            Slip(
                "storage: { rate: p }",
                "15:22: error: widgets.w.storage.rate needs a word for its sign: \(senses.storage)"
            ),
            Slip(
                "storage: { rate: { import: p } }",
                "15:24: error: widgets.w.storage.rate cannot have 'import': \(senses.storage)"
            ),
            Slip(
                "exchange: { rate: { import: p, export: p } }",
                "15:23: error: widgets.w.exchange.rate names the same reading for both senses; one word takes a signed "
                    + "reading"
            ),
            Slip(
                "exchange: { rate: { import: wh } }",
                "15:33: error: widgets.w.exchange.rate.import needs a rate, and 'wh' counts"
            ),
            Slip(
                "output: { rate: flow }",
                "15:21: error: widgets.w.output.rate does not agree with the widget's unit 'W': 'flow' is in 'L/min'"
            ),
            Slip(
                "{ unit: L/min, output: { rate: p, total: integrate } }",
                "15:34: error: widgets.w.output.rate does not agree with the widget's unit 'L/min': 'p' is in 'W'",
                "15:44: error: widgets.w.output.total can only integrate power, and the widget's unit is 'L/min'"
            ),
            Slip(
                "output: { rate: p, total: q }",
                "15:31: error: widgets.w.output.total needs a reading that counts; give 'q' counts: today or counts: "
                    + "lifetime, or write integrate"
            ),
            Slip(
                "output: { rate: p, total: litres }",
                "15:31: error: widgets.w.output.total must be in Wh, kWh or MWh, and 'litres' is in 'L'"
            ),
            Slip(
                "output: { rate: p, total: { integrate: import } }",
                "15:44: error: widgets.w.output.total: outputs flow one way; write total: integrate"
            ),
            Slip(
                "output: { rate: p, total: { export: wh } }",
                "15:33: error: widgets.w.output.total takes no 'export': outputs flow one way"
            ),
            Slip(
                "exchange: { rate: { import: p }, total: { integrate: exprt } }",
                "15:58: error: widgets.w.exchange.total.integrate cannot be 'exprt' (did you mean 'export'?)"
            ),
            Slip(
                "storage: { rate: { charging: p }, total: { integrate: export } }",
                "15:59: error: widgets.w.storage.total.integrate cannot be 'export' (it is 'charging' or 'discharging')"
            ),
            Slip(
                "storage: { rate: { charging: p }, level: q }",
                "15:46: error: widgets.w.storage.level needs a reading in % or as a fraction, and 'q' is in 'W'"
            ),
            Slip(
                "output: { rate: p, level: soc }",
                "15:24: warning: widgets.w.output.level is not drawn; only storage has a level"
            ),
            Slip(
                "output: { rate: zero }",
                "7:21: warning: 'expired: zero' suits solar inputs only, and 'zero' feeds widgets.w.output.rate"
            ),
            Slip(
                "{ inputs: [{ rate: p }, { rate: q }, { rate: p }, { rate: q }] }",
                "15:53: error: widgets.w.inputs has 4 entries; the service draws at most 3 (readings can be added: "
                    + "{ sum: [a, b] })"
            ),
            Slip(
                "inputs: { rate: p }",
                "15:5: error: widgets.w.inputs must be a list, each line of it beginning with '- '"
            ),
            Slip(
                "output: { rate: balance }",
                "15:21: error: widgets.w.output.rate is the balance of nothing; it needs other slots"
            ),
            Slip(
                "{ inputs: [{ rate: balance }], output: { rate: balance } }",
                "15:50: error: widgets.w.output.rate is a second balance; widgets.w.inputs[0] is one already"
            ),
            Slip(
                "{ inputs: [{ rate: p }], exchange: { rate: balance } }",
                "15:46: error: widgets.w.exchange.rate cannot be the balance without an output, which the others add "
                    + "up to"
            ),
            Slip(
                "output: { rate: p, color: \"#123\" }",
                "15:31: error: widgets.w.output.color is no colour: '#123' (a name such as red, or \"#RRGGBB\" or "
                    + "\"#RRGGBBAA\")"
            ),
            Slip(
                "output: { rate: p, color: gren }",
                "15:31: error: widgets.w.output.color is no colour: 'gren' (did you mean 'green'?)"
            ),
            Slip("output: { rate: p, name: 12 }", "15:30: error: widgets.w.output.name must be text; quote it: \"12\""),
            Slip(
                // Eight families of seven code points each: eight characters to a reader, 56 to the service.
                "output: { rate: p, name: \(String(repeating: "👨‍👩‍👧‍👦", count: 8)) }",
                "15:30: error: widgets.w.output.name has 56 characters; the service takes at most 32"
            ),
            Slip(
                "{ stale_after: 30s, output: { rate: p } }",
                "15:18: error: widgets.w.stale_after must be between 1m and 7d"
            ),
            Slip(
                "{ push_throttle: 2h, output: { rate: p } }",
                "15:20: error: widgets.w.push_throttle must be between 1s and 1h"
            ),
            Slip(
                "{ push: { every: 10s, budget: 5 }, output: { rate: p } }",
                "15:20: warning: widgets.w.push.every is shorter than the 15 s over which the service gathers pushes",
                "15:33: error: widgets.w.push.budget must be auto, unlimited, or a number of updates such as 72/day or "
                    + "50/month"
            ),
            Slip(
                "{ push: { urgent: 2m }, output: { rate: p } }",
                "15:21: error: widgets.w.push.urgent cannot be longer than widgets.w.push.every"
            ),
            Slip(
                "{ tap_action: {}, output: { rate: p } }",
                "15:5: error: missing key 'url' in widgets.w.tap_action"
            ),
            Slip(
                "{ label: yes, subtitle: true, output: { rate: p } }",
                "15:27: error: widgets.w.subtitle must be text; quote it: \"true\""
            ),
            Slip(
                "{ outputs: { rate: p } }",
                "15:5: error: unknown key 'outputs' in widgets.w (did you mean 'output'?)"
            ),
        ]
    )
    func widget(slip: Slip) {
        // A row in braces gives several keys; they go behind the two that every widget has.
        let isSeveral = slip.yaml.hasPrefix("{")
        let keys = isSeveral ? String(slip.yaml.dropFirst(2).dropLast(2)) : slip.yaml
        let text =
            soundHead + WidgetSlipTests.readings
            + "widgets:\n  all: { template: flow, name: All, inputs: [{ rate: zero }] }\n"
            + "  w: { template: flow, name: W,\n    \(keys) }\n"
        #expect(slips(text).filter { !$0.contains("not used") } == slip.expected)
    }

    @Test("in a slug or a template are told")
    func slugs() {
        let text =
            soundHead + soundReadings + soundWidgets
            + "  bad slug: { template: gauge, name: x, output: { rate: grid } }\n"
        #expect(
            slips(text) == [
                "8:3: error: 'bad slug' is no slug: it takes letters, digits, '-' and '_', begins with a letter or "
                    + "digit and has at most 128 characters",
                "8:25: error: widgets.'bad slug'.template cannot be 'gauge' (it is 'flow', 'progress' or 'countdown')",
            ]
        )
    }

    @Test("of the same slug twice are told")
    func duplicates() {
        let text = soundHead + soundReadings + soundWidgets + "  power: { template: flow }\n"
        #expect(slips(text) == ["8:3: error: duplicate key 'power', which already stands at 7:3"])
    }
}

@Suite("Slips of syntax")
struct SyntaxSlipTests {
    @Test(
        "are told in words that help",
        arguments: [
            Slip("  a: { unit: % }", "2:14: error: a value that starts with '%' needs quotes: write \"%\""),
            Slip("  a: @x", "2:6: error: a value that starts with '@' needs quotes"),
            Slip("\ta: 1", "2:1: error: a tab may not indent a line; use spaces"),
            Slip("  a: b: c", "2:7: error: a second ': ' on this line; put a value that holds ': ' in quotes"),
            Slip("  a: 'x", "2:7: error: the text that begins here has no closing quote in its place"),
            Slip(
                "  a: { b: 1\n  c: 2",
                "3:4: error: a comma or a closing bracket is missing before this"
            ),
            Slip("  a: [1, 2", "3:1: error: a '{' or '[' above is not closed (a '#' after a blank begins a comment)"),
            Slip(
                "  a: { topic: t, color: #123 }\n  b: { topic: t }",
                "3:3: error: a '{' or '[' above is not closed (a '#' after a blank begins a comment)"
            ),
            Slip(
                "  a\n  b: 1",
                "2:3: error: this is neither 'key: value' nor part of the line above; look for a missing ':' or the "
                    + "space after it"
            ),
            Slip("  - a\n b: 1", "3:2: error: the indentation of this line fits none above"),
            Slip(
                "  a: !secret x",
                "2:14: error: tags such as !secret are not supported; a secret is named with { file: PATH }"
            ),
        ]
    )
    func syntax(slip: Slip) {
        let found = slips("readings:\n\(slip.yaml)\n").filter {
            !$0.contains("missing key") && !$0.contains("must hold")
        }
        #expect(found == slip.expected)
    }

    @Test("a second document is refused")
    func documents() {
        let text = soundHead + soundReadings + soundWidgets + "---\na: 1\n"
        #expect(slips(text) == ["8:1: error: a second document starts here; a configuration is one document"])
    }
}

@Suite("URLs")
struct URLTests {
    private func broker(_ url: String) -> BrokerSettings? {
        let text =
            soundHead.replacing("mqtt://localhost", with: "\"\(url)\"", maxReplacements: 1) + soundReadings
            + soundWidgets
        return ConfigurationReader().read(text: text).settings?.broker
    }

    private func service(_ url: String) -> String? {
        let text =
            soundHead.replacing("{ key:", with: "{ url: \"\(url)\", key:", maxReplacements: 1) + soundReadings
            + soundWidgets
        return ConfigurationReader().read(text: text).settings?.service.url
    }

    @Test("a broker's gives host, port and safety")
    func brokers() {
        #expect(broker("mqtt://h") == BrokerSettings(host: "h", port: 1883, usesTLS: false))
        #expect(broker("MQTTS://h.example/") == BrokerSettings(host: "h.example", port: 8883, usesTLS: true))
        #expect(broker("mqtt://[fe80::1]:2000") == BrokerSettings(host: "fe80::1", port: 2000, usesTLS: false))
        #expect(broker("mqtts://192.0.2.1:1") == BrokerSettings(host: "192.0.2.1", port: 1, usesTLS: true))
    }

    @Test(
        "others are refused",
        arguments: [
            "h", "h:1883", "mqtt:/h", "mqtt://", "mqtt://:1883", "mqtt://h:", "mqtt://h:0", "mqtt://h:65536",
            "mqtt://h:+1", "mqtt://u@h", "mqtt://u:p@h", "mqtt://h/topic", "mqtt://h?x", "mqtt://h#x", "mqtt://::1",
            "mqtt://[::1", "mqtt://[::1]x", "mqtt://[h]", "mqtt://a b", "mqtt://ä", "tcp://h", "ws://h", "http://h",
        ]
    )
    func refused(url: String) {
        #expect(broker(url) == nil)
    }

    @Test("the key travels in clear to this machine only")
    func services() {
        #expect(service("https://example.org/base/") == "https://example.org/base")
        for url in ["http://localhost:8080", "http://127.0.0.1", "http://127.8.9.1:1", "http://[::1]:8080"] {
            #expect(service(url) == url)
        }
        for url in [
            "http://example.org", "http://127.0.0.1.example.org", "http://localhost.example.org", "http://127.0.0",
            "http://[::2]", "http://10.0.0.1", "ftp://h", "https://u:p@h", "https://",
        ] {
            #expect(service(url) == nil)
        }
    }

    @Test("what needs TLS is refused without it")
    func safety() {
        let text =
            "broker:\n  url: mqtt://h\n  ca: /ca.pem\n  client_certificate: /c.pem\n" + soundHead.dropFirstLine()
            + soundReadings + soundWidgets
        #expect(
            slips(text) == [
                "3:3: error: broker.ca needs TLS: broker.url must begin with mqtts://",
                "4:3: error: broker.client_certificate needs broker.client_key",
                "4:3: error: broker.client_certificate needs TLS: broker.url must begin with mqtts://",
            ]
        )
    }
}

extension String {
    fileprivate func dropFirstLine() -> String {
        String(drop(while: { $0 != "\n" }).dropFirst())
    }
}
