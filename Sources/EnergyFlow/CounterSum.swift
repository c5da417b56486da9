import Readings

/// Today's energy of one counting reading: of one topic, or of all that a wildcard brings.
struct CounterSum: Sendable {
    let name: String
    private let kind: CounterKind
    private let limits: CounterLimits
    /// Whether a member whose source is gone keeps its energy.
    private let isHeld: Bool
    /// Topics are told apart by their bytes; strings would merge those that Unicode takes for equal.
    private var members: [[UInt8]: CounterTotal] = [:]
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
        let key = Array(member.utf8)
        guard let value else {
            members[key]?.unknown()
            return
        }
        var counter = members[key] ?? CounterTotal(kind: kind, limits: limits)
        counter.receive(value, isFresh: isFresh, at: now.uptime, sinceMidnight: sinceMidnight)
        members[key] = counter
    }

    mutating func roll() {
        for key in members.keys { members[key]?.roll() }
    }

    func records(at now: Moment) -> [DayTotals.State.Counter] {
        members.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, counter in
            DayTotals.State.Counter(
                reading: name,
                member: String(decoding: key, as: UTF8.self),
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
            members[Array(record.member.utf8)] = CounterTotal(
                kind: kind,
                limits: limits,
                restoring: record.state,
                at: now,
                isSameDay: isSameDay
            )
        }
    }
}
