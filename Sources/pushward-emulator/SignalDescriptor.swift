import CLinux
import Glibc

/// A descriptor that becomes readable when one of some signals arrives; the signals do nothing else any more.
final class SignalDescriptor {
    /// What is waited for.
    let descriptor: Int32

    /// Takes the signals over.
    init(_ signals: Int32...) throws(StartError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        sigprocmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        if descriptor < 0 {
            throw StartError(description: "Signals cannot be received: \(Descriptor.lastError()).", exitCode: EX_OSERR)
        }
    }

    deinit {
        close(descriptor)
    }
}
