import Configuration
import Mosquitto

extension MosquittoOptions {
    /// The settings with their password read.
    ///
    /// - Parameter defaultID: the client id where none is configured.
    init(_ settings: BrokerSettings, defaultID: String) throws(SecretError) {
        var security = Security.plain
        if settings.usesTLS {
            var identity: Identity?
            if let certificate = settings.clientCertificate, let key = settings.clientKey {
                identity = Identity(certificate: certificate, key: key)
            }
            security = .tls(authorities: settings.ca.map(Authorities.file) ?? .system, identity: identity)
        }
        self.init(
            host: settings.host,
            port: UInt16(settings.port),
            clientID: settings.clientID ?? defaultID,
            username: settings.username,
            password: try settings.password?.read().exposed,
            security: security
        )
    }
}
