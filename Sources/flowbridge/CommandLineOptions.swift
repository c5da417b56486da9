@preconcurrency import CLinux  // `optarg` and its kin are globals; the command line is read before any thread starts.
import Glibc
import Replay

/// What the command line asks for.
struct CommandLineOptions {
    enum Command: String, CaseIterable {
        case run
        case check
        case replay
        case history
        case widget
    }

    var command: Command
    var configuration = "/etc/flowbridge/flowbridge.yaml"
    var isDryRun = false
    var printsFinal = false
    /// The file that says what really flowed, when `replay` is to judge what was shown.
    var truth: String?
    /// The budget that `replay` plays under; `nil` for the configuration's.
    var plan: ReplayPlan?
    /// The state file, when one was named.
    var state: String?
    /// How many of the newest dates `history` shows; `nil` for all.
    var days: Int?
    var isCSV = false
    var isJSON = false
    /// What `widget` is to do.
    var widgetAction: WidgetCommand.Action?
    var operands: [String] = []

    /// How reading the command line may end without options.
    enum Ending: Error {
        /// Help was asked for: it goes to standard output, and the exit code is 0.
        case help(String)
        /// The command line is wrong: the sentence goes to standard error, and the exit code is 64 (EX_USAGE).
        case misuse(String)
    }

    /// Reads the arguments after the program's name.
    static func parse(_ arguments: [String]) throws(Ending) -> CommandLineOptions {
        guard let first = arguments.first else { throw .misuse("A command is missing.\n\n\(overview)") }
        if first == "--help" || first == "-h" || first == "help" { throw .help(overview) }
        if first == "--version" { throw .help("flowbridge \(version)\n") }
        guard let command = Command(rawValue: first) else {
            throw .misuse("There is no command '\(first)'.\n\n\(overview)")
        }
        return try parse(arguments, of: command)
    }

    private static func parse(_ arguments: [String], of command: Command) throws(Ending) -> CommandLineOptions {
        var options = CommandLineOptions(command: command)
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        let names: [StaticString] = [
            "help", "config", "dry-run", "final", "state", "days", "csv", "json", "score", "plan",
        ]
        let takesValue = ["config", "state", "days", "score", "plan"]
        var known = names.enumerated().map { position, name in
            option(
                name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
                has_arg: takesValue.contains("\(name)") ? required_argument : no_argument,
                flag: nil,
                val: Int32(position)
            )
        }
        known.append(option())
        optind = 1
        opterr = 0
        while true {
            // The leading colon tells a missing value from an unknown option.
            let found = getopt_long(Int32(arguments.count), &argv, ":h", known, nil)
            if found == -1 { break }
            // The word before is the option, unless the option is known and took a word as its value.
            let word = argv[Int(optind) - 1].map { String(cString: $0) } ?? ""
            let written = names.indices.contains(Int(found)) ? "--\(names[Int(found)])" : word
            switch found {
            case 0, Int32(UInt8(ascii: "h")): throw .help(help(of: command))
            case 1 where command != .history: options.configuration = optarg.map { String(cString: $0) } ?? ""
            case 2 where command == .run: options.isDryRun = true
            case 3 where command == .replay: options.printsFinal = true
            case 4 where command != .check && command != .widget: options.state = optarg.map { String(cString: $0) }
            case 5 where command == .history: options.days = try days(optarg.map { String(cString: $0) } ?? "")
            case 6 where command == .history: options.isCSV = true
            case 7 where command == .widget: options.isJSON = true
            case 8 where command == .replay: options.truth = optarg.map { String(cString: $0) }
            case 9 where command == .replay: options.plan = try plan(optarg.map { String(cString: $0) } ?? "")
            case Int32(UInt8(ascii: ":")): throw .misuse("The option '\(written)' needs a value.")
            default:
                throw .misuse(
                    "'\(command.rawValue)' has no option '\(written)'; see 'flowbridge \(command.rawValue) --help'."
                )
            }
        }
        options.operands = argv[Int(optind)..<arguments.count].compactMap { $0.map { String(cString: $0) } }
        switch command {
        case .replay where options.operands.isEmpty:
            throw .misuse("'replay' needs at least one recording, or '-' for standard input.")
        case .replay where options.printsFinal && options.truth != nil:
            throw .misuse("'--final' and '--score' both say what 'replay' prints: take one of them.")
        case .run, .check, .history:
            guard options.operands.isEmpty else {
                throw .misuse("'\(command.rawValue)' takes no '\(options.operands[0])'.")
            }
        case .widget: options.widgetAction = try WidgetCommand.Action(operands: options.operands)
        case .replay: break
        }
        return options
    }

