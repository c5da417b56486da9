/// A descriptor that is waited for beside the transfers.
public struct WatchedDescriptor: Sendable, Equatable {
    /// The descriptor. It must stay open while it is waited for.
    public let descriptor: Int32
    /// Whether to wait until it can be written as well; readable always counts.
    public let wantsWrite: Bool
    /// Whether the last wait found something to read, or the end of the stream.
    public internal(set) var isReadable = false
    /// Whether the last wait found that it can be written.
    public internal(set) var isWritable = false

    /// Makes a watch.
    public init(_ descriptor: Int32, wantsWrite: Bool = false) {
        self.descriptor = descriptor
        self.wantsWrite = wantsWrite
    }
}
