/// What feeds a progress widget.
public struct ProgressDefinition: Sendable, Equatable {
    /// What is shown of the whole.
    public enum Value: Sendable, Equatable {
        /// Readings in %.
        case level(ReadingSum)
        /// Readings as a part of a goal > 0 in their base unit. Of those that count it is today's total.
        case share(ReadingSum, goal: Double)
    }

    /// From when to when the bar moves by itself.
    public enum Window: Sendable, Equatable {
        /// Between two points in time that readings tell.
        case readings(start: MomentSource, end: MomentSource)
        /// Every day, between two times of the local day.
        case daily(start: TimeOfDay, end: TimeOfDay)
    }

    /// The value; `nil` when the window alone decides it.
    public var value: Value?
    /// The window, if the bar moves by itself.
    public var window: Window?
    /// How much of the past the trend is about; `nil` for no trend.
    public var trend: Duration?
    /// What stands in each row.
    public var rows: [ReadingSum]

    /// Makes a definition; the configuration sees to it that there is a value or a window.
    public init(
        value: Value? = nil,
        window: Window? = nil,
        trend: Duration? = nil,
        rows: [ReadingSum] = []
    ) {
        self.value = value
        self.window = window
        self.trend = trend
        self.rows = rows
    }

    /// The indices of all readings, each once, in order of first use.
    public var readings: [Int] {
        var seen: Set<Int> = []
        return (barReadings + rows.flatMap(\.members)).filter { seen.insert($0).inserted }
    }

    /// The indices of the readings that the widget lives on: those behind the bar, else those of the rows. None when
    /// times of day alone move it.
    public var vitalReadings: [Int] {
        barReadings.isEmpty ? readings : barReadings
    }

    private var barReadings: [Int] {
        var indices = value?.readings ?? []
        if case .readings(let start, let end) = window { indices += [start.reading, end.reading] }
        return indices
    }
}

extension ProgressDefinition.Value {
    /// The indices of the readings behind it.
    public var readings: [Int] {
        switch self {
        case .level(let sum), .share(let sum, _): sum.members
        }
    }

    /// The fraction, 0...1; `nil` when a reading is not known.
    public func fraction(_ value: (Int) -> Double?) -> Double? {
        let fraction =
            switch self {
            case .level(let sum): sum.value(value).map { $0 / 100 }
            case .share(let sum, let goal): sum.value(value).map { $0 / goal }
            }
        guard let fraction, fraction.isFinite else { return nil }
        return min(max(fraction, 0), 1)
    }
}
