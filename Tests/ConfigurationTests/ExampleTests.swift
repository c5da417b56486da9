import Bridge
import Configuration
import Delivery
import EnergyFlow
import Readings
import Testing
import Widgets

@Suite("The documented example")
struct ExampleTests {
    @Test("reads into exactly what it says")
    func settings() throws {
        let result = ConfigurationReader().read(text: example)
        #expect(result.problems == [])
        let readings = [
            ReadingDefinition(
                name: "solar_power",
                topic: try TopicFilter("solar/ac/power"),
                unit: ReadingUnit("W"),
                expiry: .after(.seconds(900)),
                expired: .zero
            ),
            ReadingDefinition(
                name: "solar_today",
                topic: try TopicFilter("solar/ac/yieldday"),
                unit: ReadingUnit("Wh"),
                counts: .today
            ),
            ReadingDefinition(
                name: "grid_power",
                topic: try TopicFilter("shellypro3em-aabbccddeeff/status/em:0"),
                path: try JSONPointer("/total_act_power"),
                unit: ReadingUnit("W")
            ),
            ReadingDefinition(
                name: "grid_in",
                topic: try TopicFilter("shellypro3em-aabbccddeeff/status/emdata:0"),
                path: try JSONPointer("/total_act"),
                unit: ReadingUnit("Wh"),
                counts: .lifetime
            ),
            ReadingDefinition(
                name: "battery_power",
                topic: try TopicFilter("N/c0619ab00000/system/0/Dc/Battery/Power"),
                path: try JSONPointer("/value"),
                unit: ReadingUnit("W")
            ),
            ReadingDefinition(
                name: "battery_level",
                topic: try TopicFilter("N/c0619ab00000/system/0/Dc/Battery/Soc"),
                path: try JSONPointer("/value"),
                unit: ReadingUnit("%")
            ),
        ]
        let flow = FlowDefinition(
            inputs: [
                SlotDefinition(rate: .signed(ReadingSum([0]), reversed: false), total: .counter(ReadingSum([1])))
            ],
            storage: SlotDefinition(rate: .signed(ReadingSum([4]), reversed: false), level: ReadingSum([5])),
            exchange: SlotDefinition(
                rate: .signed(ReadingSum([2]), reversed: false),
                total: .counter(ReadingSum([3]))
            ),
            output: SlotDefinition(rate: .balance, total: .integrate(.positive))
        )
        let look = FlowAppearance(
            unit: try #require(BoundedText("W")),
            inputs: [
                NodeAppearance(
                    name: BoundedText("Solar"),
                    icon: BoundedText("sun.max.fill"),
                    color: WidgetColor("yellow")
                )
            ],
            storage: NodeAppearance(name: BoundedText("Battery")),
            exchange: NodeAppearance(name: BoundedText("Grid")),
            output: NodeAppearance(name: BoundedText("Home"))
        )
        let plan = WidgetPlan(
            widget: WidgetDefinition(
                slug: try #require(Slug("power")),
                name: try #require(BoundedText("Home power")),
                shared: SharedContent(label: BoundedText("Power"))
            ),
            template: .flow(flow, look),
            push: PushPolicy()
        )
        let expected = Settings(
            broker: BrokerSettings(
                host: "homeassistant.local",
                port: 8883,
                usesTLS: true,
                username: "flowbridge",
                password: .file("mqtt-password"),
                ca: "/etc/ssl/certs/home-ca.pem"
            ),
            service: ServiceSettings(url: "https://api.pushward.app", key: .credential("pushward-key")),
            timeZone: "Europe/Berlin",
            bridge: BridgeDefinition(readings: readings, widgets: [plan])
        )
        #expect(result.settings == expected)
    }

    @Test("is summed up in one line")
    func summary() throws {
        let settings = try #require(ConfigurationReader().read(text: example).settings)
        #expect(ConfigurationSummary(settings).description == "6 readings, 1 widget, 6 subscriptions")
    }

    @Test("reads the same with Windows line ends and a byte order mark")
    func lineEnds() {
        let windows =
            "\u{FEFF}" + example.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(ConfigurationReader().read(text: windows) == ConfigurationReader().read(text: example))
    }

    @Test(
        "the configurations that ship read without a problem",
        arguments: [
            "flowbridge.yaml", "examples/opendtu-shelly-victron.yaml", "examples/evcc.yaml", "examples/evcc-car.yaml",
            "examples/battery.yaml", "examples/tariff.yaml",
        ]
    )
    func shipped(file: String) {
        let result = ConfigurationReader().read(file: "\(packageRoot)/config/\(file)")
        #expect(result.problems == [])
        #expect(result.settings != nil)
    }

    @Test("the configuration that ships documents every key, and what it comments out is sound")
    func documentedKeys() throws {
        let lines = try contents(of: "\(packageRoot)/config/flowbridge.yaml").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let uncommented = lines.map { line in
            let indent = line.prefix { $0 == " " }
            let body = line.dropFirst(indent.count)
            let key = body.dropFirst(2).prefix { $0.isLowercase || $0 == "_" }
            let isKey = body.hasPrefix("# ") && !key.isEmpty && body.dropFirst(2 + key.count).hasPrefix(": ")
            return isKey ? indent + body.dropFirst(2) : line
        }
        let text = uncommented.joined(separator: "\n")
        // Certificates need TLS, which the shipped broker on the same machine does without.
        let result = ConfigurationReader().read(text: text.replacing("mqtt://", with: "mqtts://"))
        #expect(
            result.problems.map(\.message) == ["reading 'plugs_power' is not used by any widget"]
        )
        let keys = [
            "broker", "url", "username", "password", "ca", "client_certificate", "client_key", "client_id", "pushward",
            "key", "timezone", "readings", "topic", "path", "unit", "unit_path", "scale", "counts", "combine",
            "direction", "only_if", "range", "expires", "expired", "available", "when", "retained", "decimal",
            "widgets", "template", "name", "label", "subtitle", "subtitle_timer", "since", "style", "icon",
            "accent_color", "background_color",
            "text_color", "stale_after", "push_throttle", "push", "every", "urgent", "settle", "inputs", "storage",
            "exchange", "output", "rate", "total", "level", "color", "severity", "tap_action", "url_action",
            "secondary_url_action", "value", "window", "trend", "stat_rows", "unit", "decimals", "start", "end",
            "expired_text", "when", "of", "capacity", "efficiency", "goal", "method", "body", "title",
            "foreground",
        ]
        for key in keys {
            #expect(text.contains(" \(key): ") || text.contains("\n\(key):") || text.contains(" \(key):\n"), "\(key)")
        }
    }
}
