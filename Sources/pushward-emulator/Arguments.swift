@preconcurrency import CLinux  // `optarg` and its kin are globals, and this program has one thread.
import Emulator
import Glibc

/// What the command line asks for.
struct Arguments {
    /// The port; 0 for any that is free.
    var port: UInt16 = 0
    /// The trace file.
    var trace: String?
    /// What the account has paid for.
    var plan = Plan.paid
    /// What happens to the first requests.
    var faults: [Fault] = []
    /// The only key that is let in.
    var key: String?

    /// What a command line turns out to be.
    enum Parsed {
        /// A run.
        case run(Arguments)
        /// A question.
        case help
        /// Neither; a sentence says why.
        case mistake(String)
    }

    /// Takes a command line apart.
    static func parse(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32) -> Parsed {
        var arguments = Arguments()
        // Its own messages would begin with the path of the program and lack the period.
        opterr = 0
        while let name = next(words, count) {
            let value = optarg.map { String(cString: $0) } ?? ""
            switch name {
            case "h": return .help
            case ":": return .mistake("'\(word(words, optind - 1))' needs a value.")
            case "?": return .mistake("'\(word(words, optind - 1))' is not an option.")
            default:
                if let mistake = arguments.take(name, value) { return .mistake(mistake) }
            }
        }
        return optind < count ? .mistake("'\(word(words, optind))' is not an option.") : .run(arguments)
    }

    /// Takes an option's value, or says what is wrong with it.
    private mutating func take(_ name: Character, _ value: String) -> String? {
        switch name {
        case "p":
            guard let port = UInt16(value) else { return "'\(value)' is not a port from 0 to 65535." }
            self.port = port
        case "l":
            guard let plan = Plan(rawValue: value) else { return "'\(value)' is neither free nor paid." }
            self.plan = plan
        case "f":
            do {
                faults.append(try Fault(argument: value))
            } catch {
                return error.description
            }
        case "k":
            guard WidgetService.isKey(value) else { return "A key is 'hlk_' and 32 letters or digits." }
            key = value
        default:
            trace = value
        }
        return nil
    }

    /// The options by their letter in `take`, and whether they have a value.
    private static let names: [(StaticString, Character, Bool)] = [
        ("port", "p", true), ("trace", "t", true), ("plan", "l", true), ("fail", "f", true), ("key", "k", true),
        ("help", "h", false),
    ]

    /// The next option's letter: `:` for one without its value, `?` for an unknown one, `nil` at the end.
    private static func next(
        _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
        _ count: Int32
    ) -> Character? {
        let options = names.map { name, letter, hasValue in
            option(
                name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
                has_arg: hasValue ? required_argument : no_argument,
                flag: nil,
                val: Int32(letter.asciiValue ?? 0)
            )
        }
        // The leading colon tells a value that is missing from an option that is unknown.
        let letter = (options + [option()]).withUnsafeBufferPointer {
            getopt_long(count, words, ":", $0.baseAddress, nil)
        }
        return UInt8(exactly: letter).map { Character(Unicode.Scalar($0)) }
    }

    private static func word(
        _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
        _ index: Int32
    ) -> String {
        words[Int(index)].map { String(cString: $0) } ?? ""
    }
}
