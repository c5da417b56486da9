extension DayTotals {
    /// What must be kept to go on after a restart. Plain values.
    public struct State: Sendable, Equatable {
        /// One counter of one reading.
        public struct Counter: Sendable, Equatable {
            /// The reading's name.
            public var reading: String
            /// The topic that a wildcard brought; empty for a reading of one topic.
            public var member: String
            /// The counter.
            public var state: CounterTotal.State

            /// Makes a record.
            public init(reading: String, member: String, state: CounterTotal.State) {
                self.reading = reading
                self.member = member
                self.state = state
            }
        }

        /// One integrated rate.
        public struct Integral: Sendable, Equatable {
            /// Its name in the store, `power.exchange.import`.
            public var name: String
            /// Today's energy, ≥ 0.
            public var total: Double

            /// Makes a record.
            public init(name: String, total: Double) {
                self.name = name
                self.total = total
            }
        }

        /// The local date that the totals are of.
        public var day: LocalDay
        /// The wall time at which this was the state: a clock that shows less is wrong, or was then.
        public var saved: Duration
        /// The counters.
        public var counters: [Counter]
        /// The integrals.
        public var integrals: [Integral]

        /// Makes a state.
        public init(day: LocalDay, saved: Duration, counters: [Counter], integrals: [Integral]) {
            self.day = day
            self.saved = saved
            self.counters = counters
            self.integrals = integrals
        }
    }
}

extension DayTotals.State {
    /// The totals of its day, for the store: the day ended while the program was not running.
    var closedDays: [DayTotals.ClosedDay] {
        var days: [DayTotals.ClosedDay] = []
        for counter in counters where counter.state.isKnown {
            if let last = days.indices.last, days[last].name.utf8.elementsEqual(counter.reading.utf8) {
                days[last].total += counter.state.total
            } else {
                days.append(DayTotals.ClosedDay(day: day, name: counter.reading, total: counter.state.total))
            }
        }
        return days + integrals.map { DayTotals.ClosedDay(day: day, name: $0.name, total: $0.total) }
    }
}