    private static func plan(_ text: String) throws(Ending) -> ReplayPlan {
        guard let plan = ReplayPlan(text) else {
            throw .misuse(
                "'--plan' needs a budget such as auto, unlimited, 72/day or 50/month, or an account, free or paid, "
                    + "not '\(text)'."
            )
        }
        return plan
    }

    private static func days(_ text: String) throws(Ending) -> Int {
        guard let days = Int(text), days > 0 else {
            throw .misuse("'--days' needs a whole number from 1, not '\(text)'.")
        }
        return days
    }
}

extension CommandLineOptions {
    /// The release that this is.
    static let version = "0.1.0"

    private static let overview = """
        flowbridge shows home energy from an MQTT broker in PushWard widgets.

        Usage: flowbridge COMMAND [OPTION…]

          run      connects to the broker and keeps the widgets right
          check    reads and judges a configuration
          replay   runs the bridge over recorded messages, without broker and service
          history  shows the totals of the days that are over
          widget   lists, shows and deletes the account's widgets

        'flowbridge COMMAND --help' tells more. The configuration is read from
        /etc/flowbridge/flowbridge.yaml unless --config FILE names another.

        """

    private static func help(of command: Command) -> String {
        switch command {
        case .run:
            """
            Usage: flowbridge run [--config FILE] [--state FILE] [--dry-run]

            Connects to the broker, and keeps the widgets right until SIGTERM or SIGINT.

              --config FILE   the configuration (default /etc/flowbridge/flowbridge.yaml)
              --state FILE    where totals are kept (default state.sqlite in $STATE_DIRECTORY, else in /var/lib/flowbridge)
              --dry-run       print the requests instead of sending them; needs no key

            Exit codes: 0 after a clean stop, 78 when the configuration cannot be used.

            """
        case .check:
            """
            Usage: flowbridge check [--config FILE]

            Reads a configuration, reports every problem in it at once, and says in words what the signs mean.

              --config FILE   the configuration (default /etc/flowbridge/flowbridge.yaml)

            Exit codes: 0 when it can be used, 78 when not.

            """
        case .replay:
            """
            Usage: flowbridge replay [--config FILE] [--state FILE] [--plan BUDGET] [--final | --score TRUTH.csv]
                                     RECORDING…

            Runs the bridge over recorded messages on virtual time, against a service in memory that starts empty. Prints
            one JSON line for each write. Needs neither broker nor key. Record with
              mosquitto_sub -t '#' -F '%U\\t%r\\t%t\\t%p'        or        mosquitto_sub -t '#' -F %j

              --config FILE   the configuration (default /etc/flowbridge/flowbridge.yaml)
              --state FILE    go on from the totals in this file, and keep them there (default: keep nothing)
              --plan BUDGET   instead of every widget's own budget: auto, unlimited, N/day or N/month as in a
                              configuration, or an account, free (50 updates a month) or paid (no limit)
              --final         print instead, at the end, one line a widget: what the service then holds
              --score TRUTH   print instead, at the end, one line a widget: requests, bytes, and how far what was shown
                              is from what really flowed. TRUTH has lines of comma-separated values, and the first
                              names the columns: unix, solar_w, house_w, battery_w_charging_positive,
                              grid_w_import_positive; each line holds until the next. Errors are in W and by slot:
                              the mean, the mean as a share of the slot's peak, and the 95th percentile, over time;
                              r is Σ|shown − actual| ÷ Σ|actual| over time and the four slots
              -               in place of a recording: standard input

            Exit codes: 0, 65 when a recording or the truth cannot be read, 78 when the configuration cannot be used.

            """
        case .history:
            """
            Usage: flowbridge history [--days N] [--csv] [--state FILE]

            Shows the totals of the days that are over, a row a date, in kWh or in a counter's own unit. The bridge may be
            running meanwhile, and its state is not changed.

              --days N        the newest N dates only
              --csv           date,reading,total for machines, a line a total
              --state FILE    where totals are kept (default state.sqlite in $STATE_DIRECTORY, else in /var/lib/flowbridge)

            Exit codes: 0, 65 when the file cannot be read, 66 when there is none.

            """
        case .widget:
            """
            Usage: flowbridge widget list [--json] [--config FILE]
                   flowbridge widget show SLUG [--json] [--config FILE]
                   flowbridge widget delete SLUG [--json] [--config FILE]

            Lists the widgets of the account, shows what the service holds of one, or deletes one. Nothing else deletes
            widgets: one that has left the configuration stays on the phone until it is deleted here.

              --json          one JSON line a widget, for machines
              --config FILE   the configuration (default /etc/flowbridge/flowbridge.yaml)

            Exit codes: 0, 66 when there is no such widget, 69 when the service cannot be reached, 77 when it refuses the
            key, 78 when the configuration cannot be used.

            """
        }
    }
}
