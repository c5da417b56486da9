import Bridge
import Readings
import Testing

@Suite("The keepalive for Venus OS")
struct VictronKeepaliveTests {
    private static let brief = #"{"keepalive-options":["suppress-republish"]}"#

    private func keepalive(_ filters: String...) throws -> VictronKeepalive {
        VictronKeepalive(filters: try filters.map(TopicFilter.init))
    }

    private func learn(_ topic: String, _ keepalive: inout VictronKeepalive, at now: Duration) {
        var topic = topic
        topic.withUTF8 { keepalive.learn(from: UnsafeRawBufferPointer($0), at: now) }
    }

    @Test("asks for everything on connecting, then every 25 s, and for everything again every 5 minutes")
    func rhythm() throws {
        var keepalive = try keepalive("N/c0619ab00000/system/0/Dc/Battery/Power")
        #expect(keepalive.nextDeadline == nil)
        keepalive.connected(at: .seconds(7))
        var asked: [(at: Duration, payload: String)] = []
        while let due = keepalive.nextDeadline, due <= .seconds(620) {
            for request in keepalive.advance(to: due) {
                #expect(request.topic == "R/c0619ab00000/keepalive")
                asked.append((due, request.payload))
            }
        }
        #expect(asked.map(\.at) == (0...24).map { .seconds(7 + 25 * $0) })
        #expect(asked.filter { $0.payload.isEmpty }.map(\.at) == [.seconds(7), .seconds(307), .seconds(607)])
        #expect(asked.allSatisfy { $0.payload.isEmpty || $0.payload == Self.brief })
    }

    @Test("says nothing before its time")
    func early() throws {
        var keepalive = try keepalive("N/a/b/c")
        keepalive.connected(at: .zero)
        #expect(keepalive.advance(to: .zero).count == 1)
        #expect(keepalive.advance(to: .seconds(24)).isEmpty)
    }

    @Test("asks each installation once, however many of its topics are wanted")
    func severalInstallations() throws {
        var keepalive = try keepalive("N/a/system/0/X", "N/b/+/0/X", "N/a/#", "solar/ac/power")
        keepalive.connected(at: .zero)
        #expect(keepalive.advance(to: .zero).map(\.topic) == ["R/a/keepalive", "R/b/keepalive"])
        #expect(keepalive.discovery == nil)
    }

    @Test("asks for everything again after a reconnection, and not without a connection")
    func reconnection() throws {
        var keepalive = try keepalive("N/a/b/c")
        keepalive.connected(at: .zero)
        _ = keepalive.advance(to: .zero)
        keepalive.disconnected()
        #expect(keepalive.nextDeadline == nil)
        #expect(keepalive.advance(to: .seconds(1000)).isEmpty)
        keepalive.connected(at: .seconds(1000))
        #expect(keepalive.advance(to: .seconds(1000)).map(\.payload) == [""])
    }

    @Test("asks a hundred installations behind a wildcard, and no more however many a broker makes up")
    func flood() throws {
        var keepalive = try keepalive("N/+/system/0/Dc/Battery/Soc")
        keepalive.connected(at: .zero)
        for number in 0..<10_000 { learn("N/\(number)/system/0/Serial", &keepalive, at: .seconds(1)) }
        #expect(keepalive.advance(to: .seconds(1)).count == 100)
    }

    @Test("learns the installations behind a wildcard from their serial numbers")
    func discovery() throws {
        var keepalive = try keepalive("N/+/system/0/Dc/Battery/Soc")
        #expect(keepalive.discovery == "N/+/system/0/Serial")
        keepalive.connected(at: .zero)
        #expect(keepalive.nextDeadline == nil)
        for topic in ["N/x/system/0/Soc", "N/x/system/0/Serial/y", "R/x/system/0/Serial", "N//system/0/Serial", ""] {
            learn(topic, &keepalive, at: .seconds(1))
        }
        #expect(keepalive.nextDeadline == nil)
        learn("N/x/system/0/Serial", &keepalive, at: .seconds(2))
        let requests = keepalive.advance(to: .seconds(2))
        #expect(requests.map(\.topic) == ["R/x/keepalive"])
        #expect(requests.map(\.payload) == [""])
        learn("N/x/system/0/Serial", &keepalive, at: .seconds(3))
        #expect(keepalive.nextDeadline == .seconds(27))
    }

    @Test("does not learn where every installation is named")
    func noDiscovery() throws {
        var keepalive = try keepalive("N/a/b/c")
        learn("N/x/system/0/Serial", &keepalive, at: .zero)
        #expect(keepalive.advance(to: .zero).isEmpty)
    }

    @Test(
        "has nothing to do for other topics",
        arguments: ["solar/ac/power", "N", "N/a", "n/a/b", "#", "+/a/b", "/N/a/b", "N//a", "Nord/a/b"]
    )
    func others(filter: String) throws {
        var keepalive = try keepalive(filter)
        keepalive.connected(at: .zero)
        #expect(keepalive.nextDeadline == nil)
        #expect(keepalive.discovery == nil)
    }
}
