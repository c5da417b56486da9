import CSQLite

/// SQLite beside the store, for what the store never does.
final class Database {
    struct Failure: Error {
        var message: String
    }

    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw Failure(message: "cannot open \(path)")
        }
        handle = opened
    }

    deinit {
        sqlite3_close(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(handle)))
        }
    }
}

func sqlite(_ path: String, _ sql: String) throws {
    try Database(path).execute(sql)
}
