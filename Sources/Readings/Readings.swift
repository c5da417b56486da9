/// All readings of a configuration: takes messages and time, and knows each reading's value in its base unit.
///
/// **What a message can say.** A *value* is taken, and its age begins. *No data* (an empty payload, `null`, a word such
/// as `unavailable`, NaN, text that is no number) makes the reading unknown at once; its age goes on counting from the
/// last value, so that a reading with `expired: zero` is unknown first and zero when it has aged. A number that is
/// *implausible* (out of range, a level of 4873 %, a level of 0 % straight after 57 %) is as if never sent: the value
/// before it stays, and ages on. So is a message in which the reading's path is *absent*.
///
/// **Age and availability.** A reading with `expired: zero` that was never heard is zero at that age, counted from the
/// start: whoever starts at night hears nothing of the sun. A value expires at the reading's age, unless its availability topic says that the source
/// is there. When that says gone, the reading is what `expired` says, at once, even if it was never heard. When the
/// source is back, what it said since it was gone counts; what it said before does not, and the reading stays as it is
/// until the next message. An empty availability message is as if there had never been one.
///
/// **Retained messages** give the first picture and are never fresh. One that was seen before (the broker hands them
/// over again after each reconnect) changes nothing, except that it gives a lost reading its first picture again. One
/// that differs from what was known is newer, and is taken, but is not fresh either.
///
/// It is one value with one owner: the daemon has one thread, and a copy on the way of a message costs more than the message.
public struct Readings: ~Copyable {
    /// Payloads larger than this are skipped unread. The largest real ones are some 20 KiB.
    public static let maximumPayload = 262_144
    /// The number of topics that one reading with a wildcard takes; further ones are a problem and are dropped.
    public static let maximumMembers = 1000

    /// What a topic's messages are for.
    private struct Consumer {
        let reading: Int
        /// The member whose value the topic brings. Nil if it brings the reading's availability.
        let member: Int?
        let slots: ReadingSlots
    }

    /// What is known about a topic.
    private struct Route {
        /// Availability comes first, so that a payload with both is right at once.
        let consumers: Range<Int>
        let plan: Int?
        /// Its page in the ledger of problems.
        let page: Int
        /// Hashes of the last payload and the last retained one; 0 for none.
        var lastDigest: UInt64 = 0
        var lastRetainedDigest: UInt64 = 0
    }

    /// The topics to subscribe to, each once, availability topics included.
    public let filters: [TopicFilter]

    /// Uptime at which `advance` may have something to do. It can be too early, never too late.
    public private(set) var nextDeadline: Duration?

    private let definitions: [ReadingDefinition]
    private let rules: [ReadingRule]
    private let words: [[Word]]
    private var states: [ReadingState]
    private var routes: [Route] = []
    /// Of all routes, one after the other: as lists of their own they were spread over the memory.
    private var consumers: [Consumer] = []
    private var router = TopicRouter()
    private var ledger = ProblemLedger()
    /// The ledger's pages for readings whose filter brings too many topics.
    private var filterPages: [Int?]
    private let reader = PayloadReader()
    private var plans: [[JSONPointer]: Int] = [:]

    /// Makes readings of which nothing is known yet, at this uptime. They are referred to by their index.
    /// - Parameter localTime: what a timestamp without an offset means; without it such a text is no time.
    public init(_ definitions: [ReadingDefinition], at start: Duration, localTime: @escaping LocalTime = { _ in nil }) {
        self.definitions = definitions
        var shared: [ReadingRule.Form: ReadingRule] = [:]
        rules = definitions.map { definition in
            let form = ReadingRule.Form(definition)
            let rule = shared[form] ?? ReadingRule(form, localTime: localTime)
            shared[form] = rule
            return rule
        }
        words = definitions.map { $0.available?.when.map(Word.init) ?? [] }
        states = definitions.map { ReadingState($0, at: start) }
        nextDeadline = states.compactMap(\.silenceDue).min()
        filterPages = Array(repeating: nil, count: definitions.count)

        var seen: Set<TopicFilter> = []
        filters = definitions.flatMap { [$0.topic] + ($0.available.map { [$0.topic] } ?? []) }
            .filter { seen.insert($0).inserted }

        var exact: [TopicFilter: [(reading: Int, isAvailability: Bool)]] = [:]
        for (index, definition) in definitions.enumerated() {
            if let source = definition.available { exact[source.topic, default: []].append((index, true)) }
            if definition.topic.isExact {
                exact[definition.topic, default: []].append((index, false))
            } else {
                router.add(filter: definition.topic, as: index)
                filterPages[index] = ledger.open(topic: definition.topic.description)
            }
        }
        for filter in filters {
            guard let users = exact[filter] else { continue }
            var topic = filter.description
            topic.withUTF8 { topic in
                let topic = UnsafeRawBufferPointer(topic)
                addRoute(
                    topic,
                    availabilityOf: users.filter(\.isAvailability).map(\.reading),
                    valueOf: users.filter { !$0.isAvailability }.map(\.reading) + router.wildcards(matching: topic)
                )
            }
        }
    }

    // MARK: Values

