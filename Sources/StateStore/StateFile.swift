import CSQLite
import EnergyFlow
import Glibc

/// A state file that has been opened and judged: whole, of a known version, ours.
struct StateFile {
    let connection: Connection
    /// Why nothing may be written; `nil` when it may.
    let refusal: StoreError?

    /// Opens a file for the bridge; begins one if there is none, brings an older one up to date, and looks at its
    /// integrity.
    ///
    /// A file of a newer release, or that cannot be written, is opened for reading. An error that `isDamage` says that the
    /// content is at fault.
    static func begin(at path: String) throws(StoreError) -> StateFile {
        try create(path)
        let connection = try open(path, [.readWrite, .readOnly, .immutable])
        switch try kind(of: connection) {
        case .newer(let version):
            let message = "it is of a newer release (schema \(version), known is \(Schema.version))"
            let error = StoreError(code: SQLITE_READONLY, message: message, attempt: "write", path: path)
            return StateFile(connection: try open(path, [.readOnly, .immutable]), refusal: error)
        case .known:
            try check(connection)
        case .empty: break
        }
        guard !connection.isReadOnly else {
            let error = StoreError(code: SQLITE_READONLY, message: "it is read-only", attempt: "write", path: path)
            return StateFile(connection: connection, refusal: error)
        }
        try prepare(connection)
        return StateFile(connection: connection, refusal: nil)
    }

    /// Opens a file to look at it. It is not created, changed or repaired.
    static func inspect(_ path: String) throws(StoreError) -> Connection {
        let connection = try open(path, [.readOnly, .immutable])
        if case .empty = try kind(of: connection) {
            throw StoreError(code: SQLITE_CANTOPEN, message: "it is empty", attempt: "read", path: path)
        }
        return connection
    }

    /// Moves a damaged file and its log aside, for people to look at: `state.sqlite.corrupt-20260319-070500`.
    ///
    /// - Returns: the new path.
    static func setAside(_ path: String, at wall: Duration) throws(StoreError) -> String {
        let target = unusedName("\(path).corrupt-\(stamp(wall))")
        guard rename(path, target) == 0 else {
            let message = String(cString: strerror(errno))
            throw StoreError(code: SQLITE_CORRUPT, message: message, attempt: "set aside the damaged", path: path)
        }
        // A log that stayed behind would be taken for the new file's own.
        for suffix in ["-wal", "-journal"] {
            rename(path + suffix, target + suffix)
        }
        unlink(path + "-shm")
        return target
    }

    private enum Kind {
        case empty
        case known
        case newer(Int64)
    }

    /// Only the bridge's own user may read what a home uses; SQLite gives its side files the same mode.
    private static func create(_ path: String) throws(StoreError) {
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST && errno != EROFS && errno != EACCES {
            let message = String(cString: strerror(errno))
            throw StoreError(code: SQLITE_CANTOPEN, message: message, attempt: "open", path: path)
        }
    }

    /// The first access that is granted. SQLite looks at a file only when asked for something, so it is asked.
    private static func open(_ path: String, _ accesses: [Connection.Access]) throws(StoreError) -> Connection {
        var refusal: StoreError?
        for access in accesses {
            do throws(StoreError) {
                let connection = try Connection(path: path, access: access)
                _ = try connection.number("PRAGMA user_version", "open")
                return connection
            } catch {
                guard error.isDenial else { throw error }
                refusal = refusal ?? error
            }
        }
        throw refusal ?? StoreError(code: SQLITE_CANTOPEN, message: "no access", attempt: "open", path: path)
    }

    private static func kind(of connection: Connection) throws(StoreError) -> Kind {
        let attempt = "open"
        // In one look, for another program may be beginning the same file.
        let (version, application, objects) = try connection.snapshot(attempt) { () throws(StoreError) in
            (
                try connection.number("PRAGMA user_version", attempt),
                try connection.number("PRAGMA application_id", attempt),
                try connection.number("SELECT count(*) FROM sqlite_schema", attempt)
            )
        }
        if version == 0 && application == 0 && objects == 0 { return .empty }
        guard application == Schema.application else {
            let message = "it is the database of another program"
            throw StoreError(code: SQLITE_MISMATCH, message: message, attempt: attempt, path: connection.path)
        }
        switch version {
        case 1...Schema.version: return .known
        case (Schema.version + 1)...Schema.lastVersion: return .newer(version)
        default:
            let message = "there is no schema \(version)"
            throw StoreError(code: SQLITE_CORRUPT, message: message, attempt: attempt, path: connection.path)
        }
    }

    private static func check(_ connection: Connection) throws(StoreError) {
        let attempt = "check"
        let findings = try connection.rows("PRAGMA quick_check(1)", attempt) { $0.text(0) ?? "" }
        guard findings == ["ok"] else {
            let message = findings.first ?? "the check found no answer"
            throw StoreError(code: SQLITE_CORRUPT, message: message, attempt: attempt, path: connection.path)
        }
    }

    /// In WAL mode a killed process loses nothing that was committed, and a power cut never damages the file. With
    /// `NORMAL` the log is not forced to the disk with each commit, only before it is written back.
    private static func prepare(_ connection: Connection) throws(StoreError) {
        let attempt = "prepare"
        let mode = try connection.rows("PRAGMA journal_mode = WAL", attempt) { $0.text(0) }.first
        // Some file systems cannot share memory, so have no WAL. Without it, less than FULL could damage the file.
        let synchronous = mode == "wal" ? "NORMAL" : "FULL"
        try connection.execute("PRAGMA synchronous = \(synchronous)", attempt)
        try Schema.migrate(connection)
    }

    private static func unusedName(_ name: String) -> String {
        var candidate = name
        var number = 1
        while access(candidate, F_OK) == 0 {
            number += 1
            candidate = "\(name)-\(number)"
        }
        return candidate
    }

    /// `20260319-070500`, in UTC.
    private static func stamp(_ wall: Duration) -> String {
        let second = Int(min(max(wall.components.seconds, 0), 253_402_300_799))
        let date = LocalDay(number: second / 86_400).description.filter { $0 != "-" }
        let time = [second / 3600 % 24, second / 60 % 60, second % 60]
        return date + "-" + time.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    }
}
