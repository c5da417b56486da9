import EnergyFlow

extension StoredState {
    /// Puts this state in the place of the one that the tables hold. For use within a transaction.
    ///
    /// Numbers that are not finite are no knowledge, and SQLite has none of them: their records are left out.
    func write(to connection: Connection, _ attempt: String) throws(StoreError) {
        for table in ["today", "counter", "former", "integral", "note"] {
            try connection.execute("DELETE FROM \(table)", attempt)
        }
        try connection.run(
            "INSERT INTO today (id, date, saved) VALUES (1, ?, ?)",
            [.text(totals.day.description), SQLValue(time: totals.saved)],
            attempt
        )
        let counter = try Statement(
            """
            INSERT INTO counter (
                id, reading, member, total, owed, known, untouched, dating, mark, mark_seen, mark_risen, leap, leap_seen
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            of: connection,
            attempt
        )
        let former = try Statement(
            """
            INSERT INTO former (counter, position, value, low, left_at, starts_over, counted, midnights)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            of: connection,
            attempt
        )
        for (id, record) in totals.counters.enumerated() where record.state.isSound {
            try counter.run(record.values(id: id))
            for (position, mark) in record.state.formers.enumerated() {
                try former.run([SQLValue(id), SQLValue(position)] + mark.values)
            }
        }
        let integral = try Statement("INSERT INTO integral (name, total) VALUES (?, ?)", of: connection, attempt)
        for record in totals.integrals where record.total.isEnergy {
            try integral.run([.text(record.name), .real(record.total)])
        }
        let note = try Statement("INSERT INTO note (name, value) VALUES (?, ?)", of: connection, attempt)
        for (name, value) in notes {
            try note.run([.text(name), .text(value)])
        }
    }

    /// The state that the tables hold, and how many of its records make no sense and were left out.
    ///
    /// The state is `nil` when there is none, or its date is no date.
    static func read(
        from connection: Connection,
        _ attempt: String
    ) throws(StoreError) -> (state: StoredState?, rejected: Int) {
        let rows = try connection.rows("SELECT date, saved FROM today", attempt) { row in
            (day: row.text(0).flatMap { LocalDay($0) }, saved: row.time(1))
        }
        guard let row = rows.first else { return (nil, 0) }
        guard let day = row.day, let saved = row.saved else { return (nil, 1) }
        let formers = try connection.rows(
            """
            SELECT counter, value, low, left_at, starts_over, counted, midnights FROM former ORDER BY counter, position
            """,
            attempt
        ) { row in (counter: row.integer(0), former: CounterTotal.State.Former(row)) }
        let formersOf = Dictionary(grouping: formers, by: \.counter)
        let counters = try connection.rows(
            """
            SELECT reading, member, total, owed, known, untouched, dating, mark, mark_seen, mark_risen, leap, leap_seen, id
            FROM counter ORDER BY id
            """,
            attempt
        ) { row in
            DayTotals.State.Counter(row, formers: formersOf[row.integer(12), default: []].map(\.former))
        }
        let integrals = try connection.rows("SELECT name, total FROM integral ORDER BY id", attempt) { row in
            DayTotals.State.Integral(row)
        }
        let notes = try connection.rows("SELECT name, value FROM note", attempt) { row in
            (name: row.text(0) ?? "", value: row.text(1) ?? "")
        }
        let state = StoredState(
            totals: DayTotals.State(
                day: day,
                saved: saved,
                counters: counters.compactMap { $0 },
                integrals: integrals.compactMap { $0 }
            ),
            // Names that differ in bytes may still be equal to Swift.
            notes: Dictionary(notes.map { ($0.name, $0.value) }) { first, _ in first }
        )
        return (state, counters.count { $0 == nil } + integrals.count { $0 == nil })
    }
}

extension DayTotals.State.Counter {
    /// The row's columns but the formers; `nil` when the row makes no sense.
    fileprivate init?(_ row: borrowing Statement, formers: [CounterTotal.State.Former?]) {
        guard let reading = row.text(0), let member = row.text(1), let total = row.real(2), let owed = row.real(3),
            let isKnown = row.integer(4), let isUntouched = row.integer(5),
            let dating = row.text(6).flatMap(CounterTotal.State.Dating.init),
            !formers.contains(nil)
        else { return nil }
        var state = CounterTotal.State(
            total: total,
            owed: owed,
            isKnown: isKnown != 0,
            isUntouched: isUntouched != 0,
            dating: dating
        )
        state.formers = formers.compactMap { $0 }
        if let value = row.real(7) {
            guard let seen = row.time(8), let risen = row.time(9) else { return nil }
            state.mark = CounterTotal.State.Mark(value: value, seen: seen, risen: risen)
        }
        if let value = row.real(10) {
            guard let seen = row.time(11) else { return nil }
            state.leap = CounterTotal.State.Leap(value: value, seen: seen)
        }
        guard state.isSound else { return nil }
        self.init(reading: reading, member: member, state: state)
    }

    fileprivate func values(id: Int) -> [SQLValue] {
        [
            SQLValue(id), .text(reading), .text(member), .real(state.total), .real(state.owed),
            SQLValue(state.isKnown), SQLValue(state.isUntouched), .text(state.dating.rawValue),
            SQLValue(state.mark?.value), SQLValue(time: state.mark?.seen), SQLValue(time: state.mark?.risen),
            SQLValue(state.leap?.value), SQLValue(time: state.leap?.seen),
        ]
    }
}

extension DayTotals.State.Integral {
    fileprivate init?(_ row: borrowing Statement) {
        guard let name = row.text(0), let total = row.real(1), total.isEnergy else { return nil }
        self.init(name: name, total: total)
    }
}

extension CounterTotal.State.Former {
    fileprivate init?(_ row: borrowing Statement) {
        guard let value = row.real(1), let low = row.real(2), let left = row.time(3), let startsOver = row.integer(4),
            let counted = row.real(5), let midnights = row.integer(6)
        else { return nil }
        self.init(
            value: value,
            low: low,
            left: left,
            startsOver: startsOver != 0,
            counted: counted,
            midnights: Int(midnights)
        )
    }

    fileprivate var values: [SQLValue] {
        [.real(value), .real(low), SQLValue(time: left), SQLValue(startsOver), .real(counted), SQLValue(midnights)]
    }
}

extension CounterTotal.State {
    /// Whether these can be the numbers of a counter. It is asked on the way in and on the way out.
    fileprivate var isSound: Bool {
        let numbers =
            [total, owed, mark?.value ?? 0, leap?.value ?? 0] + formers.flatMap { [$0.value, $0.low, $0.counted] }
        // The bounds on formers are far from any that come to be; beyond them counting on could overflow.
        return numbers.allSatisfy(\.isEnergy) && owed <= total && formers.count <= 100
            && formers.allSatisfy { (0...1_000_000).contains($0.midnights) }
    }
}

extension Double {
    /// Whether it can be an amount of energy.
    var isEnergy: Bool { isFinite && self >= 0 }
}

extension SQLValue {
    /// A wall time in nanoseconds, which last until the year 2262.
    fileprivate init(time: Duration?) {
        guard let time else {
            self = .null
            return
        }
        let (seconds, attoseconds) = time.components
        // A clock that shows no such year must not trap.
        let whole = min(max(seconds, -9_000_000_000), 9_000_000_000)
        self = .integer(whole * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

extension Statement {
    fileprivate borrowing func time(_ column: Int32) -> Duration? {
        integer(column).map { .nanoseconds($0) }
    }
}
