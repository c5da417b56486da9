/// The candidate that a word was likely meant to be, or `nil` when none is near.
func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().unicodeScalars.prefix(64))
    // One slip for a short word, more for a long one: 'foo' is not a slip for 'sum'.
    let most = max(1, wanted.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let offered = Array(candidate.lowercased().unicodeScalars)
        guard abs(offered.count - wanted.count) <= most else { continue }
        let distance = editDistance(wanted, offered)
        if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
}

/// ` (did you mean 'topic'?)`, or nothing without a candidate.
func didYouMean(_ candidate: String?) -> String {
    candidate.map { " (did you mean \(quoted($0))?)" } ?? ""
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var distance = min(
                last[column] + (scalar == other ? 0 : 1),
                last[column + 1] + 1,
                current[column] + 1
            )
            if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                distance = min(distance, beforeLast[column - 1] + 1)
            }
            current.append(distance)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
