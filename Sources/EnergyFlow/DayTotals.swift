public import Readings

/// Today's totals of all slots of all flows, on the days of one local calendar.
///
/// The wall clock decides which day it is, and nothing else: a box without a battery clock boots in the past, is set
/// right, and may be set back. So
///
/// * before a plausible year nothing is counted or handed out for keeping; the newest readings wait for the clock;
/// * a clock that has not reached the moment at which the state was kept is wrong, or was wrong then. Until it is set, the
///   day is counted as if nothing had been kept, and nothing is handed out for keeping. If it has not been set after an
///   hour, it is what was kept that was wrong, and it is dropped;
/// * the day rolls forward once, however far the clock went, and by time alone: `advance(to:)` needs no message;
/// * it does not roll back when the clock does, unless by days, when it was the old date that was wrong;
/// * what was kept is today's if it bears today's date (or tomorrow's: the clock may have been set back a little).
///
/// A sum is known when all its members are. A counter whose source is gone is held, for energy does not vanish, unless
/// its reading expires by configuration: then it is unknown, and so is its sum.
public struct DayTotals: Sendable {
    /// A flow whose totals are kept, by the name that its integrals bear in the store.
    public struct Flow: Sendable, Equatable {
        /// The widget's slug.
        public var name: String
        /// What feeds the slots.
        public var definition: FlowDefinition

        /// Makes a flow.
        public init(name: String, definition: FlowDefinition) {
            self.name = name
            self.definition = definition
        }
    }

    /// A reading's value for integration.
    public struct Rate: Sendable, Equatable {
        /// In its base unit.
        public var value: Double
        /// The monotonic time at which it expires; `nil` for never.
        public var until: Duration?

        /// Makes a rate.
        public init(value: Double, until: Duration?) {
            self.value = value
            self.until = until
        }
    }

    /// The totals of a day that is over.
    public struct ClosedDay: Sendable, Equatable {
        /// The date.
        public var day: LocalDay
        /// A reading's name, or `power.exchange.import` for an integral.
        public var name: String
        /// In kWh, or in the counter's own unit, ≥ 0.
        public var total: Double

        /// Makes a closed day.
        public init(day: LocalDay, name: String, total: Double) {
            self.day = day
            self.name = name
            self.total = total
        }
    }

    /// The local date that the totals are of; `nil` while the clock is not plausible.
    public private(set) var day: LocalDay?

    private let calendar: LocalCalendar
    private let flows: [Flow]
    /// The integrals of a flow, by the flow's index.
    private let integralsOfFlow: [[Int]]
    private var dayStart = Duration.zero
    private var dayEnd = Duration.zero
    private var latest: Moment
    /// By index of reading.
    private var counters: [CounterSum?]
    private var integrals: [Integral] = []
    private var closed: [ClosedDay] = []
    /// What was kept, until the clock tells whether it is today's.
    private var waiting: State?
    private let started: Duration
    /// The newest readings since the start, while something waits for the clock.
    private var unread: [Unread] = []

    private struct Integral {
        let slot: FlowSlot
        let name: String
        /// What its rate adds up: made once, for solving the whole flow at every report took half of a flood's time.
        let terms: [RateTerm]
        var integrator: RateIntegrator

        /// Takes the rate from now on.
        mutating func receive(at uptime: Duration, _ rate: (Int) -> Rate?) {
            var sum = 0.0
            var until: Duration?
            for term in terms {
                guard let rate = rate(term.reading) else { return integrator.receive(nil, at: uptime) }
                sum += term.sign * rate.value
                if let end = rate.until { until = min(until ?? end, end) }
            }
            integrator.receive(sum, until: until, at: uptime)
        }
    }

    private struct Unread {
        let reading: Int
        let member: String
        let value: Double
        let isFresh: Bool
        let uptime: Duration
    }

    /// The totals of these flows, going on from what was kept of today.
    /// - Parameter counting: readings that count and are shown without a slot of a flow.
    public init(
        readings: [ReadingDefinition],
        flows: [Flow],
        counting: [Int] = [],
        calendar: LocalCalendar,
        restoring kept: State? = nil,
        at now: Moment
    ) {
        self.calendar = calendar
        self.flows = flows
        latest = now
        started = now.uptime
        waiting = kept
        counters = Array(repeating: nil, count: readings.count)
        var integralsOfFlow = Array(repeating: [Int](), count: flows.count)
        for reading in counting { counters[reading] = CounterSum(readings[reading]) }
        for (index, flow) in flows.enumerated() {
            for (slot, definition) in flow.definition.namedSlots {
                switch definition.total {
                case nil: break
                case .counter(let sum):
                    for member in sum.members { counters[member] = CounterSum(readings[member]) }
                case .integrate(let sense):
                    let terms = flow.definition.terms(of: slot)
                    let unit = terms.first.map { readings[$0.reading].unit } ?? ReadingUnit("W")
                    integralsOfFlow[index].append(integrals.count)
                    integrals.append(
                        Integral(
                            slot: slot,
                            name: flow.integralName(of: slot, sense: sense, readings: readings),
                            terms: terms,
                            integrator: RateIntegrator(sense: sense, perHour: unit.perHour)
                        )
                    )
                }
            }
        }
        self.integralsOfFlow = integralsOfFlow
        advance(to: now)
    }

