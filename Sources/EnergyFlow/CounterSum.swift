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
    /// Members of an earlier day that have not been heard of since the start. They are no part of the sum: an inverter
    /// that was taken away must not make it unknown for good.
    private var absent: [DayTotals.State.Counter] = []

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
        var counter = members[key] ?? revive(key, at: now)
        counter.receive(value, isFresh: isFresh, at: now.uptime, sinceMidnight: sinceMidnight)
        members[key] = counter
    }

    mutating func roll() {
        for key in members.keys { members[key]?.roll() }
        absent = []
    }

    func records(at now: Moment) -> [DayTotals.State.Counter] {
        members.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, counter in
            DayTotals.State.Counter(
                reading: name,
                member: String(decoding: key, as: UTF8.self),
                state: counter.state(at: now)
            )
        } + absent
    }

    mutating func restore(_ records: [DayTotals.State.Counter], at now: Moment, isSameDay: Bool) {
        for record in records where record.reading.utf8.elementsEqual(name.utf8) {
            if isSameDay || record.member.isEmpty {
                members[Array(record.member.utf8)] = CounterTotal(
                    kind: kind,
                    limits: limits,
                    restoring: record.state,
                    at: now,
                    isSameDay: isSameDay
                )
            } else {
                absent.append(record)
            }
        }
    }

    /// A member that is heard for the first time since the start, perhaps with what was kept of an earlier day.
    private mutating func revive(_ key: [UInt8], at now: Moment) -> CounterTotal {
        guard let index = absent.firstIndex(where: { $0.member.utf8.elementsEqual(key) }) else {
            return CounterTotal(kind: kind, limits: limits)
        }
        let record = absent.remove(at: index)
        return CounterTotal(kind: kind, limits: limits, restoring: record.state, at: now, isSameDay: false)
    }
}
