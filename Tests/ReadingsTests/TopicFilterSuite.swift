import Delivery
import Testing

@testable import Readings

@Suite("Topic filters (MQTT 3.1.1, section 4.7)")
struct TopicFilterSuite {
    @Test(
        "a filter matches a topic",
        arguments: [
            ("sport/tennis/player1/#", "sport/tennis/player1"),
            ("sport/tennis/player1/#", "sport/tennis/player1/ranking"),
            ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon"),
            ("sport/#", "sport"),
            ("sport/#", "sport/"),
            ("#", "a"),
            ("#", "/"),
            ("#", "a/b/c"),
            ("sport/tennis/+", "sport/tennis/player1"),
            ("sport/+", "sport/"),
            ("+/+", "/finance"),
            ("/+", "/finance"),
            ("+", "finance"),
            ("+/tennis/#", "sport/tennis"),
            ("+/tennis/#", "/tennis/x/y"),
            ("a/+/c", "a//c"),
            ("+/#", "a"),
            ("/#", "/"),
            ("$SYS/#", "$SYS/broker/clients"),
            ("$SYS/+/x", "$SYS/monitor/x"),
            ("a/#", "a/$b"),
            ("a/+", "a/$b"),
            ("a//b", "a//b"),
            ("openWB/housebattery/%Soc", "openWB/housebattery/%Soc"),
            ("zigbee2mqtt/Power Monitor", "zigbee2mqtt/Power Monitor"),
            ("/envoy/json", "/envoy/json"),
            ("inverter/Küche/ch0", "inverter/Küche/ch0"),
            ("shellypro3em-aabbccddeeff/status/em:0", "shellypro3em-aabbccddeeff/status/em:0"),
        ]
    )
    func matching(filter: String, topic: String) throws {
        #expect(try TopicFilter(filter).matches(topic))
    }

    @Test(
        "a filter does not match a topic",
        arguments: [
            ("sport/tennis/+", "sport/tennis/player1/ranking"),
            ("sport/+", "sport"),
            ("+", "/finance"),
            ("+", "a/b"),
            ("sport/tennis/player1/#", "sport/tennis/player2"),
            ("sport/#", "sports"),
            ("sport/+/#", "sport"),
            ("/#", "a"),
            ("#", "$SYS/broker"),
            ("+/monitor/Clients", "$SYS/monitor/Clients"),
            ("+/#", "$SYS"),
            ("+", "$SYS"),
            ("a/b", "a/b/"),
            ("a/b", "/a/b"),
            ("a/b", "A/b"),
            ("a//b", "a/b"),
            ("a/+/c", "a/c"),
            ("#", ""),
            ("envoy/json", "/envoy/json"),
        ]
    )
    func notMatching(filter: String, topic: String) throws {
        #expect(try !TopicFilter(filter).matches(topic))
    }

