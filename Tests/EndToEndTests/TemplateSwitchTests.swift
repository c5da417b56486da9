import Glibc
import ProcessSupport
import Testing
import Widgets

@Suite("One slug under one configuration after another", .timeLimit(.minutes(3)))
struct TemplateSwitchTests {
    /// The widget under each configuration, without its name: what it looks like, and what feeds it.
    private static let steps = [
        """
        template: flow, label: Power, subtitle: Roof, unit: W, severity: info,
        tap_action: { url: "https://example.org", foreground: true }, stale_after: 1h, freshness: timer,
        inputs: [{ name: Solar, icon: sun.max, rate: solar }], exchange: { rate: { import: grid } }
        """,
        """
        template: progress, label: Battery, value: level, window: { start: begins, end: ends }, trend: true,
        stat_rows: [{ label: Power, value: solar, unit: W }, { label: Grid, value: grid }], accent_color: green,
        subtitle_timer: { since: begins, style: relative }
        """,
        "template: progress, label: Battery, icon: battery.75percent, value: level",
        "template: countdown, subtitle: Car, start: begins, end: ends, expired_text: Done, background_color: \"#102030\"",
        "template: countdown, end: ends, subtitle_timer: { until: ends }",
        "template: flow, unit: W, inputs: [{ rate: solar }], output: { rate: balance }",
        "template: flow, subtitle: At last, unit: W, inputs: [{ rate: solar }], exchange: { rate: { import: grid } }",
    ]

    @Test("leaves each time exactly the document that a fresh create gives, by one patch")
    func switching() async throws {
        try await withHome { home in
            try await home.startBroker()
            try home.startService()
            for (topic, payload) in [
                ("solar", "1000"), ("grid", "500"), ("level", "42"), ("begins", "\(time(nil) - 600)"),
                ("ends", "\(time(nil) + 7200)"),
            ] {
                try home.publish("home/\(topic)", payload, retain: true)
            }
            for (step, widget) in TemplateSwitchTests.steps.enumerated() {
                try home.configure(widget, fresh: "fresh-\(step)")
                let writes = try home.writes("live")
                try home.startDaemon()
                try await home.wait(for: "both widgets of step \(step) to be written") {
                    try home.writes("live") > writes && home.writes("fresh-\(step)") > 0
                }
                #expect(try home.endDaemon().ending == .code(0))
                #expect(try home.document("live") == home.document("fresh-\(step)"), "step \(step)")
                #expect(try home.writes("live") == writes + 1)
            }
            #expect(try home.requests.allSatisfy { $0.status < 300 || $0.status == 404 })
        }
    }
}

extension Home {
    /// Two widgets of the same configuration: the slug that lives on, and one that is new.
    fileprivate func configure(_ widget: String, fresh: String) throws {
        // Lines of a mapping in braces must be indented.
        let widget = widget.replacing("\n", with: " ")
        let text = """
            broker: { url: "mqtt://127.0.0.1:\(brokerPort)", client_id: home }
            pushward: { url: "http://127.0.0.1:\(servicePort)", key: { file: key } }
            timezone: Europe/Berlin
            readings:
              solar: { topic: home/solar, unit: W }
              grid: { topic: home/grid, unit: W }
              level: { topic: home/level, unit: "%" }
              begins: { topic: home/begins, unit: timestamp }
              ends: { topic: home/ends, unit: timestamp }
            widgets:
              live: { name: Switch, push: { settle: 1s, budget: unlimited }, \(widget) }
              \(fresh): { name: Switch, push: { settle: 1s, budget: unlimited }, \(widget) }

            """
        try write(text, to: "\(directory)/flowbridge.yaml")
    }

    fileprivate func writes(_ slug: String) throws -> Int {
        try requests(slug).count { $0.method != "GET" }
    }

    /// All that the service holds of a widget, but for its slug and dates.
    fileprivate func document(_ slug: String) throws -> JSONObject {
        var widget = try #require(try ask("GET", "/widgets/\(slug)").asObject)
        for member in ["slug", "created_at", "updated_at"] { widget[member] = nil }
        // The age of the data is as old as its patch.
        if var content = widget["content"]?.asObject, var timer = content["subtitle_timer"]?.asObject {
            timer["date"] = "set"
            content["subtitle_timer"] = .object(timer)
            widget["content"] = .object(content)
        }
        return widget
    }
}
