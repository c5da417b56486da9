import Glibc

/// The file of a zone in the time zone database.
enum ZoneFile {
    /// Sees to it that the zone has a file: glibc takes a name that it does not know for UTC, without a word.
    static func check(_ zone: String) throws(TimeZoneError) {
        let levels = zone.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard levels.allSatisfy({ $0.first.map { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: ":") } ?? false }),
            !zone.utf8.contains(0)
        else { throw TimeZoneError(zone: zone, reason: "is not an IANA name such as 'Europe/Berlin'") }
        let directory = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        let path = "\(directory)/\(zone)"
        guard let file = fopen(path, "re") else {
            let code = errno
            guard code == ENOENT || code == ENOTDIR else {
                throw TimeZoneError(
                    zone: zone,
                    reason: "cannot be read from \(path): \(String(cString: strerror(code)))"
                )
            }
            throw TimeZoneError(zone: zone, reason: "is not in \(directory); is the name right and tzdata installed?")
        }
        defer { fclose(file) }
        var magic: [UInt8] = [0, 0, 0, 0]
        guard fread(&magic, 1, 4, file) == 4, magic == Array("TZif".utf8) else {
            throw TimeZoneError(zone: zone, reason: "is not a time zone file in \(directory)")
        }
    }
}
