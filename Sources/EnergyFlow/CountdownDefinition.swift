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
        let indices: [Int] =
            switch self {
            case .reading(let start, let end): [end.reading] + (start.map { [$0.reading] } ?? [])
            case .daily: []
            case .estimate(let start, _, let flow):
                flow.rateReadings(of: .storage) + (flow.storage?.level?.members ?? [])
                    + (start.map { [$0.reading] } ?? [])
            }
        var seen: Set<Int> = []
        return indices.filter { seen.insert($0).inserted }
    }
}
