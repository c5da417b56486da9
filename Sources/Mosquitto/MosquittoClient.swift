import CLinux
import CMosquitto
import Glibc

/// One connection to an MQTT broker, from the name look-up to its end, driven by the caller's event loop.
///
/// The loop waits for `descriptor` to become readable, and writable while `wantsWrite`, calls `read`, `write` and, once
/// a second, `misc`, and then takes what happened from `takeEvents`. An ended connection stays ended; the next attempt
/// is the next client, so that nothing of a broken session is left over, and changed certificate files are read again.
/// Dropping the last reference closes the connection without a farewell: the broker publishes the last will.
///
/// It holds no policy: when to connect again, and with what, is the caller's to decide.
///
/// Only one thread may use a client. While it connects, libmosquitto looks the name up and waits for the TCP handshake,
/// both blocking; a helper thread does that, and for this time the helper alone touches the handle and the notes. See
/// `connect`.
public final class MosquittoClient {
    /// Called with the topic, the payload and whether the broker had retained the message. Both buffers are only valid
    /// during the call.
    public typealias MessageHandler = (UnsafeRawBufferPointer, UnsafeRawBufferPointer, Bool) -> Void

    /// How far the connection has come. Only the caller's thread reads or writes it.
    private enum Phase {
        case new
        /// The helper thread has the handle, and the event descriptor becomes readable when it gives it back.
        case connecting
        /// TCP stands; TLS and MQTT are being agreed upon.
        case greeting
        case connected
        /// The farewell is on its way.
        case leaving
        case ended
    }

    let options: MosquittoOptions
    let handle: OpaquePointer
    /// Becomes readable when the helper thread is done.
    let completion: Int32
    /// What the helper thread came to. Written before `completion` becomes readable, read after.
    var attempt: (code: Int32, error: Int32) = (0, 0)
    /// What libmosquitto and OpenSSL said on the way to a failure.
    var diagnosis = ConnectionDiagnosis()
    /// The reason in the broker's CONNACK, 0 for welcome.
    var greeting: Int32?
    /// The reason that libmosquitto gave when it closed the connection.
    var farewell: Int32?

    private var phase = Phase.new
    private var events: [MosquittoEvent] = []
    private var pendingFilters: [Int32: String] = [:]
    private var messageHandler: MessageHandler?

    /// No reading is longer. libmosquitto itself would make room for the 256 MB that MQTT allows, and a small machine has
    /// no such room; a broker that speaks MQTT 5 keeps longer messages to itself.
    fileprivate static let longestPacket: UInt32 = 1 << 20

    private static let initialised: Int32 = mosquitto_lib_init()

    /// Makes a client that is not connected yet, and looks whether its files can be read.
    ///
    /// - Throws: an error that names the file or the option.
    public init(_ options: MosquittoOptions) throws(MosquittoError) {
        try options.checkFiles()
        guard Self.initialised == MOSQ_ERR_SUCCESS.rawValue, let handle = mosquitto_new(options.clientID, true, nil)
        else {
            throw MosquittoError(
                code: .invalidOption,
                description: "libmosquitto does not take the client id \(options.clientID)."
            )
        }
        self.options = options
        self.handle = handle
        completion = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // From here on deinit runs if this throws, and frees the handle.
        guard completion >= 0 else {
            throw MosquittoError(code: .resources, description: "No descriptor is left for a connection to a broker.")
        }
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try configure()
        installCallbacks()
    }

    deinit {
        mosquitto_destroy(handle)
        if completion >= 0 {
            close(completion)
        }
    }

