import Replay

/// What pacing has to beat: as many updates, at equal distances, whatever happens.
enum EvenUpdates {
    /// The least Σ|shown − actual| ÷ Σ|actual| that any offset, in whole minutes, gives.
    ///
    /// The days, which have a row a minute, go round for ever, so that the first update finds what the last one left.
    static func best(_ count: Int, in days: [TruthTable], times rounds: Int = 1) -> Double {
        let rows = days.flatMap { $0.rows.map(\.power) }
        let length = rows.count * rounds / count
        precondition(length * count == rows.count * rounds, "Updates must be whole minutes apart.")
        // Of an update at each minute, until the next.
        var errors = [Double](repeating: 0, count: rows.count)
        for slot in PowerBySlot.names.indices {
            let values = rows.map(\.slots[slot])
            for start in values.indices {
                var sum = 0.0
                for passed in 0..<length { sum += abs(values[start] - values[(start + passed) % values.count]) }
                errors[start] += sum
            }
        }
        let flowed = rows.reduce(0) { $0 + $1.distance(to: .zero).slots.sum() } * Double(rounds)
        let wrong = (0..<length).map { offset in
            (0..<count).reduce(0) { $0 + errors[(offset + $1 * length) % rows.count] }
        }
        return (wrong.min() ?? .nan) / flowed
    }
}
