import Glibc

/// What is done with bare file descriptors.
enum Descriptor {
    /// Writes all bytes; `nil` on success, otherwise the reason as `strerror` words it.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return lastError()
            }
        }
        return nil
    }

    /// The reason of the last failure of a system call.
    static func lastError() -> String {
        String(cString: strerror(errno))
    }
}
