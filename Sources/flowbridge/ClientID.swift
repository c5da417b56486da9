import Glibc

/// The id under which the bridge is known to the broker unless the configuration gives one.
enum ClientID {
    /// The same at each start, and another on each machine and for each configuration: two clients of one id throw each
    /// other out without end.
    ///
    /// It is a hash, since the machine's id is not to be published. 23 characters are what every broker must accept
    /// (MQTT 3.1.1, section 3.1.3.1).
    static func standard(configuration: String) -> String {
        let digits = String(hash(machine + "\0" + configuration), radix: 16)
        return "flowbridge-" + String((String(repeating: "0", count: 16) + digits).suffix(12))
    }

    private static var machine: String {
        guard let file = fopen("/etc/machine-id", "r") else { return host }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 64)
        guard fgets(&text, Int32(text.count), file) != nil else { return host }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Where there is no machine id, as in many containers.
    private static var host: String {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// FNV-1a: Swift's own hashes differ from run to run.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
