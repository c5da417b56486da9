import CLinux
import Glibc

/// The signals that the daemon answers, as a descriptor to wait for.
///
/// Made before any thread is started, so that all threads inherit the blocked signals and none is interrupted.
final class Signals {
    /// Becomes readable when a signal waits.
    let descriptor: Int32

    /// Takes SIGTERM, SIGINT and SIGHUP, and ignores SIGPIPE: a closed connection or log reader is an error to be
    /// handled where it occurs, not the end.
    ///
    /// Returns `nil` where the system has no descriptor left.
    init?() {
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            sigaddset(&signals, number)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        descriptor = signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Takes the next signal that waits, if any.
    func next() -> Int32? {
        let number = flowbridge_next_signal(descriptor)
        return number > 0 ? number : nil
    }
}
