/// One reason why the service would refuse a content.
public struct ContentProblem: Sendable, Equatable, CustomStringConvertible {
    /// Where it is, as in `content.flow.inputs[0].rate`.
    public let location: String
    /// What is wrong, in one sentence. It does not repeat the value, which can be long or a secret.
    public let message: String

    /// Makes a problem.
    public init(location: String, message: String) {
        self.location = location
        self.message = message
    }

    /// Location and sentence.
    public var description: String { "\(location): \(message)" }
}