    /// The reading's value in its base unit, with scale, direction and range applied. Nil if it is unknown.
    public func value(_ index: Int) -> Double? {
        states[index].value
    }

    /// The topic of a member, as an event names it.
    public func topic(of reading: Int, member: Int) -> String {
        states[reading].members[member].topic
    }

    /// What one topic of a reading last said, in the base unit. Nil if that is not known.
    public func value(of reading: Int, member: Int) -> Double? {
        states[reading].members[member].known
    }

    /// Uptime at which the value expires if nothing more is heard. Nil if it is unknown or does not expire.
    public func expires(_ index: Int) -> Duration? {
        states[index].expires
    }

    /// Whether the value rests on a retained message, whose age nobody knows: it gives a picture, and makes no energy.
    public func restsOnRetained(_ index: Int) -> Bool {
        states[index].restsOnRetained
    }

    /// Uptime of the last live message that carried a value.
    public func lastFresh(_ index: Int) -> Duration? {
        states[index].lastFresh
    }

    /// Whether no message has said anything of the reading since the start, not even that there is no value.
    public func hasNeverBeenHeard(_ index: Int) -> Bool {
        states[index].members.allSatisfy { $0.knowledge == .unheard }
    }

    /// Uptime of the last message that the value rests on, retained or live. Nil if the value is unknown, or stands for
    /// one that is missing.
    public func lastHeard(_ index: Int) -> Duration? {
        guard states[index].showsMessages else { return nil }
        return states[index].members.lazy.filter { $0.knowledge == .known }.map(\.since).max()
    }

    /// The typical time between live reports. Nil until the reading has reported regularly four times.
    public func interval(_ index: Int) -> Duration? {
        states[index].rhythm.interval
    }

    /// Takes what could not be used: one a topic, and for a topic at most one a minute.
    public mutating func takeProblems(at moment: Moment) -> [PayloadProblem] {
        ledger.take(at: moment.uptime) { definitions[$0].name }
    }

    /// Uptime at which `takeProblems` has something to give; `nil` while it has not.
    public var problemsDue: Duration? {
        ledger.due
    }

    // MARK: Time

    /// Lets time pass: what is too old expires. Appends an event for each reading that changed by it.
    public mutating func advance(to moment: Moment, events: inout [ReadingEvent]) {
        guard let due = nextDeadline, due <= moment.uptime else { return }
        nextDeadline = nil
        for reading in states.indices {
            expire(reading, at: moment.uptime)
            publish(reading, isFresh: false, at: moment.uptime, events: &events)
        }
    }

    private mutating func expire(_ reading: Int, at uptime: Duration) {
        if let next = states[reading].expire(at: uptime) { lowerDeadline(to: next) }
    }

    private mutating func lowerDeadline(to uptime: Duration) {
        nextDeadline = min(nextDeadline ?? uptime, uptime)
    }

    // MARK: Messages

    /// Takes a message; time passes first. Appends an event for each reading that it refreshed or changed.
    ///
    /// A topic that no reading wants is dropped first. Nothing is allocated on the way for a topic that was seen
    /// before, unless its payload is a problem.
    public mutating func receive(
        topic: UnsafeRawBufferPointer,
        payload: UnsafeRawBufferPointer,
        retained: Bool,
        at moment: Moment,
        events: inout [ReadingEvent]
    ) {
        guard let route = router.route(for: topic) ?? adopt(topic) else { return }
        advance(to: moment, events: &events)
        guard payload.count <= Self.maximumPayload else {
            let fault = PayloadFault(kind: .tooLarge, excerpt: payload)
            return note(fault, reading: consumers[routes[route].consumers.lowerBound].reading, route: route)
        }
        let text = PayloadText.trimmed(payload)
        let isRepeated = isRepeated(text, retained: retained, route: route)
        let message = Message(
            text: text,
            values: routes[route].plan.flatMap { reader.read(text, plan: $0) },
            isLive: !retained,
            uptime: moment.uptime
        )
        for index in routes[route].consumers {
            let consumer = consumers[index]
            guard let member = consumer.member else {
                hear(message, of: consumer, events: &events)
                continue
            }
            if retained, !states[consumer.reading].takesRetained(member, isRepeated: isRepeated) { continue }
            take(message, as: member, of: consumer, route: route, events: &events)
        }
    }

    /// Whether a retained message is one that is known already, from the broker's store or from when it was live.
    private mutating func isRepeated(_ text: UnsafeRawBufferPointer, retained: Bool, route: Int) -> Bool {
        // The lowest bit tells a hash from the 0 of a topic that was not heard yet.
        let digest = text.contentHash(seed: 0) | 1
        let isRepeated = retained && (digest == routes[route].lastDigest || digest == routes[route].lastRetainedDigest)
        if retained { routes[route].lastRetainedDigest = digest }
        if !isRepeated { routes[route].lastDigest = digest }
        return isRepeated
    }

