extension Settings {
    /// What keeps the files and credentials that the settings name from being used, a sentence for each.
    ///
    /// Whoever connects later would report no more than a failed connection.
    ///
    /// - Parameter credentials: The directory of credentials; by default `$CREDENTIALS_DIRECTORY`.
    public func unusableFiles(credentials: String? = SecretSource.credentialsDirectory) -> [String] {
        var reasons: [String] = []
        for source in [broker.password, service.key].compactMap(\.self) {
            do {
                _ = try source.read(credentials: credentials)
            } catch {
                reasons.append(error.description)
            }
        }
        let certificates = [
            ("broker.ca", broker.ca), ("broker.client_certificate", broker.clientCertificate),
            ("broker.client_key", broker.clientKey),
        ]
        for (name, path) in certificates {
            guard let path else { continue }
            do {
                _ = try FileContents.read(path, limit: 1 << 20)
            } catch {
                reasons.append("The file \(quoted(path)) of \(name) \(error).")
            }
        }
        return reasons
    }
}
