internal import Glibc

/// The time zones that this machine knows.
struct TimeZones: Sendable {
    let directory: String

    /// The zone that `/etc/localtime` links to, else UTC.
    var system: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/etc/localtime", &buffer, buffer.count)
        guard length > 0 else { return "UTC" }
        let target = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let parts = target.split(separator: "/")
        guard let root = parts.firstIndex(of: "zoneinfo") else { return "UTC" }
        let name = parts[(root + 1)...].joined(separator: "/")
        return knows(name) ? name : "UTC"
    }

    /// Whether there is a zone of this name.
    func knows(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+-_/".utf8.contains($0) }
        // A path that leaves the directory would make any file a zone.
        guard isName, !name.isEmpty, !name.hasPrefix("/") else { return false }
        do throws(FileContentsError) {
            return try FileContents.read("\(directory)/\(name)", limit: 1 << 20).starts(with: "TZif".utf8)
        } catch {
            // A folder, a file that is missing or one that this user may not read: none of them is a zone to use.
            return false
        }
    }

    /// The names of all zones, for a suggestion.
    var names: [String] {
        var names: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            guard let stream = opendir("\(directory)/\(folder)") else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                // "posix" and "right" hold every zone a second time.
                guard !name.hasPrefix("."), !name.contains("."), name != "posix", name != "right" else { continue }
                let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
                if isFolder { folders.append("\(folder)\(name)/") } else { names.append("\(folder)\(name)") }
            }
        }
        return names.sorted()
    }
}
