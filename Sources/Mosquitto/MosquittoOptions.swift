/// Where and as whom to connect.
public struct MosquittoOptions: Sendable {
    /// A version of MQTT.
    public enum ProtocolVersion: Sendable, Equatable {
        /// MQTT 5, which says why it refuses or disconnects.
        case v5
        /// MQTT 3.1.1, for brokers that know no other.
        case v311
    }

    /// Whether the connection is encrypted. There is no third case: a certificate is always verified, with its name.
    public enum Security: Sendable, Equatable {
        /// No TLS.
        case plain
        /// TLS 1.2 or later.
        case tls(authorities: Authorities, identity: Identity?)
    }

    /// Who may sign the certificate of the broker.
    public enum Authorities: Sendable, Equatable {
        /// The authorities that the system trusts.
        case system
        /// Only those in this PEM file.
        case file(String)
    }

    /// A client certificate.
    public struct Identity: Sendable, Equatable {
        /// The PEM file of the certificate, with its chain.
        public var certificate: String
        /// The PEM file of the private key, without a passphrase.
        public var key: String

        /// Makes an identity from two paths.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// A message that the broker publishes, retained, when the connection ends in any other way than by `disconnect`.
    public struct Will: Sendable, Equatable {
        /// The topic, without wildcards.
        public var topic: String
        /// The payload.
        public var payload: String

        /// Makes a last will.
        public init(topic: String, payload: String) {
            self.topic = topic
            self.payload = payload
        }
    }

    /// A host name or an address.
    public var host: String
    /// The TCP port.
    public var port: UInt16
    /// Seconds of silence after which a ping is sent, at least 5.
    public var keepalive = 60
    /// The client id, which no other client of the broker may use.
    public var clientID: String
    /// The user name, or `nil` for an anonymous connection.
    public var username: String?
    /// The password, which no description shows.
    public var password: String?
    /// Whether the connection is encrypted.
    public var security: Security
    /// The version of MQTT to speak.
    public var protocolVersion = ProtocolVersion.v5
    /// The last will.
    public var will: Will?

    /// Makes options; those without a parameter have the defaults of their properties.
    public init(
        host: String,
        port: UInt16,
        clientID: String,
        username: String? = nil,
        password: String? = nil,
        security: Security = .plain,
        will: Will? = nil
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.username = username
        self.password = password
        self.security = security
        self.will = will
    }

    /// `host:port`, with the brackets that an IPv6 address needs.
    var place: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

// A password must not reach a log through a careless interpolation or `dump`.
extension MosquittoOptions: CustomStringConvertible, CustomReflectable {
    /// The address and the client id.
    public var description: String { "\(place) as \(clientID)" }
    /// Nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
