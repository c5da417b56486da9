import CLinux
import CMicrohttpd
import Emulator
import Glibc
import Widgets

/// The service on a loopback port, on the one thread of the program.
final class HTTPServer {
    private var service: WidgetService
    private let trace: TraceFile?
    private let epoll: Int32
    private var daemon: OpaquePointer?
    /// Connections whose request is never answered, by their socket.
    private var held: [Int32: OpaquePointer] = [:]
    private var failure: StartError?

    /// Starts to listen; nothing is answered before `run`.
    init(port: UInt16, service: WidgetService, trace: TraceFile?) throws(StartError) {
        self.service = service
        self.trace = trace
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        if epoll < 0 {
            throw StartError(description: "epoll cannot be used: \(Descriptor.lastError()).", exitCode: EX_OSERR)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        // The daemon is stopped in `deinit`, so no callback outlives `self`.
        let context = Unmanaged.passUnretained(self).toOpaque()
        daemon = withUnsafeBytes(of: &address) {
            mhd_start(
                $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
                HTTPServer.onTarget,
                HTTPServer.onRequest,
                HTTPServer.onEnd,
                context
            )
        }
        if daemon == nil {
            let reason = Descriptor.lastError()
            throw StartError(
                description: "127.0.0.1:\(port) cannot be listened on: \(reason).",
                exitCode: EX_UNAVAILABLE
            )
        }
    }

    deinit {
        // The library ends the program when it is stopped while connections are suspended.
        for connection in held.values { MHD_resume_connection(connection) }
        MHD_stop_daemon(daemon)
        close(epoll)
    }

    /// The port that is listened on.
    var port: UInt16 { mhd_port(daemon) }

    /// Answers requests until a signal comes.
    func run(until signals: SignalDescriptor) throws(StartError) {
        try wait(for: signals.descriptor, EPOLLIN)
        try wait(for: mhd_epoll_descriptor(daemon), EPOLLIN)
        var event = epoll_event()
        while true {
            MHD_run(daemon)
            if let failure { throw failure }
            guard epoll_wait(epoll, &event, 1, timeout) > 0 else { continue }
            if event.data.fd == signals.descriptor { return }
            if let connection = held.removeValue(forKey: event.data.fd) {
                epoll_ctl(epoll, EPOLL_CTL_DEL, event.data.fd, nil)
                MHD_resume_connection(connection)
            }
        }
    }

    /// How long the library can wait, in milliseconds; -1 for ever.
    private var timeout: Int32 {
        var milliseconds: UInt64 = 0
        guard MHD_get_timeout(daemon, &milliseconds) == .YES else { return -1 }
        return Int32(clamping: milliseconds)
    }

    private func wait(for descriptor: Int32, _ events: EPOLL_EVENTS) throws(StartError) {
        var event = epoll_event()
        event.events = events.rawValue
        event.data.fd = descriptor
        if epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0 {
            throw StartError(description: "epoll cannot be used: \(Descriptor.lastError()).", exitCode: EX_OSERR)
        }
    }
}

// What the library calls.
extension HTTPServer {
    private static let onTarget: mhd_target_callback = { _, target, _ in
        let exchange = Exchange(target: target.map { String(cString: $0) } ?? "")
        return Unmanaged.passRetained(exchange).toOpaque()
    }

    private static let onEnd: MHD_RequestCompletedCallback = { _, _, request, _ in
        guard let exchange = request?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(exchange).release()
    }

    /// Called once when the headers are known, then for each part of the body, then once more to be answered.
    private static let onRequest: MHD_AccessHandlerCallback = {
        context,
        connection,
        _,
        method,
        _,
        part,
        partSize,
        request in
        guard let context, let connection, let partSize, let pointer = request?.pointee else { return .NO }
        let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        switch exchange.stage {
        case .announced:
            exchange.request.method = method.map { String(cString: $0) } ?? ""
            exchange.request.authorization = header("Authorization", of: connection)
            exchange.request.contentType = header("Content-Type", of: connection)
            exchange.request.client = client(of: connection)
            exchange.stage = .reading
            return .YES
        case .reading where partSize.pointee > 0:
            // One byte beyond the limit is enough to refuse it; the rest is read, because a client that is still
            // sending would not see the answer.
            let room = Request.largestBody + 1 - exchange.request.body.count
            let bytes = UnsafeRawBufferPointer(start: part, count: partSize.pointee)
            exchange.request.body.append(contentsOf: bytes.prefix(room))
            partSize.pointee = 0
            return .YES
        case .reading:
            return server.answer(exchange, on: connection)
        case .held:
            return .NO
        }
    }

    private func answer(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
        let answer = service.answer(exchange.request, at: Clock.now())
        do throws(StartError) {
            if let line = answer.trace { try trace?.append(line) }
            switch answer.outcome {
            case .response(let response):
                return HTTPServer.send(response, on: connection)
            case .silence:
                let socket = mhd_socket(connection)
                try wait(for: socket, EPOLLRDHUP)
                exchange.stage = .held
                held[socket] = connection
                MHD_suspend_connection(connection)
                return .YES
            case .reset:
                var immediately = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    mhd_socket(connection),
                    SOL_SOCKET,
                    SO_LINGER,
                    &immediately,
                    socklen_t(MemoryLayout<linger>.size)
                )
                return .NO
            }
        } catch {
            failure = error
            return .NO
        }
    }

    private static func send(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        var body = response.body.map { Array($0.description.utf8) } ?? []
        let message = body.withUnsafeMutableBytes {
            MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let message else { return .NO }
        defer { MHD_destroy_response(message) }
        for header in response.headers { MHD_add_response_header(message, header.name, header.value) }
        return MHD_queue_response(connection, UInt32(response.status), message)
    }

    private static func header(_ name: String, of connection: OpaquePointer) -> String? {
        MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }

    private static func client(of connection: OpaquePointer) -> String {
        guard let address = mhd_client(connection) else { return "" }
        // The server listens on IPv4 only, so this is what the address is.
        let host = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
        return withUnsafeBytes(of: host) { $0.map { String($0) }.joined(separator: ".") }
    }
}
