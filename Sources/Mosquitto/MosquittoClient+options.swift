import CMosquitto
import Glibc

extension MosquittoOptions {
    /// Opens each certificate and key file once, for libmosquitto itself only knows "invalid arguments".
    func checkFiles() throws(MosquittoError) {
        guard case .tls(let authorities, let identity) = security else { return }
        if case .file(let path) = authorities {
            try Self.checkFile(path, "The CA file")
        }
        if let identity {
            try Self.checkFile(identity.certificate, "The client certificate")
            try Self.checkFile(identity.key, "The client key")
        }
    }

    private static func checkFile(_ path: String, _ role: String) throws(MosquittoError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw MosquittoError(code: .unusableFile, description: "\(role) \(path) cannot be read: \(reason).")
        }
        close(descriptor)
    }
}

extension MosquittoClient {
    /// Hands the options to libmosquitto.
    func configure() throws(MosquittoError) {
        let version = options.protocolVersion == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try demand(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version), "the protocol version")
        try demand(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "TCP_NODELAY")
        if let username = options.username {
            try demand(mosquitto_username_pw_set(handle, username, options.password), "the user name and password")
        }
        if let will = options.will {
            let count = Int32(will.payload.utf8.count)
            let code = will.payload.withCString { mosquitto_will_set(handle, will.topic, count, $0, 0, true) }
            try demand(code, "the last will for the topic \(will.topic)")
        }
        if case .tls(let authorities, let identity) = options.security {
            try demand(secure(authorities, identity), "the TLS files")
        }
    }

    private func secure(_ authorities: MosquittoOptions.Authorities, _ identity: MosquittoOptions.Identity?) -> Int32 {
        var file: String?
        var directory: String?
        switch authorities {
        case .file(let path):
            file = path
        case .system:
            // The first asks OpenSSL for its own default; without a file or a directory the second call fails.
            mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
            directory = "/etc/ssl/certs"
        }
        // Without a callback OpenSSL asks the terminal for the passphrase of a key, and a daemon hangs.
        return mosquitto_tls_set(handle, file, directory, identity?.certificate, identity?.key) { _, _, _, handle in
            MosquittoClient.from(mosquitto_userdata(handle.map(OpaquePointer.init)))?.diagnosis.passphraseWanted = true
            return -1
        }
    }

    private func demand(_ code: Int32, _ what: String) throws(MosquittoError) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        let reason = String(cString: mosquitto_strerror(code))
        throw MosquittoError(code: .invalidOption, description: "libmosquitto does not take \(what): \(reason)")
    }
}
