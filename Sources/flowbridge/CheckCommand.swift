import Configuration
import Glibc

/// `flowbridge check`: judges a configuration, and says in words what it means.
enum CheckCommand {
    static func run(_ options: CommandLineOptions) -> Int32 {
        guard let settings = ConfigurationFile.load(options.configuration) else { return EX_CONFIG }
        for sentence in SignExplanation.explanation(of: settings) {
            StandardStreams.output(sentence + "\n")
        }
        if let sentence = AppRequirement.sentence(for: settings) { StandardStreams.output(sentence + "\n") }
        StandardStreams.output("\(options.configuration): \(ConfigurationSummary(settings))\n")
        return EX_OK
    }
}
