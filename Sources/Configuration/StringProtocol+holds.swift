internal import Glibc

extension StringProtocol {
    /// Whether a text is part of this one, byte for byte.
    ///
    /// The standard library's own search comes with the regular expression engine, which would take more memory than the
    /// whole of this room.
    func holds(_ part: String) -> Bool {
        withCString { strstr($0, part) != nil }
    }
}
