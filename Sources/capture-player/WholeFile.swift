import Glibc

/// Files that are read as a whole, or bit by bit while they grow.
final class WholeFile {
    private let path: String
    private let descriptor: Int32

    /// Opens a file.
    init(_ path: String) throws(PlayerFailure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw PlayerFailure(description: "\(path) cannot be read: \(reason()).") }
    }

    deinit {
        close(descriptor)
    }

    /// Everything up to the present end that has not been read yet.
    func rest() throws(PlayerFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &block, block.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += block[..<count]
            } else if errno != EINTR {
                throw PlayerFailure(description: "\(path) cannot be read: \(reason()).")
            }
        }
    }

    /// Everything in a file.
    static func bytes(_ path: String) throws(PlayerFailure) -> [UInt8] {
        try WholeFile(path).rest()
    }
}

private func reason() -> String {
    String(cString: strerror(errno))
}
