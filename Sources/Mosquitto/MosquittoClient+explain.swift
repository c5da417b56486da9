import CMosquitto
import Glibc

extension MosquittoClient {
    /// The error for a return code of libmosquitto, told with all that is known about it.
    ///
    /// - Parameters:
    ///   - code: one of `MOSQ_ERR_`, or the reason in a DISCONNECT of MQTT 5, which begin at 128.
    ///   - error: errno, or what `getaddrinfo` returned where `code` is `MOSQ_ERR_EAI`.
    func explain(code: Int32, error: Int32) -> MosquittoError {
        if let greeting, greeting != 0 {
            return explainRefusal(greeting)
        }
        if greeting == nil, let told = diagnosis.explain(options: options) {
            return told
        }
        if code >= 128 {
            return explainDisconnect(code)
        }
        return explainNetwork(code: code, error: error)
    }

    /// Why the broker refused in its CONNACK: up to 5 in the words of MQTT 3.1.1, from 128 in those of MQTT 5.
    private func explainRefusal(_ reason: Int32) -> MosquittoError {
        let said = String(cString: reason < 128 ? mosquitto_connack_string(reason) : mosquitto_reason_string(reason))
        let sentence = "The broker \(options.place) refuses the connection: \(Self.words(said))"
        let code: MosquittoError.Code =
            switch reason {
            case 1, 132: .protocolRefused
            case 2, 133: .clientIDRefused
            case 4, 5, 134, 135, 138, 140: .notAuthorized
            default: .brokerUnavailable
            }
        let hint = code == .notAuthorized ? "; are the user name and the password right?" : "."
        return MosquittoError(code: code, description: sentence + hint)
    }

    private func explainDisconnect(_ reason: Int32) -> MosquittoError {
        if UInt32(reason) == MQTT_RC_SESSION_TAKEN_OVER.rawValue {
            return MosquittoError(
                code: .sessionTakenOver,
                description: "Another client connected to \(options.place) as \(options.clientID)."
            )
        }
        let said = Self.words(String(cString: mosquitto_reason_string(reason)))
        return MosquittoError(
            code: .connectionLost,
            description: "The broker \(options.place) ended the connection: \(said)."
        )
    }

    private func explainNetwork(code: Int32, error: Int32) -> MosquittoError {
        let place = options.place
        let cause = String(cString: strerror(error))
        switch mosq_err_t(rawValue: code) {
        case MOSQ_ERR_EAI:
            let said = String(cString: gai_strerror(error))
            return MosquittoError(code: .unknownHost, description: "The name \(options.host) is not known: \(said).")
        case MOSQ_ERR_ERRNO where error == ECONNREFUSED:
            return MosquittoError(code: .connectionRefused, description: "Nothing listens at \(place).")
        case MOSQ_ERR_ERRNO where attempt.code != MOSQ_ERR_SUCCESS.rawValue && !Self.isClosing(error):
            return MosquittoError(code: .unreachable, description: "\(place) cannot be reached: \(cause).")
        case MOSQ_ERR_KEEPALIVE:
            return MosquittoError(code: .keepaliveMissed, description: "The broker \(place) does not answer any more.")
        case MOSQ_ERR_NOMEM:
            return MosquittoError(code: .resources, description: "The memory ran out with the connection to \(place).")
        case MOSQ_ERR_PROTOCOL where greeting == nil, MOSQ_ERR_MALFORMED_PACKET where greeting == nil:
            return MosquittoError(code: .noGreeting, description: "\(place) does not answer in MQTT.")
        case _ where greeting == nil:
            return .closedEarly(options)
        default:
            return MosquittoError(code: .connectionLost, description: "The connection to the broker \(place) is lost.")
        }
    }

    /// Whether an errno says that the other side closed a connection; libmosquitto makes EPROTO of it under TLS.
    private static func isClosing(_ error: Int32) -> Bool {
        error == ECONNRESET || error == EPIPE || error == EPROTO
    }

    /// libmosquitto's `Connection Refused: bad user name or password.` as the end of a sentence.
    private static func words(_ text: String) -> String {
        var words = Substring(text)
        if let colon = words.lastIndex(of: ":") {
            words = words[words.index(after: colon)...].drop { $0 == " " }
        }
        if words.hasSuffix(".") {
            words = words.dropLast()
        }
        return words.lowercased()
    }
}

extension MosquittoError {
    /// The other side closed the connection before it greeted.
    static func closedEarly(_ options: MosquittoOptions) -> MosquittoError {
        let guess =
            switch options.security {
            case .plain: "is it a port for TLS?"
            case .tls(_, nil): "is it a port without TLS, or is a client certificate wanted?"
            case .tls: "is it a port without TLS?"
            }
        return MosquittoError(
            code: .noGreeting,
            description: "\(options.place) closed the connection without an answer; \(guess)"
        )
    }
}
