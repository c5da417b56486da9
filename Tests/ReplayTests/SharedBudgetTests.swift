import Bridge
import Configuration
import Delivery
import EnergyFlow
import Replay
import Testing
import TimeZones
import Widgets

/// An account without a plan, whose 50 updates a month three widgets share.
@Suite("A small budget that several widgets share")
struct SharedBudgetTests {
    private static let configuration = """
        broker: { url: mqtt://localhost }
        pushward: { key: { credential: key } }
        timezone: UTC
        readings:
          solar: { topic: solar, unit: W }
          level: { topic: level, unit: "%" }
          ends:  { topic: ends, unit: timestamp }
        widgets:
          power:
            template: flow
            name: Home
            inputs: [{ name: Solar, rate: solar }]
          battery:
            template: progress
            name: Battery
            value: level
          car:
            template: countdown
            name: Car
            end: ends
            expired_text: Done
        """

    @Test("A countdown is spent on what it counts: fifteen of a month's charges, each when it begins")
    func charges() throws {
        let start = try #require(RFC3339.parse("2026-04-01T00:00:00Z"))
        let settings = try #require(ConfigurationReader().read(text: Self.configuration).settings)
        var shown: [(at: Duration, end: Duration)] = []
        var writes = 0
        var replay = Replay(
            settings.bridge,
            calendar: try LocalCalendar(zone: settings.timeZone),
            plan: ReplayPlan("free")
        ) { output in
            guard case .write(let at, let request) = output else { return }
            writes += 1
            guard request.path.hasSuffix("/car") || request.body?.asObject?["slug"] == "car",
                let end = request.body?.asObject?["content"]?.asObject?["end_date"]?.asString.flatMap(RFC3339.parse)
            else { return }
            shown.append((at, end))
        }
        // A charge from 10:00 to 14:00 every day, told every ten minutes; solar and level move all the time.
        for minute in stride(from: 0, to: 30 * 1440, by: 10) {
            let wall = start + .seconds(minute * 60)
            let (day, hour) = (minute / 1440, minute % 1440 / 60)
            let end = start + .seconds(day * 86_400 + 14 * 3600)
            let isCharging = (10..<14).contains(hour)
            for (topic, payload) in [
                ("solar", "\(minute * 37 % 4000)"), ("level", "\(minute / 20 % 101)"),
                ("ends", isCharging ? "\(end.components.seconds)" : "unavailable"),
            ] {
                replay.receive(
                    CapturedMessage(wall: wall, retained: false, topic: Array(topic.utf8), payload: Array(payload.utf8))
                )
            }
        }
        #expect(writes <= 50)
        let charges = (0..<30).filter { day in
            let begin = start + .seconds(day * 86_400 + 10 * 3600)
            return shown.contains {
                $0.end == begin + .seconds(4 * 3600) && $0.at - begin < .seconds(900) && $0.at >= begin
            }
        }
        #expect(charges.count >= 14, "\(charges)")
    }
}
