import Glibc

/// Where the state file is unless `--state` names another.
enum StatePath {
    /// In the directory that systemd made for the service (the first, if it made several), else where that would be.
    static var standard: String {
        let directories = getenv("STATE_DIRECTORY").map { String(cString: $0) } ?? ""
        let first = directories.utf8.split(separator: UInt8(ascii: ":")).first.map { String(Substring($0)) }
        return "\(first ?? "/var/lib/flowbridge")/state.sqlite"
    }
}
