import Glibc

/// What the command line asks for.
struct PlayerOptions {
    /// The port of the broker on this machine.
    var brokerPort: UInt16
    /// The URL of the widget service.
    var service: String
    /// The file with the service's key.
    var key: String
    /// The file in which the service traces its requests.
    var trace: String
    /// The table of what really happened.
    var truth: String
    /// How long the play takes.
    var length: Duration
    /// The slug of a progress that shows the battery's level, if there is one.
    var progress: String?
    /// The slug of a countdown from the beginning to the end of the play, if there is one.
    var countdown: String?
    /// Whether to end with the document as a line of JSON.
    var printsDocument: Bool
    /// The recording.
    var capture: String

    private static let usage = """
        Usage: capture-player --broker-port N --service URL --key FILE --trace FILE --truth FILE --seconds N
                              [--progress SLUG] [--countdown SLUG] [--print-document] RECORDING
        Plays a recorded day through a broker, shows what the widget service is sent, and judges the widget at the end.
        """

    /// Reads the arguments after the program's name.
    init(_ arguments: [String]) throws(PlayerFailure) {
        var values: [String: String] = [:]
        var operands: [String] = []
        var rest = arguments[...]
        let known = [
            "--broker-port", "--service", "--key", "--trace", "--truth", "--seconds", "--progress", "--countdown",
        ]
        printsDocument = false
        while let word = rest.popFirst() {
            if word == "--print-document" {
                printsDocument = true
            } else if known.contains(word), let value = rest.popFirst() {
                values[word] = value
            } else {
                operands.append(word)
            }
        }
        guard let port = values["--broker-port"].flatMap({ UInt16($0) }), let service = values["--service"],
            let key = values["--key"], let trace = values["--trace"], let truth = values["--truth"],
            let seconds = values["--seconds"].flatMap({ Int($0) }), seconds > 0,
            operands.count == 1
        else { throw PlayerFailure(description: PlayerOptions.usage, exitCode: EX_USAGE) }
        brokerPort = port
        self.service = service
        self.key = key
        self.trace = trace
        self.truth = truth
        length = .seconds(seconds)
        progress = values["--progress"]
        countdown = values["--countdown"]
        capture = operands[0]
    }
}

/// Why the play could not be played.
struct PlayerFailure: Error, CustomStringConvertible {
    /// A sentence that ends in a period.
    let description: String
    /// One of `sysexits.h`.
    var exitCode: Int32 = EX_UNAVAILABLE
}
