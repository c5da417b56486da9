extension CounterTotal {
    /// What a counter must remember to go on after a restart. Plain values; times are wall time, so that they still mean
    /// something then.
    public struct State: Sendable, Equatable {
        /// The highest believed reading since the last fall.
        public struct Mark: Sendable, Equatable {
            /// In the counter's unit.
            public var value: Double
            /// When it was last read.
            public var seen: Duration
            /// When it last rose.
            public var risen: Duration

            /// Makes a mark.
            public init(value: Double, seen: Duration, risen: Duration) {
                self.value = value
                self.seen = seen
                self.risen = risen
            }
        }

        /// A mark from which the counter fell, and to which it may return.
        public struct Former: Sendable, Equatable {
            /// In the counter's unit.
            public var value: Double
            /// The lowest to which it has fallen since.
            public var low: Double
            /// When it was last read.
            public var left: Duration
            /// Whether it has fallen to (nearly) zero since.
            public var startsOver: Bool
            /// What has been counted since, today.
            public var counted: Double
            /// The midnights since.
            public var midnights: Int

            /// Makes a former mark.
            public init(
                value: Double,
                low: Double,
                left: Duration,
                startsOver: Bool,
                counted: Double,
                midnights: Int
            ) {
                self.value = value
                self.low = low
                self.left = left
                self.startsOver = startsOver
                self.counted = counted
                self.midnights = midnights
            }
        }

        /// A reading that is too high to be believed before another confirms it.
        public struct Leap: Sendable, Equatable {
            /// In the counter's unit.
            public var value: Double
            /// When it was read.
            public var seen: Duration

            /// Makes a leap.
            public init(value: Double, seen: Duration) {
                self.value = value
                self.seen = seen
            }
        }

        /// Whether the mark of a `today` counter is known to be today's.
        public enum Dating: String, Sendable, Equatable {
            /// It is, or it is counted from.
            case dated
            /// It will be once a fresh reading rises or falls, and in any case by mid-morning.
            case whenItChanges
            /// It will be once a reading falls, and in any case by mid-morning.
            case whenItFalls
        }

        /// Today's energy as shown, ≥ 0.
        public var total: Double
        /// How much of the total has turned out to be none, 0...total.
        public var owed: Double
        /// Whether the total is known.
        public var isKnown: Bool
        /// Whether no reading has come since midnight.
        public var isUntouched: Bool
        /// `nil` before the first reading.
        public var mark: Mark?
        /// From the highest to the lowest, which is the latest.
        public var formers: [Former]
        /// What waits for its confirmation.
        public var leap: Leap?
        /// Whether the mark is today's.
        public var dating: Dating

        /// Makes a state; without arguments, that of a counter of which nothing is known.
        public init(
            total: Double = 0,
            owed: Double = 0,
            isKnown: Bool = false,
            isUntouched: Bool = false,
            mark: Mark? = nil,
            formers: [Former] = [],
            leap: Leap? = nil,
            dating: Dating = .dated
        ) {
            self.total = total
            self.owed = owed
            self.isKnown = isKnown
            self.isUntouched = isUntouched
            self.mark = mark
            self.formers = formers
            self.leap = leap
            self.dating = dating
        }
    }
}

extension CounterTotal.State {
    /// The state with its times on another clock. None is later than now: a clock that was set back must not make a
    /// reading come from the future.
    func shifted(by span: Duration, notAfter now: Duration) -> Self {
        var state = self
        func shift(_ time: inout Duration) { time = min(time + span, now) }
        if var mark {
            shift(&mark.seen)
            shift(&mark.risen)
            state.mark = mark
        }
        if var leap {
            shift(&leap.seen)
            state.leap = leap
        }
        for index in state.formers.indices {
            shift(&state.formers[index].left)
        }
        return state
    }

    /// The state if it can be one, else that of a counter of which nothing is known: files get damaged.
    var plausible: Self {
        let numbers =
            [total, owed, mark?.value ?? 0, leap?.value ?? 0] + formers.flatMap { [$0.value, $0.low, $0.counted] }
        return numbers.allSatisfy { $0.isFinite && $0 >= 0 } && owed <= total ? self : Self()
    }
}
