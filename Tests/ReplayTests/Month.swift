import EnergyFlow
import Foundation
import Readings
import Replay
import Testing
import TimeZones
import Widgets

/// April 2026 in Berlin as one home would have lived it whose days are the two captured ones in turn.
///
/// Its messages have one topic a value, so that one configuration reads both days, and no counters, which would jump at every
/// midnight. Of every four minutes one is kept: with less than two updates a day the phone is wrong by hours, and a push that is
/// a few minutes late is nothing beside that, while the test takes a quarter of the time. The first two hours of the first local
/// day are left out, because they belong to March by the service's calendar, which is UTC.
struct Month {
    static let days = 30
    let configuration = """
        broker: { url: mqtt://localhost }
        pushward: { key: { credential: key } }
        timezone: Europe/Berlin
        readings:
          solar: { topic: solar, unit: W, expires: 15m, expired: zero }
          grid: { topic: grid, unit: W, expires: 15m }
          battery: { topic: battery, unit: W, expires: 15m }
          level: { topic: level, unit: "%" }
        widgets:
          power:
            template: flow
            name: Home power
            label: Power
            unit: W
            inputs: [{ name: Solar, rate: solar, total: integrate }]
            storage: { name: Battery, rate: { charging: battery }, total: integrate, level: level }
            exchange: { name: Grid, rate: { import: grid }, total: integrate }
            output: { name: Home, rate: balance, total: integrate }
        """
    /// Local midnight.
    let start: Duration
    private static let order = [Day.spring, Day.summer]

    init() throws {
        start = try #require(RFC3339.parse("2026-03-31T22:00:00Z"))
    }

    /// Local midnight of a day, from 0.
    func midnight(_ day: Int) -> Duration { start + .seconds(day * 86_400) }

    func day(_ number: Int) -> Day { Month.order[number % 2] }

    func messages() throws -> [CapturedMessage] {
        let days = try Month.order.map { day in
            let midnight = try day.truthTable().rows[0].at
            return try day.messages().compactMap { try Month.common($0, since: midnight) }
        }
        return (0..<Month.days).flatMap { number in
            days[number % 2].map { message in
                var message = message
                message.wall += midnight(number)
                return message
            }
        }.filter { $0.wall >= start + .seconds(7200) }
    }

    func truth() throws -> TruthTable {
        let days = try Month.order.map { try $0.truthTable().rows }
        let rows = (0..<Month.days).flatMap { number in
            days[number % 2].map {
                TruthTable.Row(at: $0.at - days[number % 2][0].at + midnight(number), power: $0.power)
            }
        }
        return try #require(TruthTable(rows: rows.filter { $0.at >= start + .seconds(7200) }))
    }

    private static let topics = [
        "solar/ac/power": "solar",
        "shellypro3em-aabbccddeeff/status/em:0": "grid",
        "N/c0619ab00000/system/0/Dc/Battery/Power": "battery",
        "N/c0619ab00000/system/0/Dc/Battery/Soc": "level",
        "evcc/site/pvPower": "solar",
        "evcc/site/grid/power": "grid",
        "evcc/site/battery/power": "battery",
        "evcc/site/battery/soc": "level",
    ]

    /// The message on a common topic, as time since midnight; `nil` when it is another's or left out.
    private static func common(_ message: CapturedMessage, since midnight: Duration) throws -> CapturedMessage? {
        let name = String(decoding: message.topic, as: UTF8.self)
        let since = message.wall - midnight
        guard let topic = topics[name], since.components.seconds / 60 % 4 == 0 else { return nil }
        var payload = message.payload
        if payload.first == UInt8(ascii: "{") {
            let text = String(decoding: payload, as: UTF8.self)
            let number = try #/("total_act_power"|"value"): ?(-?[0-9.]+)/#.firstMatch(in: text)?.2
            payload = Array((number ?? "").utf8)
        } else if name == "evcc/site/battery/power" {
            payload = Day.negated(payload)
        }
        return CapturedMessage(wall: since, retained: false, topic: Array(topic.utf8), payload: payload)
    }
}
