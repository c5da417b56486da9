/// A calendar month in UTC, which is what the allowance of updates is counted by.
struct CalendarMonth: Hashable {
    /// As the service writes it: 202611.
    let number: Int
    /// The first instant after it, as wall time since 1970.
    let end: Duration

    /// The month that holds an instant, given as wall time since 1970; January 1970 for any before.
    init(containing wall: Duration) {
        var (year, month) = (1970, 1)
        var end = CalendarMonth.days(in: month, of: year)
        // Some hundred steps of the plainest calendar there is; a formula would be faster, and harder to believe.
        while .seconds(end * 86_400) <= wall {
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
            end += CalendarMonth.days(in: month, of: year)
        }
        number = year * 100 + month
        self.end = .seconds(end * 86_400)
    }

    /// The first midnight (UTC) after an instant, as wall time since 1970.
    static func nextMidnight(after wall: Duration) -> Duration {
        .seconds((wall.components.seconds / 86_400 + 1) * 86_400)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
