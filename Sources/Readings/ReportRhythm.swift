/// How regularly a source reports, from the last few times between its reports.
struct ReportRhythm {
    private static let window = 5

    private var gaps = InlineArray<5, Float>(repeating: 0)
    private var count = 0
    private var last: Duration?
    /// The median of the last times between reports. Nil while there are fewer than three, or if more than one of them
    /// is over three times the median or under a third of it: then the source reports when it likes.
    private(set) var interval: Duration?

    /// Messages closer together than this are one report: some sources send a value twice, or one for each phase.
    private static let burst: Duration = .milliseconds(500)

    /// Counts a report.
    mutating func note(at uptime: Duration) {
        guard let last else {
            self.last = uptime
            return
        }
        let gap = uptime - last
        guard gap >= Self.burst else { return }
        gaps[count % Self.window] = Float(gap.inSeconds)
        count += 1
        // Wrapped by hand so that it can stay small for ever.
        if count == Self.window * 2 { count = Self.window }
        self.last = uptime
        interval = typical()
    }

    private func typical() -> Duration? {
        let known = min(count, Self.window)
        guard known >= 3 else { return nil }
        var sorted = gaps
        for index in 1..<known {
            var place = index
            while place > 0, sorted[place - 1] > sorted[place] {
                sorted.swapAt(place - 1, place)
                place -= 1
            }
        }
        let median = sorted[known / 2]
        var strays = 0
        for index in 0..<known where sorted[index] > median * 3 || sorted[index] * 3 < median { strays += 1 }
        return strays <= 1 ? .seconds(Double(median)) : nil
    }
}
