import Glibc

/// Reads a file, or standard input for `-`, line by line, however long its lines are.
struct LineReader: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// Opens a file. Throws a sentence that says why it cannot be read.
    init(path: String) throws(Failure) {
        guard let opened = path == "-" ? fdopen(STDIN_FILENO, "r") : fopen(path, "r") else {
            throw Failure(description: "\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        file = opened
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    /// Why a file cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Gives the next line without its line feed, `nil` at the end.
    mutating func next<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
        errno = 0
        let length = getline(&buffer, &capacity, file)
        guard length >= 0, let buffer else {
            guard errno == 0 || feof(file) != 0 else {
                throw Failure(
                    description: "A recording cannot be read to its end: \(String(cString: strerror(errno)))."
                )
            }
            return nil
        }
        let feed = length > 0 && buffer[length - 1] == CChar(UInt8(ascii: "\n")) ? 1 : 0
        return try body(UnsafeRawBufferPointer(start: buffer, count: length - feed))
    }
}
