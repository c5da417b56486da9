import CSQLite
import Glibc

/// One connection to one SQLite file. It belongs to one thread, and closes the file when it is let go.
final class Connection {
    /// How the file is opened. None of them creates it.
    enum Access {
        /// Read-only too, if the file cannot be written.
        case readWrite
        case readOnly
        /// Without the side files that a directory on a read-only medium cannot take.
        case immutable
    }

    let path: String
    let handle: OpaquePointer

    /// Opens a file. SQLite reads it only when first asked for something.
    init(path: String, access: Access) throws(StoreError) {
        self.path = path
        let (name, flags) =
            switch access {
            case .readWrite: (path, SQLITE_OPEN_READWRITE)
            case .readOnly: (path, SQLITE_OPEN_READONLY)
            case .immutable: (Self.immutableURI(of: path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else {
            throw StoreError(code: code, message: "out of memory", attempt: "open", path: path)
        }
        guard code == SQLITE_OK else {
            let error = Self.error(of: opened, attempt: "open", path: path)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        // Readers never hold up a writer for longer in WAL mode, and the bridge has other things to do.
        sqlite3_busy_timeout(handle, 1000)
    }

    deinit {
        // Also with statements left, which `sqlite3_close` would refuse.
        sqlite3_close_v2(handle)
    }

    /// Whether the file can only be read.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    /// The newest failure.
    func error(_ attempt: String) -> StoreError {
        Self.error(of: handle, attempt: attempt, path: path)
    }

    /// Runs statements that have no parameters and whose rows do not matter.
    func execute(_ sql: String, _ attempt: String) throws(StoreError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(attempt) }
    }

    /// Runs one statement.
    func run(_ sql: String, _ values: [SQLValue], _ attempt: String) throws(StoreError) {
        let statement = try Statement(sql, of: self, attempt)
        try statement.run(values)
    }

    /// The rows of a query.
    func rows<Row>(
        _ sql: String,
        _ attempt: String,
        _ row: (borrowing Statement) -> Row
    ) throws(StoreError) -> [Row] {
        try rows(sql, [], attempt, row)
    }

    /// The rows of a query with parameters.
    func rows<Row>(
        _ sql: String,
        _ values: [SQLValue],
        _ attempt: String,
        _ row: (borrowing Statement) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try Statement(sql, of: self, attempt)
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() {
            rows.append(row(statement))
        }
        return rows
    }

    /// Runs all of `body` or nothing of it. The write lock is taken at once, so that it cannot fail half-way.
    func transaction<Result>(
        _ attempt: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try execute("BEGIN IMMEDIATE", attempt)
        do {
            let result = try body()
            try execute("COMMIT", attempt)
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Reads one and the same state of the file throughout `body`, though another program may be writing.
    func snapshot<Result>(
        _ attempt: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try execute("BEGIN", attempt)
        defer { rollBack() }
        return try body()
    }

    /// Ends a transaction without its changes. It has no error: after a full disk SQLite has rolled back by itself.
    private func rollBack() {
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Writes what is committed from the log through to the disk.
    ///
    /// What readers hold up, or a full disk, waits in the log for the next time; nothing is lost, so nothing is told.
    func checkpoint() {
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    private static func error(of handle: OpaquePointer, attempt: String, path: String) -> StoreError {
        let code = sqlite3_extended_errcode(handle)
        var message = String(cString: sqlite3_errmsg(handle))
        // "unable to open database file" alone sends nobody to the right directory.
        let cause = sqlite3_system_errno(handle)
        if code & 0xFF == SQLITE_CANTOPEN, cause != 0 {
            message += " (\(String(cString: strerror(cause))))"
        }
        return StoreError(code: code, message: message, attempt: attempt, path: path)
    }

    private static func immutableURI(of path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var uri = Array("file:".utf8)
        for byte in path.utf8 {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
                uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                uri.append(byte)
            }
        }
        return String(decoding: uri, as: UTF8.self) + "?immutable=1"
    }
}
