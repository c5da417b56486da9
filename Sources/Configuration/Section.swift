internal import Widgets

/// A mapping of the configuration whose keys are known.
struct Section {
    /// How messages call it: `readings.grid_power`; empty at the top.
    let path: String
    /// Where to point when one of its keys is missing.
    let mark: YAMLMark
    let log: ProblemLog
    private let entries: [YAMLEntry]
    /// Keys that unknown ones were likely meant to be: to report them missing too would count one slip twice.
    private let misspelt: Set<String>

    /// Takes a mapping apart, and reports keys that it should not have.
    ///
    /// - Parameters:
    ///   - later: Keys that are planned, and not in this version.
    ///   - elsewhere: where a key belongs that is known and does not belong here.
    init?(
        _ node: YAMLNode,
        _ path: String,
        at mark: YAMLMark,
        keys: [String],
        later: [String] = [],
        elsewhere: (String) -> String? = { _ in nil },
        log: ProblemLog
    ) {
        guard case .mapping(let entries) = node.content else {
            let whole = path.isEmpty ? "the configuration" : path
            log.error(node.isNull ? mark : node.mark, "\(whole) must hold keys, such as \(list(Array(keys.prefix(2))))")
            return nil
        }
        let place = path.isEmpty ? "" : " in \(path)"
        self.path = path
        self.mark = mark
        self.log = log
        var misspelt: Set<String> = []
        self.entries = entries.filter { entry in
            if keys.contains(where: { $0.utf8.elementsEqual(entry.key.utf8) }) { return true }
            if later.contains(where: { $0.utf8.elementsEqual(entry.key.utf8) }) {
                log.error(entry.mark, "'\(entry.key)'\(place) is not yet supported in this version")
            } else if let home = elsewhere(entry.key) {
                log.error(entry.mark, "'\(entry.key)'\(place) belongs to \(home)")
            } else {
                let meant = nearest(to: entry.key, among: keys)
                if let meant { misspelt.insert(meant) }
                log.error(entry.mark, "unknown key \(quoted(entry.key))\(place)\(didYouMean(meant))")
            }
            return false
        }
        self.misspelt = misspelt
    }

    /// How messages call the value of a key.
    func name(_ key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    /// Whether the key is there at all, even with nothing behind it.
    func has(_ key: String) -> Bool {
        entries.contains { $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// Whether the key is there, or an unknown one that was likely meant to be it.
    func isMeant(_ key: String) -> Bool {
        has(key) || misspelt.contains(key)
    }

    /// The value of a key. A key with nothing behind it has one too: leaving it out is how to get the default.
    subscript(key: String) -> YAMLNode? {
        entry(key)?.value
    }

    /// The key with its value.
    func entry(_ key: String) -> YAMLEntry? {
        entries.first { $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// The value of a key that must be there.
    func required(_ key: String) -> YAMLNode? {
        if let node = self[key] { return node }
        missing(key)
        return nil
    }

    /// The entry of a key that must be there.
    func requiredEntry(_ key: String) -> YAMLEntry? {
        if let entry = entry(key) { return entry }
        missing(key)
        return nil
    }

    private func missing(_ key: String) {
        guard !misspelt.contains(key) else { return }
        log.error(mark, path.isEmpty ? "missing key '\(key)'" : "missing key '\(key)' in \(path)")
    }

    func text(_ key: String) -> String? {
        self[key].flatMap { log.text($0, name(key)) }
    }

    func choice<Value>(_ key: String, _ choices: KeyValuePairs<String, Value>) -> Value? {
        self[key].flatMap { log.choice($0, name(key), choices) }
    }

    func bounded<Bound>(_ key: String) -> BoundedText<Bound>? {
        self[key].flatMap { log.bounded($0, name(key)) }
    }

    func color(_ key: String) -> WidgetColor? {
        self[key].flatMap { log.color($0, name(key)) }
    }

    func duration(_ key: String, from least: Int = 1, to most: Int? = nil) -> Duration? {
        self[key].flatMap { log.duration($0, name(key), from: least, to: most) }
    }
}
