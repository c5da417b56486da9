import EnergyFlow

/// The table of closed days.
enum ClosedDays {
    /// Adds days to the table. For use within a transaction.
    ///
    /// A day is closed twice when the bridge was killed after midnight and goes on from what it had kept before. Energy
    /// only grows within a day, so the larger total is the later one.
    static func write(
        _ days: [DayTotals.ClosedDay],
        to connection: Connection,
        _ attempt: String
    ) throws(StoreError) {
        let statement = try Statement(
            """
            INSERT INTO closed_day (date, reading, total) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET total = max(total, excluded.total)
            """,
            of: connection,
            attempt
        )
        for day in days where day.total.isEnergy {
            try statement.run([.text(day.day.description), .text(day.name), .real(day.total)])
        }
    }

    /// The newest so many dates that the table has, or all; the oldest first, names in the order of their bytes.
    static func read(
        newest count: Int?,
        from connection: Connection
    ) throws(StoreError) -> [DayTotals.ClosedDay] {
        try connection.rows(
            """
            SELECT date, reading, total FROM closed_day
            WHERE date IN (SELECT DISTINCT date FROM closed_day ORDER BY date DESC LIMIT ?)
            ORDER BY date, reading
            """,
            // A negative limit is none.
            [SQLValue(count.map { max(0, $0) } ?? -1)],
            "read the closed days of"
        ) { row -> DayTotals.ClosedDay? in
            guard let day = row.text(0).flatMap({ LocalDay($0) }), let name = row.text(1), let total = row.real(2),
                total.isEnergy
            else { return nil }
            return DayTotals.ClosedDay(day: day, name: name, total: total)
        }
        .compactMap { $0 }
    }
}
