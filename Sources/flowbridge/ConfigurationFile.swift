import Configuration
import EnergyFlow
import TimeZones

/// The configuration of a command, or every problem of it on standard error.
enum ConfigurationFile {
    /// Reads a file; `nil` after its problems were printed.
    static func load(_ path: String) -> Settings? {
        let result = ConfigurationReader().read(file: path)
        for problem in result.problems {
            StandardStreams.error("\(problem)\n")
        }
        guard let settings = result.settings else {
            let errors = result.problems.count { $0.severity == .error }
            StandardStreams.error(
                "flowbridge: the configuration has \(errors == 1 ? "an error" : "\(errors) errors").\n"
            )
            return nil
        }
        return settings
    }

    /// The calendar of the configured time zone; `nil` after the reason was printed.
    static func calendar(of settings: Settings) -> LocalCalendar? {
        do {
            return try LocalCalendar(zone: settings.timeZone)
        } catch {
            StandardStreams.error("flowbridge: \(error)\n")
            return nil
        }
    }
}
