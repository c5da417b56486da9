import CCurl

/// Sends requests without blocking, and lends its wait to the rest of the event loop.
///
/// All requests go over one kept connection, one after the other, in no particular order. Only one thread may use a
/// transport.
public final class HTTPTransport {
    /// What the requests have in common.
    public struct Options: Sendable {
        /// The `User-Agent` header.
        public var userAgent: String
        /// The `Authorization` header, if any. No error and no description shows it.
        public var authorization: String?
        /// How long name look-up, TCP and TLS may take together.
        public var connectTimeout = Duration.seconds(10)
        /// How long a request may take from `send` to the last byte of its answer.
        public var timeout = Duration.seconds(20)

        /// Makes options; those without a parameter have the defaults of their properties.
        public init(userAgent: String, authorization: String? = nil) {
            self.userAgent = userAgent
            self.authorization = authorization
        }
    }

    /// What came of the request with this number.
    public struct Completion: Sendable, Equatable {
        /// The number that `send` was given.
        public let id: Int
        /// What came of it.
        public let outcome: HTTPOutcome
    }

    private var options: Options
    private let multi: UnsafeMutableRawPointer
    private var transfers: [Int: HTTPTransfer] = [:]
    /// Requests that failed before libcurl had them.
    private var stillborn: [Completion] = []
    /// Kept, so that a wait need not allocate.
    private var waitList: [curl_waitfd] = []

    private static let initialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Makes a transport without connections.
    public init(_ options: Options) throws(HTTPTransportError) {
        guard Self.initialised == CURLE_OK, let multi = curl_multi_init() else {
            throw HTTPTransportError("cannot be initialised")
        }
        self.options = options
        self.multi = multi
        // The requests are small and rare, and a TLS handshake costs more than all of them.
        let code = flowbridge_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1)
        guard code == CURLM_OK else {
            throw HTTPTransportError("does not take an option", code)
        }
    }

    deinit {
        for transfer in transfers.values {
            curl_multi_remove_handle(multi, transfer.easy)
        }
        curl_multi_cleanup(multi)
    }

    /// Sets the `Authorization` header of the requests that begin from now on.
    public func authorize(_ authorization: String) {
        options.authorization = authorization
    }

    /// How many requests have no outcome yet.
    public var pending: Int { transfers.count + stillborn.count }

    /// Begins a request. What comes of it is a completion of a later `perform`.
    ///
    /// - Parameter id: the caller's number for it, different from those of all pending requests.
    public func send(_ request: HTTPRequest, id: Int) {
        do throws(HTTPTransportError) {
            let transfer = try HTTPTransfer(request, id: id, options: options)
            let code = curl_multi_add_handle(multi, transfer.easy)
            guard code == CURLM_OK else {
                throw HTTPTransportError("does not take the request", code)
            }
            transfers[id] = transfer
        } catch {
            stillborn.append(Completion(id: id, outcome: .failure(.notSent, reason: error.description)))
        }
    }

    /// Waits until a transfer or a descriptor is ready or the time is over, and marks the descriptors.
    ///
    /// - Parameter time: at most how long; parts of a millisecond count as a whole one.
    public func wait(for descriptors: inout [WatchedDescriptor], atMost time: Duration) throws(HTTPTransportError) {
        // libcurl leaves `revents` alone where nothing was ready, so they begin as zero.
        waitList.removeAll(keepingCapacity: true)
        for watched in descriptors {
            let events = watched.wantsWrite ? CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN
            waitList.append(curl_waitfd(fd: watched.descriptor, events: Int16(events), revents: 0))
        }
        let time = stillborn.isEmpty ? time : .zero
        let code = curl_multi_poll(multi, &waitList, UInt32(waitList.count), time.milliseconds, nil)
        guard code == CURLM_OK else {
            throw HTTPTransportError("cannot wait", code)
        }
        for (index, found) in waitList.enumerated() {
            descriptors[index].isReadable = Int32(found.revents) & CURL_WAIT_POLLIN != 0
            descriptors[index].isWritable = Int32(found.revents) & CURL_WAIT_POLLOUT != 0
        }
    }

    /// Moves the transfers on, as far as goes without waiting.
    ///
    /// - Returns: what came of those that are done.
    public func perform() throws(HTTPTransportError) -> [Completion] {
        var completions = stillborn
        stillborn.removeAll()
        guard !transfers.isEmpty else { return completions }
        var running: Int32 = 0
        let code = curl_multi_perform(multi, &running)
        guard code == CURLM_OK else {
            throw HTTPTransportError("cannot move the transfers on", code)
        }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let transfer = HTTPTransfer.of(message.pointee.easy_handle)
            else { continue }
            // The message lies in memory of the handle, so it is read before the handle goes.
            let result = flowbridge_curl_result(message)
            completions.append(Completion(id: transfer.id, outcome: transfer.outcome(result)))
            curl_multi_remove_handle(multi, transfer.easy)
            transfers[transfer.id] = nil
        }
        return completions
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, as libcurl takes them.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1000)
        guard !whole.overflow, seconds >= 0, attoseconds >= 0 else { return seconds < 0 ? 0 : .max }
        return Int32(clamping: whole.partialValue + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
