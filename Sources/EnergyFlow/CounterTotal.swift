public import Readings

/// Today's energy from one counter that counts up: the sum of its believable rises since our midnight.
///
/// A source's own idea of a day is never trusted, not even when it counts `today`. These rules decide, whatever a
/// counter does:
///
/// 1. **Only rises count.** The highest believed reading is the mark. A reading above it adds the difference; a reading
///    that repeats it, or is a little below it (noise), adds nothing. So yesterday's figure that stands until dawn adds
///    nothing, and a source that counts UTC days loses nothing.
/// 2. **A fall is a new beginning, and adds what was counted since.** After a fall to nearly zero, the reading itself;
///    after a fall to anything else (another meter, a register that overflowed, an old record), nothing.
/// 3. **A fall may turn out to be none.** The mark before it is remembered. A leap back to it is its return: what was
///    counted in between was no energy, and counting goes on from the old mark. Where several marks fit, it is the one
///    that changes least; where much would be taken back, a second reading must confirm it.
/// 4. **A leap must be confirmed.** A rise that a home cannot make in the time is believed at a second reading, and even
///    then only moves the mark if it is beyond what any home could do.
/// 5. **What cannot be dated is not today's.** A rise over midnight with more than two hours between the readings belongs
///    to nobody. The first reading of a `lifetime` counter counts nothing. The first of a `today` counter counts whole when
///    it is fresh and could have been counted since midnight; a retained one must first rise, fall, or last until
///    mid-morning.
/// 6. **The total never falls within a day.** What rule 3 takes back is owed, and later rises pay it before the total
///    goes on.
/// 7. **Silence is not zero.** Readings that are missing, negative or not finite change nothing.
public struct CounterTotal: Sendable, Equatable {
    /// When the source starts from zero, by its own account.
    public let kind: CounterKind
    /// What the counter can do.
    public let limits: CounterLimits
    /// Whether the counter has a value now: it has been read since the start, and `unknown()` has not been said since.
    public private(set) var isPresent = false
    /// Its times are on the monotonic clock.
    private var state = State()

    /// A counter of which nothing is known yet.
    public init(kind: CounterKind, limits: CounterLimits) {
        self.kind = kind
        self.limits = limits
    }

    /// A counter that goes on where `state(at:)` left it, as if it had been silent since.
    public init(kind: CounterKind, limits: CounterLimits, restoring state: State, at now: Moment, isSameDay: Bool) {
        self.init(kind: kind, limits: limits)
        self.state = state.shifted(by: now.uptime - now.wall, notAfter: now.uptime).plausible
        if !isSameDay { roll() }
    }

    /// Today's energy in the counter's unit, ≥ 0. `nil` until a reading could be dated.
    public var total: Double? { state.isKnown ? state.total : nil }

    /// All that must be kept to go on after a restart.
    public func state(at now: Moment) -> State {
        state.shifted(by: now.wall - now.uptime, notAfter: now.wall)
    }

    /// The counter has no value now. Nothing is counted or forgotten.
    public mutating func unknown() {
        isPresent = false
    }

    /// A new local day begins. One roll however many days have passed.
    public mutating func roll() {
        state.total = 0
        state.owed = 0
        state.isUntouched = true
        state.dating = .dated  // What could not be dated before midnight is surely not the new day's.
        for index in state.formers.indices {
            state.formers[index].counted = 0
            state.formers[index].midnights += 1
        }
        if kind == .today {
            // Figures of the day before yesterday do not come back; an equal figure is a coincidence.
            state.formers.removeAll { $0.midnights > 1 }
        }
    }

    /// Takes a reading of the counter.
    ///
    /// `isFresh` is false for a retained message, whose age is not known. `sinceMidnight` is the time since the first
    /// instant of our local day, which dates a reading.
    public mutating func receive(_ value: Double, isFresh: Bool, at uptime: Duration, sinceMidnight: Duration) {
        guard value >= 0, value <= Self.largestValue else { return }
        isPresent = true
        let reading = Reading(value: value, isFresh: isFresh, uptime: uptime, sinceMidnight: sinceMidnight)
        guard let mark = state.mark else { return begin(reading) }
        let gap = uptime - mark.seen
        let isFirstOfDay = state.isUntouched
        state.isUntouched = false
        if state.dating != .dated {
            date(reading, mark)
        } else if isFirstOfDay, gap > Self.longSilence {
            reopen(reading, mark, gap)
        } else {
            state.isKnown = state.isKnown || isFresh || kind == .lifetime
            follow(reading, mark, gap)
        }
    }

