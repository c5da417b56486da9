import CLinux

/// Gives back the code that only the start needed: half of the memory that a process holds when it has read its
/// configuration, prepared its libraries and met its peers (21 MB, of which 11 are left).
struct StartupCode {
    /// When that is; `nil` once it is done.
    private(set) var due: Duration?

    /// By then the broker and the service have been spoken to, if they are there.
    private static let start = Duration.seconds(5)

    init(at now: Duration) {
        due = now + StartupCode.start
    }

    mutating func advance(to now: Duration) {
        guard let due, due <= now else { return }
        self.due = nil
        flowbridge_unmap_code()
    }
}
