import Bridge
import Testing

@Suite("The reconnect policy")
struct ReconnectPolicyTests {
    @Test("doubles the wait up to a minute, with jitter, and goes on for ever")
    func backOff() {
        var policy = ReconnectPolicy(seed: 1)
        var now = Duration.zero
        for step in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            let verdict = policy.ended(protocolRefused: false, at: now)
            #expect(verdict.wait >= .seconds(step) / 2)
            #expect(verdict.wait <= .seconds(step))
            #expect(verdict.kind == .ordinary)
            now += verdict.wait
        }
    }

    @Test("begins anew after a session that lasted")
    func longSession() {
        var policy = ReconnectPolicy(seed: 1)
        for _ in 0..<5 {
            _ = policy.ended(protocolRefused: false, at: .seconds(1))
        }
        policy.connected(at: .seconds(100))
        let verdict = policy.ended(protocolRefused: false, at: .seconds(110))
        #expect(verdict.wait <= .seconds(1))
        #expect(verdict.kind == .ordinary)
    }

    @Test("counts a session under ten seconds as a failure")
    func shortSessions() {
        var policy = ReconnectPolicy(seed: 1)
        var now = Duration.zero
        var attempts = 0
        while now < .seconds(600) {
            policy.connected(at: now)
            now += .milliseconds(9_999)
            let verdict = policy.ended(protocolRefused: false, at: now)
            #expect(verdict.kind == .shortSession)
            now += verdict.wait
            attempts += 1
        }
        #expect(attempts < 20)
    }

    @Test("makes some twenty attempts in the ten minutes of an outage")
    func attempts() {
        for seed in UInt64(0)..<20 {
            var policy = ReconnectPolicy(seed: seed)
            var now = Duration.zero
            var attempts = 0
            while now < .seconds(600) {
                attempts += 1
                now += policy.ended(protocolRefused: false, at: now).wait
            }
            #expect(attempts <= 25, "seed \(seed)")
        }
    }

    @Test("takes the older protocol after a refusal, at once and for good")
    func olderProtocol() {
        var policy = ReconnectPolicy(seed: 1)
        #expect(!policy.usesOldProtocol)
        let verdict = policy.ended(protocolRefused: true, at: .zero)
        #expect(verdict.kind == .olderProtocol)
        #expect(verdict.wait == .zero)
        #expect(policy.usesOldProtocol)
        policy.connected(at: .seconds(1))
        _ = policy.ended(protocolRefused: false, at: .seconds(100))
        #expect(policy.usesOldProtocol)
    }

    @Test("treats the refusal of the older protocol as any failure")
    func noProtocol() {
        var policy = ReconnectPolicy(seed: 1)
        _ = policy.ended(protocolRefused: true, at: .zero)
        #expect(policy.ended(protocolRefused: true, at: .zero).wait >= .milliseconds(500))
        #expect(policy.usesOldProtocol)
    }

    @Test("keeps the protocol after any other failure")
    func sameProtocol() {
        var policy = ReconnectPolicy(seed: 1)
        for _ in 0..<10 {
            _ = policy.ended(protocolRefused: false, at: .zero)
        }
        #expect(!policy.usesOldProtocol)
    }

    @Test("waits as long for the same seed")
    func seeded() {
        var one = ReconnectPolicy(seed: 5)
        var same = ReconnectPolicy(seed: 5)
        for _ in 0..<10 {
            #expect(one.ended(protocolRefused: false, at: .zero) == same.ended(protocolRefused: false, at: .zero))
        }
    }
}
