import CLinux

/// Unmaps the code that only the start needed, to read the configuration, prepare the libraries and meet the peers: 21 MB of
/// resident memory, of which 10 are left.
///
/// Nothing is freed by it: the pages are clean and stay cached. But nothing counts them as this process's any more, neither
/// `top` nor the kernel when it looks for a process to end, and they are the first to go when memory is short.
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