    /// The wall time of the next roll; `nil` while the clock is not plausible.
    public var nextRoll: Duration? { day == nil ? nil : dayEnd }

    /// Today's total of a slot, ≥ 0, in kWh or the counter's own unit; `nil` when it has none or it is not known.
    ///
    /// An integral is as of the last call of `advance(to:)`.
    public func total(of slot: FlowSlot, in flow: Int = 0) -> Double? {
        guard day != nil else { return nil }
        return switch flows[flow].definition[slot]?.total {
        case nil: nil
        case .counter(let sum): sum.value { counters[$0]?.total }
        case .integrate:
            integralsOfFlow[flow].first { integrals[$0].slot == slot }.flatMap { integrals[$0].integrator.total }
        }
    }

    /// Today's total of a reading that counts, ≥ 0, in kWh or its own unit; `nil` when it is not known or nobody asked for it.
    public func total(ofReading reading: Int) -> Double? {
        counters[reading]?.total
    }

    /// The wall time of what was kept, while the clock has not reached it; `nil` once it is decided what to do with it.
    public var awaited: Duration? { waiting?.saved }

    /// Whether totals grow by time alone, without a message.
    public var isIntegrating: Bool {
        integrals.contains { $0.integrator.isRunning }
    }

    /// Whether a reading's values belong to `receive(_:of:member:isFresh:at:)`.
    public func counts(_ reading: Int) -> Bool {
        counters[reading] != nil
    }

    /// Takes the value of a counting reading, in its base unit; `nil` when it has none now.
    ///
    /// `member` tells apart the topics that a wildcard brings: each is a counter of its own, since they do not start from
    /// zero together. `isFresh` is false for retained messages.
    public mutating func receive(
        _ value: Double?,
        of reading: Int,
        member: String = "",
        isFresh: Bool,
        at now: Moment
    ) {
        roll(to: now)
        if day == nil || waiting != nil {
            unread.removeAll { $0.reading == reading && $0.member.utf8.elementsEqual(member.utf8) }
            if let value {
                unread.append(
                    Unread(reading: reading, member: member, value: value, isFresh: isFresh, uptime: now.uptime)
                )
            }
        }
        guard day != nil else { return }
        let age = sinceMidnight(now)
        counters[reading]?.receive(value, member: member, isFresh: isFresh, at: now, sinceMidnight: age)
    }

    /// Takes the rates of a flow's slots from now on, whenever one of its readings has come, changed or expired.
    ///
    /// - Parameter rate: a reading's value by index. `nil` when it is not known, and when it is only retained: its age is
    ///   not known, so it makes no energy.
    public mutating func integrate(flow: Int = 0, at now: Moment, _ rate: (Int) -> Rate?) {
        roll(to: now)
        for index in integralsOfFlow[flow] { integrals[index].receive(at: now.uptime, rate) }
    }

    /// Lets time pass: integrals grow, and at midnight the totals of the day are closed and begin at 0.
    public mutating func advance(to now: Moment) {
        roll(to: now)
        for index in integrals.indices { integrals[index].integrator.settle(to: now.uptime) }
    }

    /// Takes note of the time for the day's sake. Each integral grows when its own rate comes.
    private mutating func roll(to now: Moment) {
        defer { latest = now }
        guard let day else { return begin(at: now) }
        if let kept = waiting, decide(on: kept, at: now) { return }
        if now.wall >= dayEnd {
            // Monotonic time decides how much of the time since the last call belongs to the new day.
            let midnight = min(max(now.uptime - (now.wall - dayEnd), latest.uptime), now.uptime)
            for index in integrals.indices { integrals[index].integrator.settle(to: midnight) }
            close(day)
            for index in integrals.indices { integrals[index].integrator.roll(at: midnight) }
            for index in counters.indices { counters[index]?.roll() }
            setDay(at: now.wall)
        } else if now.wall < dayStart - .seconds(86_400), isPlausible(now) {
            setDay(at: now.wall)
        }
    }

