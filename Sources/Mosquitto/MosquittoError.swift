/// Why a connection to a broker could not be made or did not last.
public struct MosquittoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of trouble, where somebody may want to act on it.
    public enum Code: Sendable, Equatable {
        /// An option that libmosquitto does not take.
        case invalidOption
        /// A certificate or key file that cannot be read or does not hold what it should.
        case unusableFile
        /// A key file with a passphrase, which a daemon cannot be asked for.
        case encryptedKey
        /// The host name could not be looked up.
        case unknownHost
        /// The host is there, and nothing listens at the port.
        case connectionRefused
        /// No route, no network, or no answer to the connection attempt.
        case unreachable
        /// The certificate of the broker has expired.
        case certificateExpired
        /// The certificate of the broker is not valid yet; most often the clock of this machine is wrong.
        case certificateNotYetValid
        /// The certificate of the broker is for another host.
        case hostNameMismatch
        /// The certificate of the broker is not signed by a known authority.
        case certificateUntrusted
        /// The other side closed the connection or spoke something else before it greeted, as where one side speaks TLS
        /// and the other does not.
        case noGreeting
        /// Another failure of TLS.
        case tlsFailed
        /// The broker does not speak this version of MQTT. The only refusal that an older version can mend.
        case protocolRefused
        /// The broker does not take the client id.
        case clientIDRefused
        /// Wrong user name or password, or no permission to connect.
        case notAuthorized
        /// The broker refuses for a reason of its own, which may pass.
        case brokerUnavailable
        /// Another client connected with the same client id.
        case sessionTakenOver
        /// The broker did not answer a ping.
        case keepaliveMissed
        /// The connection broke or was closed.
        case connectionLost
        /// The system had no thread, memory or descriptor to give.
        case resources
    }

    /// The kind of trouble.
    public let code: Code
    /// A sentence that ends in a period. It never holds a password.
    public let description: String
}
