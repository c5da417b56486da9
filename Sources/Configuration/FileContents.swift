internal import Glibc

/// Reads a whole file of a bounded size, and tells the ways apart in which that can fail.
enum FileContents {
    static func read(_ path: String, limit: Int) throws(FileContentsError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileContentsError(code: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileContentsError(code: errno)
            }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw .tooLarge(limit) }
        }
    }
}

/// Why a file could not be read; each reads as the end of a sentence about the file, without its period.
enum FileContentsError: Error, Equatable, CustomStringConvertible {
    case missing
    case forbidden
    case directory
    case tooLarge(Int)
    case other(String)

    init(code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = .missing
        case EACCES, EPERM: self = .forbidden
        case EISDIR: self = .directory
        default: self = .other(strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
    }

    var description: String {
        switch self {
        case .missing: "does not exist"
        case .forbidden: "may not be read by this user (uid \(geteuid())); look at its owner and mode"
        case .directory: "is a directory"
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .other(let reason): "cannot be read: \(reason)"
        }
    }
}
