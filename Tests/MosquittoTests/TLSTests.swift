import Glibc
import Mosquitto
import ProcessSupport
import Testing

@Suite("TLS with a broker")
struct TLSTests {
    /// The files that `makeCertificates` writes, by what is right or wrong with them.
    private static let configuration = """
        allow_anonymous true
        certfile DIRECTORY/server.pem
        keyfile DIRECTORY/server.key
        """

    private func options(
        _ broker: Broker,
        host: String = "localhost",
        ca: String = "ca.pem"
    ) -> MosquittoOptions {
        let authorities = MosquittoOptions.Authorities.file("\(broker.directory)/\(ca)")
        return MosquittoOptions(
            host: host,
            port: broker.port,
            clientID: "test",
            security: .tls(authorities: authorities, identity: nil)
        )
    }

    private func options(_ port: UInt16, _ directory: String) -> MosquittoOptions {
        let authorities = MosquittoOptions.Authorities.file("\(directory)/ca.pem")
        return MosquittoOptions(
            host: "127.0.0.1",
            port: port,
            clientID: "test",
            security: .tls(authorities: authorities, identity: nil)
        )
    }

    private func withTLSBroker(days: Int = 1, more: String = "", _ body: (Broker) async throws -> Void) async throws {
        try await withBroker("\(Self.configuration)\n\(more)") { directory in
            try makeAuthority(directory, "ca")
            try makeAuthority(directory, "other")
            try makeCertificate(directory, "server", days: days)
        } _: { broker in
            try await body(broker)
        }
    }

    @Test("carries messages, also when more than one waits in a record")
    func messages() async throws {
        try await withTLSBroker { broker in
            let driver = try Driver(options(broker))
            #expect(driver.runUntilConnected())
            for number in 0..<500 {
                driver.client.publish(topic: "t/\(number)", payload: "\(number)", retain: true)
            }
            driver.client.subscribe(["t/+"])
            #expect(driver.run { $0.messages.count == 500 })
            #expect(driver.end == nil)
        }
    }