    private mutating func take(
        _ message: Message,
        as member: Int,
        of consumer: Consumer,
        route: Int,
        events: inout [ReadingEvent]
    ) {
        let reading = consumer.reading
        var isFresh = false
        switch rules[reading].outcome(of: message, at: consumer.slots) {
        case .absent:
            return
        case .implausible(let fault):
            return note(fault, reading: reading, route: route)
        case .noData(let fault):
            if let fault { note(fault, reading: reading, route: route) }
            states[reading].clear(member, isDeletion: message.text.isEmpty, at: message.uptime)
        case .value(let value):
            guard states[reading].accept(value, from: member, isRetained: !message.isLive, at: message.uptime) else {
                return
            }
            isFresh = message.isLive
        }
        if let limit = states[reading].limit { lowerDeadline(to: states[reading].members[member].since + limit) }
        publish(reading, isFresh: isFresh, member: member, at: message.uptime, events: &events)
    }

    private mutating func hear(_ message: Message, of consumer: Consumer, events: inout [ReadingEvent]) {
        let reading = consumer.reading
        guard let heard = availability(in: message, of: consumer), heard != states[reading].availability else { return }
        states[reading].availability = heard
        switch heard {
        case .gone: states[reading].lose()
        case .there: break
        case .unheard: expire(reading, at: message.uptime)
        }
        publish(reading, isFresh: false, at: message.uptime, events: &events)
    }

    /// What an availability message says. Nil if it is about something else.
    private func availability(in message: Message, of consumer: Consumer) -> Availability? {
        if message.text.isEmpty { return .unheard }
        // Zigbee2MQTT sent a bare word for years before it sent {"state":"online"}, so a word is taken with a path too.
        let scalar = message.scalar(at: message.values == nil ? nil : consumer.slots.value)
        switch scalar.kind {
        case .absent, .container:
            return nil
        case .null, .number, .string, .boolean, .word:
            let word = PayloadText.trimmed(scalar.text)
            return words[consumer.reading].contains { $0.matches(word) } ? .there : .gone
        }
    }

    /// Computes a reading's value anew and tells what became of it.
    private mutating func publish(
        _ reading: Int,
        isFresh: Bool,
        member: Int? = nil,
        at uptime: Duration,
        events: inout [ReadingEvent]
    ) {
        let changed = states[reading].refresh()
        let isFresh = isFresh && states[reading].showsMessages
        if isFresh {
            states[reading].lastFresh = uptime
            states[reading].rhythm.note(at: uptime)
        }
        if changed || isFresh {
            events.append(ReadingEvent(reading: reading, isFresh: isFresh, changed: changed, member: member))
        }
    }

    private mutating func note(_ fault: PayloadFault, reading: Int, route: Int) {
        ledger.note(fault, reading: reading, page: routes[route].page)
    }

    // MARK: Topics

    /// Makes a route for a topic that is heard for the first time, if a filter with wildcards wants it.
    private mutating func adopt(_ topic: UnsafeRawBufferPointer) -> Int? {
        var takers: [Int] = []
        for reading in router.wildcards(matching: topic) {
            if states[reading].members.count < Self.maximumMembers {
                takers.append(reading)
            } else if let page = filterPages[reading] {
                ledger.note(PayloadFault(kind: .tooManyTopics, excerpt: topic), reading: reading, page: page)
            }
        }
        guard !takers.isEmpty else { return nil }
        return addRoute(topic, availabilityOf: [], valueOf: takers)
    }

    @discardableResult
    private mutating func addRoute(
        _ topic: UnsafeRawBufferPointer,
        availabilityOf watchers: [Int],
        valueOf takers: [Int]
    ) -> Int {
        var pointers: [JSONPointer] = []
        /// The pointer to the whole document is the same as none: the payload is the value.
        func slot(_ pointer: JSONPointer?) -> Int32? {
            guard let pointer, !pointer.tokens.isEmpty else { return nil }
            if let known = pointers.firstIndex(of: pointer) { return Int32(known) }
            pointers.append(pointer)
            return Int32(pointers.count - 1)
        }
        let first = consumers.count
        for reading in watchers {
            let slots = ReadingSlots(value: slot(definitions[reading].available?.path))
            consumers.append(Consumer(reading: reading, member: nil, slots: slots))
        }
        for reading in takers {
            let definition = definitions[reading]
            let slots = ReadingSlots(
                value: slot(definition.path),
                unit: slot(definition.unitPath),
                direction: slot(definition.direction?.path),
                condition: slot(definition.onlyIf?.path)
            )
            states[reading].members.append(MemberState(topic: String(decoding: topic, as: UTF8.self)))
            consumers.append(Consumer(reading: reading, member: states[reading].members.count - 1, slots: slots))
        }
        let page = ledger.open(topic: String(decoding: topic, as: UTF8.self))
        routes.append(Route(consumers: first..<consumers.count, plan: plan(for: pointers), page: page))
        router.add(topic: topic, as: routes.count - 1)
        return routes.count - 1
    }

    /// The plan for pointers; members of one filter share it.
    private mutating func plan(for pointers: [JSONPointer]) -> Int? {
        guard !pointers.isEmpty else { return nil }
        if let known = plans[pointers] { return known }
        let plan = reader.makePlan(for: pointers)
        plans[pointers] = plan
        return plan
    }
}
