public import EnergyFlow

/// What a progress widget shows at one moment.
public struct ProgressState: Sendable, Equatable {
    /// The fraction, 0...1; `nil` when it is not known.
    public var value: Double?
    /// From when to when the bar moves by itself; only with a start.
    public var window: WidgetDates?
    /// The trend, if it is shown.
    public var trend: TrendTracker.Trend?
    /// One for each row, in order; `nil` where it is not known.
    public var rows: [Double?]

    /// Makes a state.
    public init(
        value: Double? = nil,
        window: WidgetDates? = nil,
        trend: TrendTracker.Trend? = nil,
        rows: [Double?] = []
    ) {
        self.value = value
        self.window = window
        self.trend = trend
        self.rows = rows
    }
}

/// The content of a progress widget.
///
/// The value is a fraction to the hundredth, never a percentage: `42` would fill the bar. It goes along with a window too,
/// since older versions of the app know no dates.
public enum ProgressContent {
    /// The `content` object, or `nil` when there is neither a value nor a whole window: the service refuses that.
    ///
    /// A value that is not finite is not known; others are held within 0...1.
    public static func content(state: ProgressState, rows: [StatRow], shared: SharedContent) -> JSONObject? {
        let value = state.value.flatMap { $0.isFinite ? JSONValue(rounded(min(max($0, 0), 1), decimals: 2)) : nil }
        let window = state.window.flatMap { $0.start == nil ? nil : $0 }
        guard value != nil || window != nil else { return nil }
        var content = shared.content(template: "progress")
        content["value"] = value
        window?.write(into: &content)
        content["trend"] = state.trend.map { .string($0.rawValue) }
        if !rows.isEmpty {
            content["stat_rows"] = .array(
                rows.enumerated().map { index, row in
                    row.json(state.rows.indices.contains(index) ? state.rows[index] : nil)
                }
            )
        }
        return content
    }
}
