import CMosquitto

// A C function cannot capture, so each callback finds its client in libmosquitto's user data. The client outlives the
// handle, and so every call.
extension MosquittoClient {
    func installCallbacks() {
        mosquitto_log_callback_set(handle) { _, client, level, text in
            MosquittoClient.from(client)?.didLog(level, text)
        }
        mosquitto_connect_v5_callback_set(handle) { _, client, reason, _, _ in
            MosquittoClient.from(client)?.didGreet(reason)
        }
        mosquitto_disconnect_callback_set(handle) { _, client, reason in
            MosquittoClient.from(client)?.farewell = reason
        }
        mosquitto_subscribe_callback_set(handle) { _, client, identifier, count, codes in
            guard count == 1, let codes else { return }
            MosquittoClient.from(client)?.didSubscribe(identifier, granted: codes[0])
        }
        mosquitto_message_callback_set(handle) { _, client, message in
            guard let message else { return }
            MosquittoClient.from(client)?.didReceive(message.pointee)
        }
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> MosquittoClient? {
        context.map { Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
    }
}
