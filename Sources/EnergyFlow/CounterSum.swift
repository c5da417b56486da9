import Readings

/// Today's energy of one counting reading: of one topic, or of all that a wildcard brings.
struct CounterSum: Sendable {
    let name: String
    private let kind: CounterKind
    private let limits: CounterLimits
    /// Whether a member whose source is gone keeps its energy.
    private let isHeld: Bool
    private var members: [Member: CounterTotal] = [:]

    /// A topic, told apart by its bytes: strings would merge those that Unicode takes for equal, and an array of bytes
    /// would be made anew for every message.
    private struct Member: Hashable {
        let topic: String

        static func == (left: Member, right: Member) -> Bool {
            left.topic.utf8.elementsEqual(right.topic.utf8)
        }

        func hash(into hasher: inout Hasher) {
            for byte in topic.utf8 { hasher.combine(byte) }
        }
    }

    init(_ reading: ReadingDefinition) {
        name = reading.name
        kind = reading.counts ?? .lifetime
        limits = reading.unit.quantity == .energy ? .energy : .unknown
        isHeld = reading.expiry == .never
    }

    /// The sum over the members; `nil` when there is none, or one of them is not known.
    var total: Double? {
        guard !members.isEmpty else { return nil }
        var sum = 0.0
        for member in members.values {
            guard member.isPresent || isHeld, let total = member.total else { return nil }
            sum += total
        }
        return sum
    }

    mutating func receive(_ value: Double?, member: String, isFresh: Bool, at now: Moment, sinceMidnight: Duration) {
        let key = Member(topic: member)
        guard let value else {
            members[key]?.unknown()
            return
        }
        members[key, default: CounterTotal(kind: kind, limits: limits)]
            .receive(value, isFresh: isFresh, at: now.uptime, sinceMidnight: sinceMidnight)
    }

    mutating func roll() {
        for key in members.keys { members[key]?.roll() }
    }

    func records(at now: Moment) -> [DayTotals.State.Counter] {
        members.sorted { $0.key.topic.utf8.lexicographicallyPrecedes($1.key.topic.utf8) }.map { key, counter in
            DayTotals.State.Counter(
                reading: name,
                member: key.topic,
                state: counter.state(at: now)
            )
        }
    }

    /// Goes on from what was kept. Topics that a wildcard brought and that have been silent for days are forgotten: an
    /// inverter that was taken away must not be kept for good.
    mutating func restore(_ records: [DayTotals.State.Counter], at now: Moment, isSameDay: Bool) {
        members = [:]
        for record in records where record.reading.utf8.elementsEqual(name.utf8) {
            let seen = record.state.mark?.seen ?? .zero
            guard record.member.isEmpty || now.wall - seen < .seconds(2 * 86_400) else { continue }
            members[Member(topic: record.member)] = CounterTotal(
                kind: kind,
                limits: limits,
                restoring: record.state,
                at: now,
                isSameDay: isSameDay
            )
        }
    }
}
