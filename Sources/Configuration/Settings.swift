public import Bridge

/// All that a configuration says, judged.
public struct Settings: Sendable, Equatable {
    /// Where messages come from.
    public var broker: BrokerSettings
    /// Where widgets live.
    public var service: ServiceSettings
    /// The IANA time zone whose midnights part the days. By default the one that `/etc/localtime` links to, else UTC.
    public var timeZone: String
    /// The readings and widgets.
    public var bridge: BridgeDefinition

    /// Makes settings.
    public init(broker: BrokerSettings, service: ServiceSettings, timeZone: String, bridge: BridgeDefinition) {
        self.broker = broker
        self.service = service
        self.timeZone = timeZone
        self.bridge = bridge
    }
}

/// How to reach the MQTT broker.
public struct BrokerSettings: Sendable, Equatable {
    /// Its name or address; an IPv6 address stands without brackets.
    public var host: String
    /// Its port; by default 1883, with TLS 8883.
    public var port: Int
    /// Whether the connection is encrypted and the broker's certificate checked.
    public var usesTLS: Bool
    /// The user to log in as.
    public var username: String?
    /// The user's password; only with a user (MQTT 3.1.1, section 3.1.2.9).
    public var password: SecretSource?
    /// The path of the certificates to trust in place of the system's; only with TLS.
    public var ca: String?
    /// The path of the certificate to show to the broker; only with TLS and with `clientKey`.
    public var clientCertificate: String?
    /// The path of that certificate's private key.
    public var clientKey: String?
    /// The client identifier; `nil` leaves it to the daemon, which keeps one of its own.
    public var clientID: String?

    /// Makes broker settings.
    public init(
        host: String,
        port: Int,
        usesTLS: Bool,
        username: String? = nil,
        password: SecretSource? = nil,
        ca: String? = nil,
        clientCertificate: String? = nil,
        clientKey: String? = nil,
        clientID: String? = nil
    ) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
        self.username = username
        self.password = password
        self.ca = ca
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.clientID = clientID
    }
}

/// How to reach the widget service.
public struct ServiceSettings: Sendable, Equatable {
    /// The service's own address.
    public static let standardURL = "https://api.pushward.app"

    /// The base of all requests, without a slash at its end. Plain `http` only to this machine itself.
    public var url: String
    /// The integration key (`hlk_…`).
    public var key: SecretSource

    /// Makes service settings.
    public init(url: String = ServiceSettings.standardURL, key: SecretSource) {
        self.url = url
        self.key = key
    }
}
