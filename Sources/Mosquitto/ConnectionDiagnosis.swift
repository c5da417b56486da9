import CMosquitto

/// What libmosquitto and OpenSSL said on the way to a connection, of which the return code keeps nothing.
struct ConnectionDiagnosis {
    /// The complaint of libmosquitto itself, as about a file.
    private(set) var complaint: String?
    /// What OpenSSL said, without its numbers.
    private(set) var tls: String?
    /// Why OpenSSL refused the broker's certificate: one of its `X509_V_ERR_` codes, or 0.
    private(set) var verification = 0
    /// Whether the client key needs a passphrase.
    var passphraseWanted = false

    /// Keeps a line of libmosquitto's log, if it tells of a failure.
    mutating func note(_ line: String, verification: Int) {
        if line.hasPrefix("OpenSSL Error") {
            // As "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed". The first is the cause.
            tls = tls ?? line.split(separator: ":").last.map(String.init)
            self.verification = verification
        } else {
            complaint = complaint ?? line
        }
    }

    var isHostNameMismatch: Bool { complaint?.hasPrefix("Error: host name verification failed") ?? false }

    /// The sentence for a failure of TLS, or `nil` if nothing was said about TLS.
    func explain(options: MosquittoOptions) -> MosquittoError? {
        let place = options.place
        if passphraseWanted {
            return MosquittoError(
                code: .encryptedKey,
                description: "The client key needs a passphrase, and nobody is there to type it; store it without one."
            )
        }
        if isHostNameMismatch {
            return MosquittoError(
                code: .hostNameMismatch,
                description: "The certificate of \(place) is for another name than \(options.host)."
            )
        }
        if let complaint {
            return MosquittoError(code: .unusableFile, description: Self.sentence(complaint, tls))
        }
        guard let tls else { return nil }
        if verification != 0 {
            return explainCertificate(place)
        }
        if tls.hasPrefix("wrong version number") || tls.hasPrefix("packet length too long") {
            return MosquittoError(code: .noGreeting, description: "\(place) does not speak TLS.")
        }
        if tls.hasPrefix("unexpected eof") {
            return .closedEarly(options)
        }
        return MosquittoError(code: .tlsFailed, description: "TLS with \(place) failed: \(tls).")
    }

    private func explainCertificate(_ place: String) -> MosquittoError {
        let reason = String(cString: X509_verify_cert_error_string(verification))
        let said = "The certificate of \(place) is refused: \(reason)"
        // The numbers are OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED, see x509_vfy.h.
        return switch verification {
        case 9:
            MosquittoError(
                code: .certificateNotYetValid,
                description: "\(said); most often the clock of this machine is wrong."
            )
        case 10:
            MosquittoError(code: .certificateExpired, description: "\(said).")
        default:
            MosquittoError(
                code: .certificateUntrusted,
                description: "\(said); is it signed by the configured authority?"
            )
        }
    }

    /// `Error: Unable to load client key file "k".` and `no start line` as one sentence.
    private static func sentence(_ complaint: String, _ tls: String?) -> String {
        var text = Substring(complaint)
        if text.hasPrefix("Error: ") {
            text = text.dropFirst(7)
        }
        if text.hasSuffix(".") {
            text = text.dropLast()
        }
        return tls.map { "\(text): \($0)." } ?? "\(text)."
    }
}
