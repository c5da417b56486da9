internal import Glibc

/// Reads a configuration and judges all of it in one go.
public struct ConfigurationReader: Sendable {
    private let zones: TimeZones

    /// Makes a reader.
    ///
    /// - Parameter zoneinfo: Where time zones lie; by default `$TZDIR`, else `/usr/share/zoneinfo`.
    public init(zoneinfo: String = ConfigurationReader.zoneinfo) {
        zones = TimeZones(directory: zoneinfo)
    }

    /// `$TZDIR`, else `/usr/share/zoneinfo`: where glibc looks for time zones.
    public static var zoneinfo: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// Reads a file. Relative paths in it are taken relative to it.
    public func read(file: String) -> ConfigurationResult {
        let bytes: [UInt8]
        do {
            bytes = try FileContents.read(file, limit: SourceText.sizeLimit + 3)
        } catch {
            let problem = ConfigurationProblem(file: file, severity: .error, message: "the file \(error)")
            return .invalid([problem])
        }
        let directory = file.lastIndex(of: "/").map { String(file[..<$0]) + "/" } ?? ""
        return read(bytes, named: file, directory: directory)
    }

    /// Reads a text as if it were the file of this name.
    public func read(text: String, named file: String = "flowbridge.yaml") -> ConfigurationResult {
        read(Array(text.utf8), named: file, directory: "")
    }

    func read(_ bytes: [UInt8], named file: String, directory: String) -> ConfigurationResult {
        let source: SourceText
        do {
            source = try SourceText(bytes)
        } catch {
            let place = ConfigurationProblem.Place(line: error.mark.line, column: error.mark.column)
            let problem = ConfigurationProblem(file: file, place: place, severity: .error, message: error.message)
            return .invalid([problem])
        }
        let log = ProblemLog(file: file, source: source)
        let document = YAMLParser.parse(source)
        for problem in document.problems { log.error(problem.mark, problem.message) }
        var settings: Settings?
        if let root = document.root {
            settings = SettingsReader(log: log, zones: zones, directory: directory).settings(from: root)
        } else if document.problems.isEmpty {
            log.error(.start, "the file is empty")
        }
        let problems = log.sorted
        guard let settings, !problems.contains(where: { $0.severity == .error }) else { return .invalid(problems) }
        return .valid(settings, warnings: problems)
    }
}

/// What became of a configuration.
public enum ConfigurationResult: Sendable, Equatable {
    /// It can be used; a person should look at the warnings.
    case valid(Settings, warnings: [ConfigurationProblem])
    /// It cannot. Holds every problem, warnings too, by place.
    case invalid([ConfigurationProblem])

    /// The settings of a valid configuration.
    public var settings: Settings? {
        if case .valid(let settings, _) = self { settings } else { nil }
    }

    /// All that was found, by place.
    public var problems: [ConfigurationProblem] {
        switch self {
        case .valid(_, let warnings): warnings
        case .invalid(let problems): problems
        }
    }
}
