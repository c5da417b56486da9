import Glibc

/// Runs `body` with the path of an empty directory, which is removed afterwards with all that is in it.
package func withDirectory(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/flowbridge-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ProcessError("No directory can be made in /tmp.") }
    let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // A mosquitto that root starts becomes the user "mosquitto", who must be able to read the files.
    chmod(directory, 0o755)
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(directory))
    } catch {
        result = .failure(error)
    }
    try ChildProcess.run("/bin/rm", ["-rf", directory])
    try result.get()
}

/// Runs `body` with an open file, which is made if it is not there.
package func withFile<Result>(
    _ path: String,
    _ flags: Int32 = O_RDONLY,
    _ body: (Int32) throws -> Result
) throws -> Result {
    let descriptor = open(path, flags | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ProcessError("\(path) cannot be opened: \(String(cString: strerror(errno))).") }
    defer { close(descriptor) }
    return try body(descriptor)
}

/// Writes a file that everybody can read, in place of what was there.
package func write(_ text: String, to path: String) throws {
    let bytes = Array(text.utf8)
    let count = try withFile(path, O_WRONLY | O_TRUNC) { Glibc.write($0, bytes, bytes.count) }
    guard count == bytes.count else { throw ProcessError("\(path) cannot be written.") }
}

/// What a file holds; nothing where there is none.
package func contents(of path: String) throws -> String {
    try withFile(path) { descriptor in
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
