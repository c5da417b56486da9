/// The tables of the state file, and how older files become what this release knows.
enum Schema {
    /// `flow`: what tells a state file from another program's database.
    static let application: Int64 = 0x66_6C_6F_77

    /// The version that this release reads and writes: `PRAGMA user_version`.
    static var version: Int64 { Int64(migrations.count) }

    /// A version beyond this is no release to come, but damage.
    static let lastVersion: Int64 = 999

    /// Each turns a file of the version that is its index into the next. Never edit one that was released: append.
    ///
    /// Times are nanoseconds since 1970-01-01T00:00:00Z: `datetime(seen / 1000000000, 'unixepoch')`. Energy is in kWh, or
    /// in the counter's own unit.
    static let migrations = [
        """
        -- Days that are over, kept for good.
        CREATE TABLE closed_day (
            date TEXT NOT NULL,
            reading TEXT NOT NULL,
            total REAL NOT NULL CHECK (total >= 0),
            PRIMARY KEY (date, reading)
        ) STRICT, WITHOUT ROWID;

        -- The day that is not over. One row.
        CREATE TABLE today (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            date TEXT NOT NULL,
            saved INTEGER NOT NULL
        ) STRICT;

        -- One row a counter, in the order of the bridge.
        CREATE TABLE counter (
            id INTEGER PRIMARY KEY,
            reading TEXT NOT NULL,
            member TEXT NOT NULL,
            total REAL NOT NULL,
            owed REAL NOT NULL,
            known INTEGER NOT NULL,
            untouched INTEGER NOT NULL,
            dating TEXT NOT NULL,
            mark REAL,
            mark_seen INTEGER,
            mark_risen INTEGER,
            leap REAL,
            leap_seen INTEGER
        ) STRICT;

        -- The marks that a counter fell from.
        CREATE TABLE former (
            counter INTEGER NOT NULL,
            position INTEGER NOT NULL,
            value REAL NOT NULL,
            low REAL NOT NULL,
            left_at INTEGER NOT NULL,
            starts_over INTEGER NOT NULL,
            counted REAL NOT NULL,
            midnights INTEGER NOT NULL,
            PRIMARY KEY (counter, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE integral (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            total REAL NOT NULL
        ) STRICT;

        CREATE TABLE note (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    ]

    /// Makes the tables of a new file, and brings an older one up to date, all or nothing.
    static func migrate(_ connection: Connection) throws(StoreError) {
        let attempt = "prepare"
        try connection.transaction(attempt) { () throws(StoreError) in
            // Looked at again inside the transaction: two programs may start at once.
            let found = try connection.number("PRAGMA user_version", attempt)
            for migration in migrations.dropFirst(Int(max(0, found))) {
                try connection.execute(migration, attempt)
            }
            if found < version {
                try connection.execute("PRAGMA application_id = \(application)", attempt)
                try connection.execute("PRAGMA user_version = \(version)", attempt)
            }
        }
    }
}

extension Connection {
    /// The one number that a query answers; 0 when it answers nothing.
    func number(_ sql: String, _ attempt: String) throws(StoreError) -> Int64 {
        try rows(sql, attempt) { $0.integer(0) ?? 0 }.first ?? 0
    }
}