    @Test("refuses a certificate of an unknown authority")
    func unknownAuthority() async throws {
        try await withTLSBroker { broker in
            for authorities in [MosquittoOptions.Authorities.system, .file(broker.directory + "/other.pem")] {
                var options = options(broker)
                options.security = .tls(authorities: authorities, identity: nil)
                let end = try Driver(options).runToEnd()
                #expect(end?.code == .certificateUntrusted)
                #expect(
                    end?.description
                        == "The certificate of localhost:\(broker.port) is refused: "
                        + "unable to get local issuer certificate; is it signed by the configured authority?"
                )
            }
        }
    }

    @Test("refuses a certificate for another name")
    func wrongName() async throws {
        try await withTLSBroker { broker in
            let end = try Driver(options(broker, host: "127.0.0.1")).runToEnd()
            #expect(end?.code == .hostNameMismatch)
            #expect(
                end?.description
                    == "The certificate of 127.0.0.1:\(broker.port) is for another name than 127.0.0.1."
            )
        }
    }

    @Test("refuses an expired certificate")
    func expired() async throws {
        try await withTLSBroker(days: -1) { broker in
            let end = try Driver(options(broker)).runToEnd()
            #expect(end?.code == .certificateExpired)
            #expect(
                end?.description
                    == "The certificate of localhost:\(broker.port) is refused: certificate has expired."
            )
        }
    }

    @Test("tells of a broker that wants a client certificate, and takes one")
    func clientCertificate() async throws {
        try await withTLSBroker(more: "cafile DIRECTORY/ca.pem\nrequire_certificate true") { broker in
            let end = try Driver(options(broker)).runToEnd()
            // The broker says so and resets the connection; whether its word arrives is a race.
            #expect(end?.code == .tlsFailed || end?.code == .noGreeting)
            #expect(end?.description.contains("certificate") == true)

            try makeCertificate(broker.directory, "client", days: 1)
            var options = options(broker)
            let path = broker.directory
            let identity = MosquittoOptions.Identity(certificate: "\(path)/client.pem", key: "\(path)/client.key")
            options.security = .tls(authorities: .file("\(path)/ca.pem"), identity: identity)
            #expect(try Driver(options).runUntilConnected())
        }
    }

    @Test("refuses a key with a passphrase and never asks for it")
    func encryptedKey() async throws {
        try await withTLSBroker { broker in
            let path = broker.directory
            try ChildProcess.run(
                "/usr/bin/openssl",
                ["ec", "-aes128", "-passout", "pass:word", "-in", "\(path)/server.key", "-out", "\(path)/locked.key"]
            )
            var options = options(broker)
            let identity = MosquittoOptions.Identity(certificate: "\(path)/server.pem", key: "\(path)/locked.key")
            options.security = .tls(authorities: .file("\(path)/ca.pem"), identity: identity)
            let end = try Driver(options).runToEnd()
            #expect(end?.code == .encryptedKey)
        }
    }

    @Test("tells of a file that holds no certificate")
    func notACertificate() async throws {
        try await withTLSBroker { broker in
            try write("hello", to: "\(broker.directory)/hello.pem")
            let end = try Driver(options(broker, ca: "hello.pem")).runToEnd()
            #expect(end?.code == .unusableFile)
            #expect(end?.description.contains("\(broker.directory)/hello.pem") == true)
        }
    }

    @Test("names a file that is not there, before it connects")
    func missingFile() {
        let options = MosquittoOptions(
            host: "localhost",
            port: 8883,
            clientID: "test",
            security: .tls(authorities: .file("/nowhere/ca.pem"), identity: nil)
        )
        let expected = MosquittoErrorMatch(
            code: .unusableFile,
            description: "The CA file /nowhere/ca.pem cannot be read: No such file or directory."
        )
        #expect { try MosquittoClient(options) } throws: { expected.matches($0) }
    }

    @Test("tells of a port without TLS")
    func plainPort() async throws {
        try await withBroker { broker in
            try makeAuthority(broker.directory, "ca")
            let end = try Driver(options(broker)).runToEnd()
            #expect(end?.code == .noGreeting)
            #expect(
                end?.description
                    == "localhost:\(broker.port) closed the connection without an answer; "
                    + "is it a port without TLS, or is a client certificate wanted?"
            )
        }
    }

    @Test("tells of a server that answers the handshake with something else")
    func otherProtocol() async throws {
        try await withDirectory { directory in
            try makeAuthority(directory, "ca")
            try withListener { listener, port in
                let driver = try Driver(options(port, directory))
                let accepted = accept(listener, nil, nil)
                defer { close(accepted) }
                _ = write(accepted, "HTTP/1.1 400 Bad Request\r\n\r\n", 28)
                let end = driver.runToEnd()
                #expect(end?.code == .noGreeting)
                #expect(end?.description == "127.0.0.1:\(port) does not speak TLS.")
            }
        }
    }

    @Test("tells of a port with TLS where none was asked for")
    func tlsPort() async throws {
        try await withTLSBroker { broker in
            var options = options(broker)
            options.security = .plain
            let end = try Driver(options).runToEnd()
            #expect(end?.code == .noGreeting)
            #expect(
                end?.description
                    == "localhost:\(broker.port) closed the connection without an answer; is it a port for TLS?"
            )
        }
    }

    @Test("does not spin when the handshake is reset")
    func resetHandshake() async throws {
        try await withDirectory { directory in
            try makeAuthority(directory, "ca")
            try withListener { listener, port in
                let driver = try Driver(options(port, directory))
                let accepted = accept(listener, nil, nil)
                // Closing with linger 0 sends a reset.
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(accepted, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                close(accepted)
                #expect(driver.runToEnd()?.code == .noGreeting)
            }
        }
    }
}

private struct MosquittoErrorMatch {
    var code: MosquittoError.Code
    var description: String

    func matches(_ error: any Error) -> Bool {
        (error as? MosquittoError).map { $0.code == code && $0.description == description } ?? false
    }
}
