import Delivery
import Glibc
import ProcessSupport
import Testing

@Suite("Recovery", .timeLimit(.minutes(12)))
struct RecoveryTests {
    /// Who is killed in a round, first to last, and who is started again, first to last.
    enum Victim: CaseIterable {
        case service
        case broker
        case serviceThenBroker
        case brokerThenService
    }

    /// Sessions of less than ten seconds count as failures, after which the daemon waits twice as long each time, up to a
    /// minute. So of the twenty rounds only four begin with the broker's end, unless there is time for sessions that last.
    static let isLong = getenv("FLOWBRIDGE_LONG_TESTS") != nil

    @Test("whoever is killed and comes back, twenty times in a row, the newest value arrives without a new message")
    func rounds() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("RecoveryTests: seed \(seed)")
        var random = SplitMix(seed: seed)
        let some: [Victim] = [.broker, .serviceThenBroker, .brokerThenService, .broker]
        var victims =
            RecoveryTests.isLong
            ? (0..<20).map { _ in Victim.allCases.randomElement(using: &random) ?? .broker }
            : some + Array(repeating: .service, count: 16)
        victims.shuffle(using: &random)
        try await withHome { home in
            try await home.start()
            try home.publish("home/grid", "100", retain: true)
            try await home.awaitRates([100])
            for (round, victim) in victims.enumerated() {
                if RecoveryTests.isLong, victim != .service { try await Task.sleep(for: .seconds(10)) }
                try await home.live(through: victim, value: 101 + round)
                try await home.awaitRates([Double(101 + round)])
            }
            #expect(home.daemon?.isRunning == true)
        }
    }
}

extension Home {
    /// Kills who is to be killed, publishes a value that cannot arrive, and starts them again.
    fileprivate func live(through victim: RecoveryTests.Victim, value: Int) async throws {
        switch victim {
        case .service:
            killService()
            try publish("home/grid", "\(value)", retain: true)
            try startService()
        case .broker:
            killBroker()
            try await startBroker()
            try publish("home/grid", "\(value)", retain: true)
        case .serviceThenBroker:
            killService()
            try publish("home/grid", "\(value)", retain: true)
            killBroker()
            try startService()
            try await startBroker()
            try publish("home/grid", "\(value)", retain: true)
        case .brokerThenService:
            killBroker()
            killService()
            try await startBroker()
            try publish("home/grid", "\(value)", retain: true)
            try startService()
        }
    }
}
