import Glibc

struct FileError: Error {
    var code: Int32
}

/// A directory of the test's own, gone afterwards.
func withDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/flowbridge-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(code: errno) }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
        for name in ["key", "flowbridge.yaml"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }
    try body(directory)
}

func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
}

func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw FileError(code: errno) }
}

func contents(of path: String) throws -> String {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw FileError(code: errno) }
    return String(decoding: bytes[..<count], as: UTF8.self)
}
