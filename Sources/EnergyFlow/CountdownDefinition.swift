/// What feeds a countdown widget.
public enum CountdownDefinition: Sendable, Equatable {
    /// To a point in time that a reading tells, from another one perhaps.
    case reading(start: MomentSource?, end: MomentSource)
    /// Every day, to a time of the local day. With a start there is nothing to count to from the end to the next start.
    case daily(start: TimeOfDay?, end: TimeOfDay)
    /// Until the storage of a flow is full, empty or at a level, from a point in time perhaps.
    case estimate(start: MomentSource?, StorageEstimate, of: FlowDefinition)

    /// The point in time that a reading tells for the start, if there is one.
    public var start: MomentSource? {
        switch self {
        case .reading(let start, _), .estimate(let start, _, _): start
        case .daily: nil
        }
    }

    /// The indices of all readings, each once, in order of first use.
    public var readings: [Int] {
        var seen: Set<Int> = []
        return (vitalReadings + (start.map { [$0.reading] } ?? [])).filter { seen.insert($0).inserted }
    }

    /// The indices of the readings that the widget lives on: those behind its end. None when it is a time of day.
    public var vitalReadings: [Int] {
        switch self {
        case .reading(_, let end): [end.reading]
        case .daily: []
        case .estimate(_, _, let flow): flow.rateReadings(of: .storage) + (flow.storage?.level?.members ?? [])
        }
    }
}
