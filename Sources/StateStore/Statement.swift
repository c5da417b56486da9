import CSQLite

/// A value on its way into SQLite.
enum SQLValue {
    case integer(Int64)
    case real(Double)
    case text(String)
    case null

    init(_ value: Double?) {
        self = value.map(SQLValue.real) ?? .null
    }

    init(_ value: Int) {
        self = .integer(Int64(value))
    }

    init(_ value: Bool) {
        self = .integer(value ? 1 : 0)
    }
}

/// A prepared statement, and the row that it stands on.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    /// Keeps the file open, and tells what went wrong.
    private let connection: Connection
    private let attempt: String

    init(_ sql: String, of connection: Connection, _ attempt: String) throws(StoreError) {
        var prepared: OpaquePointer?
        sqlite3_prepare_v2(connection.handle, sql, -1, &prepared, nil)
        guard let prepared else { throw connection.error(attempt) }
        handle = prepared
        self.connection = connection
        self.attempt = attempt
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs once more with other values.
    func run(_ values: [SQLValue]) throws(StoreError) {
        sqlite3_reset(handle)
        try bind(values)
        while try step() {}
    }

    /// Sets all parameters.
    func bind(_ values: [SQLValue]) throws(StoreError) {
        for (index, value) in values.enumerated() {
            let position = Int32(index + 1)
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(handle, position, number)
                case .real(let number): sqlite3_bind_double(handle, position, number)
                case .text(let text): Self.bind(text, to: handle, at: position)
                case .null: sqlite3_bind_null(handle, position)
                }
            guard code == SQLITE_OK else { throw connection.error(attempt) }
        }
    }

    /// Goes to the next row. False when there is none.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw connection.error(attempt)
        }
    }

    /// A column of the row, counted from 0; `nil` when it is NULL.
    func integer(_ column: Int32) -> Int64? {
        isNull(column) ? nil : sqlite3_column_int64(handle, column)
    }

    /// A column of the row, counted from 0; `nil` when it is NULL.
    func real(_ column: Int32) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(handle, column)
    }

    /// A column of the row, counted from 0; `nil` when it is NULL. Text may hold zero bytes.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let length = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
    }

    private func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// By length, not up to the first zero byte.
    private static func bind(_ text: String, to handle: OpaquePointer, at position: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                flowbridge_bind_text(handle, position, characters.baseAddress, Int32(characters.count))
            }
        }
    }
}
