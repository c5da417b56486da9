import CSQLite

/// What SQLite could not do, read from it at once: its own account changes with the next call.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// SQLite's extended result code; https://www.sqlite.org/rescode.html
    public let code: Int
    /// SQLite's words, without a period.
    public let message: String
    /// What was tried, such as `open`; the file's name follows it in the sentence.
    public let attempt: String
    /// The file.
    public let path: String

    init(code: Int32, message: String, attempt: String, path: String) {
        self.code = Int(code)
        self.message = message
        self.attempt = attempt
        self.path = path
    }

    /// A sentence for the log.
    public var description: String {
        "Cannot \(attempt) '\(path)': \(message) (SQLite result \(code))."
    }

    /// Whether there is no such file, or no way to it.
    public var isMissingFile: Bool { primaryCode == SQLITE_CANTOPEN }

    /// Whether the file's content is at fault.
    var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether asking for less access may help.
    var isDenial: Bool { [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM].contains(primaryCode) }

    private var primaryCode: Int32 { Int32(code & 0xFF) }
}