    @Test("topics are bytes: the two ways to write é are two topics, two filters and two pointers (P-18)")
    func bytes() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(try !TopicFilter(composed).matches(decomposed))
        #expect(try TopicFilter(composed) != TopicFilter(decomposed))
        #expect(try Set([TopicFilter(composed), TopicFilter(decomposed), TopicFilter(composed)]).count == 2)
        #expect(try JSONPointer("/" + composed) != JSONPointer("/" + decomposed))
    }

    @Test("a filter without wildcards is exact")
    func exact() throws {
        #expect(try TopicFilter("a/b/").isExact)
        #expect(try TopicFilter("$SYS/x").isExact)
        #expect(try !TopicFilter("a/+").isExact)
        #expect(try !TopicFilter("a/#").isExact)
        #expect(try !TopicFilter("#").isExact)
    }

    @Test(
        "what is no filter is told in a sentence (FR-61)",
        arguments: [
            ("", "A topic cannot be empty."),
            ("a\0b", "A topic cannot hold a NUL character."),
            ("a+/b", "'+' must be a whole level of its own in 'a+/b'."),
            ("a/+b", "'+' must be a whole level of its own in 'a/+b'."),
            ("a#", "'#' must be a whole level of its own in 'a#'."),
            ("#/x", "'#' can only be the last level of '#/x'."),
            ("a/#/#", "'#' can only be the last level of 'a/#/#'."),
            ("++", "'+' must be a whole level of its own in '++'."),
            (
                String(repeating: "a", count: 65_536),
                "A topic of 65536 bytes is longer than the 65535 that MQTT allows."
            ),
        ]
    )
    func errors(filter: String, sentence: String) {
        #expect(throws: TopicFilterError(description: sentence)) { try TopicFilter(filter) }
    }

    @Test("the longest filter that MQTT allows is one")
    func longest() throws {
        #expect(try TopicFilter(String(repeating: "ü", count: 32_767) + "a").isExact)
    }

    @Test("filters agree with a matcher written as the standard words it")
    func oracle() throws {
        var random = SplitMix(seed: 20_260_319)
        let levels = ["", "a", "b", "$a", "ab"]
        func text(_ choices: [String]) -> [String] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in choices.randomElement(using: &random) ?? "" }
        }
        var matches = 0
        for _ in 0..<20_000 {
            var filter = text(levels + ["+", "+"])
            if Bool.random(using: &random) { filter.append("#") }
            let topic = text(levels)
            guard topic != [""], filter != [""] else { continue }
            let wanted = Self.standard(filter, topic)
            matches += wanted ? 1 : 0
            let parsed = try TopicFilter(filter.joined(separator: "/"))
            #expect(
                parsed.matches(topic.joined(separator: "/")) == wanted,
                "filter \(filter), topic \(topic), seed 20260319"
            )
        }
        #expect(matches > 1000)
    }

    /// Section 4.7 by recursion over whole levels.
    static func standard(_ filter: [String], _ topic: [String]) -> Bool {
        func rest(_ filter: ArraySlice<String>, _ topic: ArraySlice<String>) -> Bool {
            guard let level = filter.first else { return topic.isEmpty }
            if level == "#" { return true }
            guard let name = topic.first else { return false }
            return (level == "+" || level == name) && rest(filter.dropFirst(), topic.dropFirst())
        }
        if let name = topic.first, name.hasPrefix("$"), filter.first == "+" || filter.first == "#" { return false }
        return rest(filter[...], topic[...])
    }
}

@Suite("Topic routing")
struct TopicRouterSuite {
    @Test("the tree of wildcards finds what matching every filter finds")
    func tree() throws {
        var random = SplitMix(seed: 7)
        let levels = ["", "a", "b", "$a"]
        func text(_ choices: [String]) -> [String] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in choices.randomElement(using: &random) ?? "" }
        }
        for _ in 0..<100 {
            var router = TopicRouter()
            var filters: [TopicFilter] = []
            for number in 0..<30 {
                let filter = try TopicFilter(
                    (text(levels + ["+"]) + [["+", "#"].randomElement(using: &random) ?? "#"])
                        .joined(separator: "/")
                )
                filters.append(filter)
                router.add(filter: filter, as: number)
            }
            for _ in 0..<50 {
                let topic = text(levels).joined(separator: "/")
                guard !topic.isEmpty else { continue }
                let found = withBytes(topic) { router.wildcards(matching: $0) }
                #expect(found == filters.indices.filter { filters[$0].matches(topic) }, "topic \(topic), seed 7")
            }
        }
    }

    @Test("ten thousand exact topics are each found, and no others")
    func many() {
        var router = TopicRouter()
        for number in 0..<10_000 { withBytes("home/\(number)/power") { router.add(topic: $0, as: number) } }
        for number in 0..<10_000 {
            #expect(withBytes("home/\(number)/power") { router.route(for: $0) } == number)
        }
        #expect(withBytes("home/10000/power") { router.route(for: $0) } == nil)
        #expect(withBytes("home/1/powe") { router.route(for: $0) } == nil)
        #expect(withBytes("") { router.route(for: $0) } == nil)
    }
}
