extension SettingsReader {
    func broker(_ entry: YAMLEntry) -> BrokerSettings? {
        let keys = ["url", "username", "password", "ca", "client_certificate", "client_key", "client_id"]
        guard let section = Section(entry.value, "broker", at: entry.mark, keys: keys, log: log) else { return nil }
        let url = section.required("url").flatMap(brokerURL)
        let username = section.text("username")
        let password = section["password"].map { secret($0, "broker.password", file: "mqtt-password") }
        let ca = section["ca"].map { path($0, "broker.ca") }
        let certificate = section["client_certificate"].map { path($0, "broker.client_certificate") }
        let key = section["client_key"].map { keyPath($0, "broker.client_key") }
        let clientID = section.text("client_id")

        if let password = section.entry("password"), !section.has("username") {
            log.error(password.mark, "broker.password needs broker.username")
        }
        for (one, other) in [("client_certificate", "client_key"), ("client_key", "client_certificate")] {
            if let entry = section.entry(one), !section.has(other) {
                log.error(entry.mark, "broker.\(one) needs broker.\(other)")
            }
        }
        guard let url else { return nil }
        if !url.isSecure {
            // Silence here would leave a user who set a certificate without the safety that it stands for.
            for key in ["ca", "client_certificate", "client_key"] {
                guard let entry = section.entry(key) else { continue }
                log.error(entry.mark, "broker.\(key) needs TLS: broker.url must begin with mqtts://")
            }
        }
        return BrokerSettings(
            host: url.host,
            port: url.port ?? (url.isSecure ? 8883 : 1883),
            usesTLS: url.isSecure,
            username: username,
            password: password ?? nil,
            ca: ca ?? nil,
            clientCertificate: certificate ?? nil,
            clientKey: key ?? nil,
            clientID: clientID
        )
    }

    func service(_ entry: YAMLEntry) -> ServiceSettings? {
        guard let section = Section(entry.value, "pushward", at: entry.mark, keys: ["url", "key"], log: log) else {
            return nil
        }
        let key = section.required("key").flatMap { secret($0, "pushward.key", file: "pushward-key") }
        let url = section["url"].map(serviceURL) ?? ServiceSettings.standardURL
        guard let key, let url else { return nil }
        return ServiceSettings(url: url, key: key)
    }

    private func brokerURL(_ node: YAMLNode) -> Endpoint? {
        guard let text = log.text(node, "broker.url") else { return nil }
        do {
            let endpoint = try Endpoint(text, plain: "mqtt", secure: "mqtts")
            guard endpoint.path.isEmpty || endpoint.path == "/" else {
                log.error(node.mark, "broker.url has a path, and MQTT knows none")
                return nil
            }
            return endpoint
        } catch {
            log.error(node.mark, "broker.url \(error)")
            return nil
        }
    }

    private func serviceURL(_ node: YAMLNode) -> String? {
        guard var text = log.text(node, "pushward.url") else { return nil }
        do {
            let endpoint = try Endpoint(text, plain: "http", secure: "https")
            guard endpoint.isSecure || endpoint.isLoopback else {
                log.error(node.mark, "pushward.url must begin with https://, or the key would travel in clear")
                return nil
            }
        } catch {
            log.error(node.mark, "pushward.url \(error)")
            return nil
        }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// Where a secret is kept. No message holds anything of what stands there: it may be the secret itself.
    private func secret(_ node: YAMLNode, _ name: String, file: String) -> SecretSource? {
        let forms = "{ file: PATH } or { credential: NAME }"
        guard case .mapping(let entries) = node.content else {
            log.error(
                node.mark,
                "\(name) must not stand in this file, which gets copied, backed up and shown; put it in a file of its "
                    + "own that only the service can read, and write { file: \(file) } here, or { credential: \(file) }"
            )
            return nil
        }
        guard entries.count == 1, let entry = entries.first, entry.key == "file" || entry.key == "credential" else {
            log.error(node.mark, "\(name) takes either \(forms)")
            return nil
        }
        guard case .scalar(let text, _) = entry.value.content, !text.isEmpty, !entry.value.isNull else {
            log.error(node.mark, "\(name) takes \(forms)")
            return nil
        }
        guard !text.hasPrefix("hlk_"), !text.contains("\n") else {
            log.error(node.mark, "\(name) names the place of the secret, not the secret: \(forms)")
            return nil
        }
        guard entry.key == "credential" else { return .file(text.hasPrefix("/") ? text : directory + text) }
        guard !text.contains("/"), text != ".." else {
            log.error(node.mark, "\(name): a credential is a name, not a path")
            return nil
        }
        return .credential(text)
    }

    private func keyPath(_ node: YAMLNode, _ name: String) -> String? {
        guard case .scalar(let text, _) = node.content, !node.isNull, !text.isEmpty, !text.contains("\n") else {
            log.error(node.mark, "\(name) must be the path of a file, never the key itself")
            return nil
        }
        return text.hasPrefix("/") ? text : directory + text
    }
}