    /// Larger than any counter of a home; beyond it a sum could lose its small parts.
    private static let largestValue = 1e12
    /// Longer than the sources that report hourly are silent.
    private static let longSilence = Duration.seconds(2 * 3600)
    /// Mid-morning: a `today` counter that has not been set to zero by then was set to zero before.
    private static let dated = Duration.seconds(10 * 3600)
    private static let day = Duration.seconds(86_400)
}

// MARK: - The first reading, and readings that cannot be dated

extension CounterTotal {
    private struct Reading {
        let value: Double
        let isFresh: Bool
        let uptime: Duration
        let sinceMidnight: Duration
    }

    private mutating func begin(_ reading: Reading) {
        state.formers = []
        state.leap = nil
        switch (kind, reading.isFresh) {
        case (.lifetime, _):
            state.isKnown = true
            // An inverter that sleeps may show zero; its life does not begin when it wakes.
            if reading.value > 0 { setMark(reading) }
        case (.today, true):
            adopt(reading)
        case (.today, false):
            state.dating = .whenItChanges
            state.isKnown = false
            setMark(reading)
        }
    }

    /// The source's own figure is today's, unless that much cannot have been counted since midnight.
    private mutating func adopt(_ reading: Reading) {
        state.dating = .dated
        state.isKnown = true
        setMark(reading)
        if reading.value <= limits.believable(in: reading.sinceMidnight) {
            count(reading.value)
        }
    }

    /// A `today` counter whose mark may be yesterday's.
    private mutating func date(_ reading: Reading, _ mark: State.Mark) {
        let fell = reading.value < mark.value - limits.noise(at: mark.value)
        let rose = reading.value > mark.value
        guard
            reading.isFresh,
            fell || (rose && state.dating == .whenItChanges) || reading.sinceMidnight >= Self.dated
        else {
            return setMark(reading)
        }
        if fell {
            remember(mark, before: reading, startsOver: true)
        }
        adopt(reading)
    }

    /// The first reading after a long silence over midnight.
    private mutating func reopen(_ reading: Reading, _ mark: State.Mark, _ gap: Duration) {
        let noise = limits.noise(at: mark.value)
        if kind == .today, gap > reading.sinceMidnight + Self.day {
            begin(reading)
        } else if abs(reading.value - mark.value) <= (reading.value < mark.value ? noise : 0) {
            state.isKnown = state.isKnown || reading.isFresh || kind == .lifetime
            hold(reading)
        } else if kind == .lifetime {
            state.isKnown = true
            if reading.value < mark.value {
                remember(mark, before: reading, startsOver: startsOver(reading, mark, gap))
            }
            setMark(reading)
        } else if !reading.isFresh {
            state.dating = .whenItChanges
            state.isKnown = false
            setMark(reading)
        } else if reading.value < mark.value {
            state.isKnown = true
            fall(reading, mark, gap)
        } else if state.formers.contains(where: { $0.value == reading.value }) {
            state.isKnown = true
            setMark(reading)
        } else if reading.sinceMidnight >= Self.dated {
            adopt(reading)
        } else {
            state.dating = .whenItFalls
            state.isKnown = false
            setMark(reading)
        }
    }
}

// MARK: - Readings that follow one another

extension CounterTotal {
    private mutating func follow(_ reading: Reading, _ mark: State.Mark, _ gap: Duration) {
        if reading.value < mark.value - limits.noise(at: mark.value) {
            return fall(reading, mark, gap)
        }
        let step = max(0, reading.value - mark.value)
        if let index = returned(reading, step, gap) {
            // A spike to where the counter once was must not undo what has been counted since.
            let former = state.formers[index]
            let isSmall = former.counted <= limits.correction && reading.value - former.value <= limits.step
            guard isSmall || confirmedLeap(reading) != nil else { return leap(to: reading) }
            return goBack(to: index, reading)
        }
        if step > limits.believable(in: gap) {
            guard let leap = confirmedLeap(reading) else { return leap(to: reading) }
            let isPossible = step <= limits.possible(sinceRise: reading.uptime - mark.risen)
            count(isPossible ? step : max(0, reading.value - leap.value))
        } else {
            count(step)
        }
        if step > 0 {
            setMark(reading)
        } else {
            hold(reading)
        }
    }

