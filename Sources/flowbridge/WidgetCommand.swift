import Bridge
import Configuration
import Delivery
import Glibc
import Widgets

/// `flowbridge widget`: the account's widgets, for people and machines.
enum WidgetCommand {
    /// What is to be done.
    enum Action {
        case list
        case show(Slug)
        case delete(Slug)

        /// Reads the words after `widget`.
        init(operands: [String]) throws(CommandLineOptions.Ending) {
            switch operands.first {
            case "list":
                guard operands.count == 1 else { throw .misuse("'widget list' takes no '\(operands[1])'.") }
                self = .list
            case "show": self = .show(try Self.slug(operands))
            case "delete": self = .delete(try Self.slug(operands))
            case let word?: throw .misuse("'widget' knows no '\(word)'; it is list, show SLUG or delete SLUG.")
            case nil: throw .misuse("'widget' needs a word: list, show SLUG or delete SLUG.")
            }
        }

        private static func slug(_ operands: [String]) throws(CommandLineOptions.Ending) -> Slug {
            guard operands.count == 2 else { throw .misuse("'widget \(operands[0])' needs the slug of one widget.") }
            guard let slug = Slug(operands[1]) else { throw .misuse("'\(operands[1])' is no slug.") }
            return slug
        }
    }

    static func run(_ options: CommandLineOptions) -> Int32 {
        guard let action = options.widgetAction else { return EX_USAGE }
        guard let settings = ConfigurationFile.load(options.configuration) else { return EX_CONFIG }
        do throws(ServiceClient.Failure) {
            let client = try ServiceClient(settings.service)
            try perform(action, client, settings, isJSON: options.isJSON)
            return EX_OK
        } catch {
            StandardStreams.error("flowbridge: \(error.sentence)\n")
            return error.exitCode
        }
    }

    private static func perform(
        _ action: Action,
        _ client: ServiceClient,
        _ settings: Settings,
        isJSON: Bool
    ) throws(ServiceClient.Failure) {
        let configured = settings.bridge.widgets.map(\.widget.slug)
        switch action {
        case .list:
            let widgets = try client.ask(.get, "/widgets")?.asObject?["items"]?.asArray ?? []
            StandardStreams.output(isJSON ? lines(widgets) : WidgetTable(widgets, configured: configured).text)
        case .show(let slug):
            guard let widget = try client.ask(.get, "/widgets/\(slug)") else { return }
            StandardStreams.output(isJSON ? lines([widget]) : WidgetTable.members(of: widget))
        case .delete(let slug):
            _ = try client.ask(.delete, "/widgets/\(slug)")
            let line: JSONObject = ["slug": .string(slug.description), "deleted": true]
            StandardStreams.output(isJSON ? line.description + "\n" : "The widget '\(slug)' is deleted.\n")
            guard configured.contains(slug) else { return }
            StandardStreams.error(
                "flowbridge: It is in the configuration, so that a running bridge creates it again.\n"
            )
        }
    }

    private static func lines(_ widgets: [JSONValue]) -> String {
        widgets.map { $0.description + "\n" }.joined()
    }
}
