internal import Bridge

/// Turns the tree of a configuration into settings, and reports all that cannot be.
struct SettingsReader {
    let log: ProblemLog
    let zones: TimeZones
    /// What relative paths are relative to: empty, or ends with a slash.
    let directory: String

    func settings(from root: YAMLNode) -> Settings? {
        let keys = ["broker", "pushward", "timezone", "readings", "widgets"]
        guard let top = Section(root, "", at: .start, keys: keys, log: log) else { return nil }
        let broker = top.requiredEntry("broker").flatMap(self.broker)
        let service = top.requiredEntry("pushward").flatMap(self.service)
        let zone = timeZone(top["timezone"])
        let readings = top.requiredEntry("readings").map(self.readings)
        let widgets = top.requiredEntry("widgets").flatMap { self.widgets($0, readings ?? ReadingTable()) }
        guard let broker, let service, let zone, let widgets, let definitions = readings?.definitions else {
            return nil
        }
        let bridge = BridgeDefinition(readings: definitions, widgets: widgets)
        return Settings(broker: broker, service: service, timeZone: zone, bridge: bridge)
    }

    private func timeZone(_ node: YAMLNode?) -> String? {
        guard let node else { return zones.system }
        guard let name = log.text(node, "timezone") else { return nil }
        guard zones.knows(name) else {
            log.error(
                node.mark,
                "unknown time zone \(quoted(name))\(didYouMean(nearest(to: name, among: zones.names)))"
            )
            return nil
        }
        return name
    }

    /// A path, taken relative to the configuration.
    func path(_ node: YAMLNode, _ name: String) -> String? {
        guard let text = log.text(node, name) else { return nil }
        return text.hasPrefix("/") ? text : directory + text
    }
}
