import EnergyFlow
import Readings
import Testing

@Suite("Energy from a rate")
struct RateIntegratorTests {
    @Test("FR-25: a sample makes no more energy than its reading is good for")
    func gap() {
        var integrator = RateIntegrator(sense: .positive, perHour: 0.001)
        integrator.receive(0, until: .seconds(120), at: .seconds(0))
        integrator.receive(700, until: .seconds(3600 + 120), at: .seconds(3600))
        integrator.receive(0, until: nil, at: .seconds(3600 + 40 * 3600))
        #expect(isClose(integrator.total, 0.7 * 120 / 3600))
    }

    @Test("FR-25: a constant rate makes energy with every message, and between them")
    func constant() {
        var integrator = RateIntegrator(sense: .positive, perHour: 0.001)
        for second in stride(from: 0, to: 3600, by: 10) {
            integrator.receive(500, until: .seconds(second + 120), at: .seconds(second))
        }
        integrator.settle(to: .seconds(3600))
        #expect(isClose(integrator.total, 0.5))
    }

    @Test("FR-44: an inverter that draws at night makes no negative energy")
    func standby() {
        var integrator = RateIntegrator(sense: .positive, perHour: 0.001)
        integrator.receive(1000, at: .seconds(0))
        for minute in 60..<(60 + 8 * 60) {
            integrator.receive(-4 - Double(minute % 117), at: .seconds(minute * 60))
        }
        #expect(isClose(integrator.total, 1.0))
    }

    @Test("Each sense counts its own part")
    func senses() {
        var imported = RateIntegrator(sense: .positive, perHour: 0.001)
        var exported = RateIntegrator(sense: .negative, perHour: 0.001)
        for (hour, rate) in [(0, 600.0), (1, -1500), (2, 0), (3, 300), (4, 0)] {
            imported.receive(rate, at: .seconds(hour * 3600))
            exported.receive(rate, at: .seconds(hour * 3600))
        }
        #expect(isClose(imported.total, 0.9))
        #expect(isClose(exported.total, 1.5))
    }

    @Test("An unknown rate makes no energy and takes none")
    func unknown() {
        var integrator = RateIntegrator(sense: .positive, perHour: 0.001)
        #expect(integrator.total == nil)
        integrator.receive(nil, at: .seconds(0))
        #expect(integrator.total == nil)
        integrator.receive(1000, at: .seconds(0))
        integrator.receive(nil, at: .seconds(1800))
        integrator.receive(.nan, at: .seconds(3600))
        integrator.receive(.infinity, at: .seconds(7200))
        integrator.settle(to: .seconds(90_000))
        #expect(isClose(integrator.total, 0.5))
    }

    @Test("A step over midnight is shared between the days")
    func midnight() {
        var integrator = RateIntegrator(sense: .positive, perHour: 0.001)
        integrator.receive(1000, at: .seconds(0))
        integrator.roll(at: .seconds(900))
        #expect(integrator.total == 0)
        integrator.settle(to: .seconds(3600))
        #expect(isClose(integrator.total, 0.75))
    }

    @Test(
        "The unit of a rate tells what an hour of it makes",
        arguments: [
            ("W", 0.001), ("kW", 0.001), ("L/min", 60), ("m³/h", 1), ("Mbit/s", 3600), ("Mbit/sec", 3600), ("km", 1),
            ("", 1),
            ("/", 1), ("kg/h", 1),
        ]
    )
    func unit(name: String, perHour: Double) {
        #expect(ReadingUnit(name).perHour == perHour)
    }
}
