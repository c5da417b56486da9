internal import Glibc

/// Where a secret is kept. It never stands in the configuration, which gets copied, backed up and shown.
public enum SecretSource: Sendable, Equatable {
    /// A file, by its path; a relative one was taken relative to the configuration.
    case file(String)
    /// A credential that systemd hands to the service (`LoadCredential=`), by its name.
    case credential(String)

    /// No password and no key is longer; a larger file is the wrong file.
    private static let sizeLimit = 4096

    /// Reads the secret, without the newline that editors end files with.
    ///
    /// - Parameter credentials: The directory of credentials; by default `$CREDENTIALS_DIRECTORY`.
    public func read(credentials: String? = SecretSource.credentialsDirectory) throws(SecretError) -> Secret {
        let path = try path(credentials: credentials)
        var bytes: [UInt8]
        do {
            bytes = try FileContents.read(path, limit: SecretSource.sizeLimit)
        } catch {
            throw SecretError("\(name) \(error)")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw SecretError("\(name) is empty") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw SecretError("\(name) is not UTF-8") }
        // A header or a password with a line break in it would be refused later with no hint of the cause.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw SecretError("\(name) holds control characters; it must be one line")
        }
        return Secret(text)
    }

    /// `$CREDENTIALS_DIRECTORY`, which systemd sets for services with credentials.
    public static var credentialsDirectory: String? {
        getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    private var name: String {
        switch self {
        case .file(let path): "the secret file \(quoted(path))"
        case .credential(let name): "the credential \(quoted(name))"
        }
    }

    private func path(credentials: String?) throws(SecretError) -> String {
        switch self {
        case .file(let path): return path
        case .credential(let credential):
            guard let credentials, !credentials.isEmpty else {
                throw SecretError(
                    "\(name) was not handed in: $CREDENTIALS_DIRECTORY is not set; the unit needs LoadCredential=, and a "
                        + "command by hand CREDENTIALS_DIRECTORY=/etc/flowbridge before it"
                )
            }
            return "\(credentials)/\(credential)"
        }
    }
}

/// Why a secret could not be read.
public struct SecretError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A sentence that ends in a period. It names the source, never the secret.
    public let description: String

    init(_ reason: String) {
        description = reason.prefix(1).uppercased() + reason.dropFirst() + "."
    }
}
