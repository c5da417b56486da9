import Glibc

/// Writes `NAME.pem` and `NAME.key`: an authority that signs itself.
package func makeAuthority(_ directory: String, _ name: String) throws {
    try ChildProcess.run(
        "/usr/bin/openssl",
        [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=Test authority \(name)",
            "-keyout", "\(directory)/\(name).key", "-out", "\(directory)/\(name).pem",
        ]
    )
}

/// A certificate for `localhost`, signed by the authority `ca`; with -1 days it has expired.
package func makeCertificate(_ directory: String, _ name: String, days: Int = 1) throws {
    let path = "\(directory)/\(name)"
    try ChildProcess.run(
        "/usr/bin/openssl",
        [
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
            "-keyout", "\(path).key", "-out", "\(path).csr",
        ]
    )
    try ChildProcess.run(
        "/usr/bin/openssl",
        [
            "x509", "-req", "-in", "\(path).csr", "-days", "\(days)", "-CAcreateserial", "-out", "\(path).pem",
            "-CA", "\(directory)/ca.pem", "-CAkey", "\(directory)/ca.key",
        ]
    )
    // A mosquitto that root starts becomes the user "mosquitto".
    chmod("\(path).key", 0o644)
}
