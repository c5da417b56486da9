/// Why the emulator cannot run, or cannot go on.
struct StartError: Error, CustomStringConvertible {
    /// One sentence.
    let description: String
    /// One of `sysexits.h`.
    let exitCode: Int32
}