    /// The days closed since the last call, for the store.
    public mutating func takeClosedDays() -> [ClosedDay] {
        defer { closed = [] }
        return closed
    }

    /// What must be kept to go on after a restart; `nil` while the clock is not plausible, when nothing may be
    /// overwritten.
    public func state(at now: Moment) -> State? {
        guard let day, waiting == nil else { return nil }
        return State(
            day: day,
            saved: now.wall,
            counters: counters.flatMap { $0?.records(at: now) ?? [] },
            integrals: integrals.compactMap { integral in
                integral.integrator.total.map { State.Integral(name: integral.name, total: $0) }
            }
        )
    }

    /// How far a clock may be behind the moment at which the state was kept and yet be taken for right: boxes without a
    /// battery keep the time once an hour and boot with that, and a clock may be set back by an hour.
    private static let setBack = Duration.seconds(2 * 3600)
    /// A clock that has not been set for this long will not be.
    private static let patience = Duration.seconds(3600)

    /// 2024-01-01: no clock that is set right shows less.
    private func isPlausible(_ now: Moment) -> Bool {
        now.wall >= .seconds(1_704_067_200)
    }

    private func sinceMidnight(_ now: Moment) -> Duration {
        max(.zero, now.wall - dayStart)
    }

    private mutating func setDay(at wall: Duration) {
        day = calendar.day(of: wall)
        dayStart = calendar.startOfDay(at: wall)
        dayEnd = calendar.nextMidnight(after: wall)
    }

    private mutating func close(_ day: LocalDay) {
        for case let counter? in counters {
            guard let total = counter.total else { continue }
            closed.append(ClosedDay(day: day, name: counter.name, total: total))
        }
        for integral in integrals {
            guard let total = integral.integrator.total else { continue }
            closed.append(ClosedDay(day: day, name: integral.name, total: total))
        }
    }

    /// The clock is plausible for the first time.
    private mutating func begin(at now: Moment) {
        guard isPlausible(now) else { return }
        setDay(at: now.wall)
        for index in integrals.indices { integrals[index].integrator.restart(from: nil, at: now.uptime) }
        if let kept = waiting {
            if decide(on: kept, at: now) { return }
        }
        takeUnread(at: now)
    }

    /// Whether the clock has reached the moment at which the state was kept, which then is gone on from.
    private mutating func decide(on kept: State, at now: Moment) -> Bool {
        guard now.wall < kept.saved - Self.setBack else {
            waiting = nil
            setDay(at: now.wall)
            restore(kept, at: now)
            takeUnread(at: now)
            return true
        }
        if now.uptime - started >= Self.patience {
            waiting = nil
            unread = []
        }
        return false
    }

    private mutating func takeUnread(at now: Moment) {
        let age = sinceMidnight(now)
        for message in unread {
            counters[message.reading]?.receive(
                message.value,
                member: message.member,
                isFresh: message.isFresh,
                at: Moment(uptime: message.uptime, wall: now.wall - (now.uptime - message.uptime)),
                sinceMidnight: age
            )
        }
        if waiting == nil { unread = [] }
    }

    /// Puts what was kept in the place of all that has been counted.
    private mutating func restore(_ kept: State, at now: Moment) {
        guard let today = day, kept.day.number <= today.number + 1 else { return }
        if kept.day > today {
            setDay(at: dayEnd)
        }
        let isSameDay = kept.day >= today
        for index in counters.indices {
            counters[index]?.restore(kept.counters, at: now, isSameDay: isSameDay)
        }
        for index in integrals.indices {
            let total = kept.integrals.first { $0.name == integrals[index].name }?.total
            integrals[index].integrator.restart(from: isSameDay ? total : nil, at: now.uptime)
        }
        closed = isSameDay ? [] : kept.closedDays
    }
}

extension DayTotals.Flow {
    /// `power.exchange.import`, `power.input.solar_power`: what it is made of, so that it is found again when slots are
    /// added or change places.
    fileprivate func integralName(of slot: FlowSlot, sense: FlowSense, readings: [ReadingDefinition]) -> String {
        switch slot {
        case .input:
            "\(name).input.\(definition.rateReadings(of: slot).map { readings[$0].name }.joined(separator: "+"))"
        case .storage: "\(name).storage.\(sense == .positive ? "charging" : "discharging")"
        case .exchange: "\(name).exchange.\(sense == .positive ? "import" : "export")"
        case .output: "\(name).output"
        }
    }
}