    /// Rule 2.
    private mutating func fall(_ reading: Reading, _ mark: State.Mark, _ gap: Duration) {
        let startsOver = startsOver(reading, mark, gap)
        remember(mark, before: reading, startsOver: startsOver)
        setMark(reading)
        guard startsOver, reading.value <= limits.believable(in: gap) else { return }
        if reading.value <= limits.common(in: gap) {
            count(reading.value)
        } else {
            // It could be an old record: the next reading tells, and counts from zero if it goes on from here.
            state.mark?.value = 0
        }
    }

    /// Whether a fall is the source's start from zero: nearly to zero, or to what may since have been counted.
    private func startsOver(_ reading: Reading, _ mark: State.Mark, _ gap: Duration) -> Bool {
        reading.value <= mark.value / 10
            || (reading.value <= mark.value / 2 && reading.value <= limits.common(in: gap))
            || (kind == .today && gap > Self.longSilence)
    }

    /// Rule 3: of the former marks to which this step returns, that which changes least.
    private func returned(_ reading: Reading, _ step: Double, _ gap: Duration) -> Int? {
        func change(_ former: State.Former) -> Double { former.counted + abs(reading.value - former.value) }
        return state.formers.indices
            .filter { isReturn(to: state.formers[$0], reading, step, gap) }
            .min { change(state.formers[$0]) < change(state.formers[$1]) }
    }

    private func isReturn(to former: State.Former, _ reading: Reading, _ step: Double, _ gap: Duration) -> Bool {
        reading.value >= former.value - limits.noise(at: former.value)
            && reading.value <= former.value + limits.believable(in: reading.uptime - former.left)
            // A climb passes the old mark in small steps, a return in one.
            && step >= (former.value - former.low) / 2
            // From zero, an old value is also reached by counting.
            && (!former.startsOver || step > limits.common(in: gap)
                || (reading.value == former.value && step > limits.commonStep))
    }

    private mutating func goBack(to index: Int, _ reading: Reading) {
        let former = state.formers[index]
        state.formers.removeSubrange(index...)
        for older in state.formers.indices {
            state.formers[older].counted = max(0, state.formers[older].counted - former.counted)
        }
        state.owed = min(state.total, state.owed + former.counted)
        count(max(0, reading.value - former.value))
        setMark(reading, atLeast: former.value)
    }

    /// Rule 4: the leap that this reading confirms.
    private func confirmedLeap(_ reading: Reading) -> State.Leap? {
        guard let leap = state.leap, reading.value >= leap.value - limits.noise(at: leap.value),
            reading.value - leap.value <= limits.believable(in: reading.uptime - leap.seen)
        else { return nil }
        return leap
    }

    private mutating func leap(to reading: Reading) {
        state.leap = State.Leap(value: reading.value, seen: reading.uptime)
    }

    private mutating func remember(_ mark: State.Mark, before reading: Reading, startsOver: Bool) {
        for index in state.formers.indices {
            state.formers[index].low = min(state.formers[index].low, reading.value)
            state.formers[index].startsOver = state.formers[index].startsOver || startsOver
        }
        if state.formers.count == Self.mostFormers {
            state.formers.removeFirst()
        }
        state.formers.append(
            State.Former(
                value: mark.value,
                low: reading.value,
                left: mark.seen,
                startsOver: startsOver,
                counted: 0,
                midnights: 0
            )
        )
    }

    /// A meter that flaps between more levels than this is no meter.
    private static var mostFormers: Int { 4 }

    private mutating func count(_ energy: Double) {
        let repaid = min(state.owed, energy)
        state.owed -= repaid
        state.total += energy - repaid
        for index in state.formers.indices {
            state.formers[index].counted += energy
        }
    }

    private mutating func setMark(_ reading: Reading, atLeast least: Double = 0) {
        let value = max(reading.value, least)
        state.mark = State.Mark(value: value, seen: reading.uptime, risen: reading.uptime)
        state.formers.removeAll { $0.value <= value }
        state.leap = nil
    }

    private mutating func hold(_ reading: Reading) {
        state.mark?.seen = reading.uptime
        state.leap = nil
    }
}