    /// Begins to connect. What comes of it is an event; nothing here waits.
    ///
    /// The helper thread holds a reference to the client, so a client that is dropped while a router swallows its
    /// packets lives until the kernel gives up, some two minutes, and is then freed by the helper. No way leads to a
    /// thread inside `getaddrinfo` or `connect` that would be safe to take: it is left alone on purpose.
    public func connect() {
        guard case .new = phase else { return }
        phase = .connecting
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let shared = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, &attributes, { connectOnHelper($0) }, shared.toOpaque())
        if code != 0 {
            shared.release()
            end(MosquittoError(code: .resources, description: "No thread could be started to connect to a broker."))
        }
    }

    /// What to wait for, or `nil` where there is nothing: before `connect` and after the end.
    public var descriptor: Int32? {
        switch phase {
        case .new, .ended:
            return nil
        case .connecting:
            return completion
        case .greeting, .connected, .leaving:
            let socket = mosquitto_socket(handle)
            return socket >= 0 ? socket : nil
        }
    }

    /// Whether to wait for `descriptor` to become writable as well.
    public var wantsWrite: Bool { isOpen && mosquitto_want_write(handle) }

    /// Takes what came in, and hands each message to `handler`.
    ///
    /// libmosquitto reads one packet a call, so it is called until nothing is left; with TLS that also means that no
    /// decrypted bytes wait in OpenSSL while the socket is quiet.
    ///
    /// - Parameter packets: after how many packets to return, so that a flood does not starve the rest of the loop.
    /// - Returns: whether more may be there. Then the caller must come back without waiting.
    public func read(upTo packets: Int = 100, handler: MessageHandler) -> Bool {
        takeHandleBack()
        guard isOpen else { return false }
        return withoutActuallyEscaping(handler) { handler in
            messageHandler = handler
            defer { messageHandler = nil }
            for _ in 0..<packets {
                var error: Int32 = 0
                let code = flowbridge_mosquitto_read(handle, &error)
                if settle(code, error) || error == EAGAIN {
                    return false
                }
            }
            return true
        }
    }

    /// Sends what waits to be sent.
    public func write() {
        guard isOpen else { return }
        settle(mosquitto_loop_write(handle, 1))
    }

    /// Sends a ping where one is due, and notices a missing answer. To be called about once a second.
    public func misc() {
        guard isOpen else { return }
        settle(mosquitto_loop_misc(handle))
    }

    /// Asks for the messages that match each of the filters, at QoS 0: a lost reading is soon followed by the next.
    ///
    /// An event for each says whether the broker granted it. One packet a filter, for some brokers bound the filters
    /// in a packet to eight.
    public func subscribe(_ filters: [String]) {
        for filter in filters {
            guard case .connected = phase else { return }
            var identifier: Int32 = 0
            let code = mosquitto_subscribe(handle, &identifier, filter, 0)
            if code == MOSQ_ERR_INVAL.rawValue || code == MOSQ_ERR_MALFORMED_UTF8.rawValue
                || code == MOSQ_ERR_OVERSIZE_PACKET.rawValue
            {
                events.append(.subscriptionRefused(filter: filter, reason: String(cString: mosquitto_strerror(code))))
            } else if !settle(code) {
                pendingFilters[identifier] = filter
            }
        }
    }

    /// Publishes at QoS 0. A topic that MQTT does not allow is not published; what else fails ends the connection.
    public func publish(topic: String, payload: String, retain: Bool) {
        guard case .connected = phase, mosquitto_pub_topic_check(topic) == MOSQ_ERR_SUCCESS.rawValue else { return }
        let count = Int32(payload.utf8.count)
        settle(payload.withCString { mosquitto_publish(handle, nil, topic, count, $0, 0, retain) })
    }

    /// Says farewell, so that the broker does not publish the last will. `write` while `wantsWrite`, then drop the client.
    public func disconnect() {
        guard isOpen else {
            phase = .ended
            return
        }
        phase = .leaving
        settle(mosquitto_disconnect(handle))
    }

    /// What happened since the last call.
    public func takeEvents() -> [MosquittoEvent] {
        defer { events.removeAll() }
        return events
    }
}

// MARK: - From libmosquitto

extension MosquittoClient {
    func didLog(_ level: Int32, _ text: UnsafePointer<CChar>?) {
        guard level == MOSQ_LOG_ERR, let text else { return }
        diagnosis.note(String(cString: text), verification: flowbridge_mosquitto_verify_result(handle))
    }

    func didReceive(_ message: mosquitto_message) {
        let topic = UnsafeRawBufferPointer(start: message.topic, count: strlen(message.topic))
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        messageHandler?(topic, payload, message.retain)
    }

    func didGreet(_ reason: Int32) {
        greeting = reason
        guard reason == 0 else { return }
        phase = .connected
        events.append(.connected)
        // The library formats a line for each packet as long as somebody listens.
        mosquitto_log_callback_set(handle, nil)
    }

    func didSubscribe(_ identifier: Int32, granted code: Int32) {
        guard let filter = pendingFilters.removeValue(forKey: identifier) else { return }
        if code < 128 {
            events.append(.subscribed(filter: filter))
        } else {
            let reason = code == 128 ? "refused" : String(cString: mosquitto_reason_string(code)).lowercased()
            events.append(.subscriptionRefused(filter: filter, reason: reason))
        }
    }

    /// Whether the caller's thread has the handle and the connection stands.
    private var isOpen: Bool {
        switch phase {
        case .greeting, .connected, .leaving: true
        case .new, .connecting, .ended: false
        }
    }

    /// Takes the handle back from the helper thread, if it is done.
    private func takeHandleBack() {
        var count: eventfd_t = 0
        guard case .connecting = phase, eventfd_read(completion, &count) == 0 else { return }
        phase = .greeting
        settle(attempt.code, attempt.error)
    }

    /// Judges what a call to libmosquitto came to.
    ///
    /// - Returns: whether the connection has ended.
    @discardableResult
    private func settle(_ code: Int32, _ error: Int32 = 0) -> Bool {
        // A connection reset in the TLS handshake is reported as a success, again and again (net__socket_connect_tls).
        let isReset = greeting == nil && (error == ECONNRESET || error == EPIPE || error == ETIMEDOUT)
        guard code != MOSQ_ERR_SUCCESS.rawValue || farewell != nil || isReset else { return false }
        switch phase {
        case .new, .connecting, .greeting, .connected: end(explain(code: farewell ?? code, error: error))
        case .leaving: phase = .ended
        case .ended: break
        }
        return true
    }

    private func end(_ error: MosquittoError) {
        phase = .ended
        events.append(.ended(error))
    }
}

/// The helper thread: connects, leaves the result, and says that it is done.
private func connectOnHelper(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let client = Unmanaged<MosquittoClient>.fromOpaque(context).takeRetainedValue()
    let options = client.options
    client.attempt.code = flowbridge_mosquitto_connect(
        client.handle,
        options.host,
        Int32(options.port),
        Int32(options.keepalive),
        options.protocolVersion == .v5 ? MosquittoClient.longestPacket : 0,
        &client.attempt.error
    )
    eventfd_write(client.completion, 1)
    return nil
}
