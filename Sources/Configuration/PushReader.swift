internal import Delivery

/// Reads how a widget is pushed: `push` and `freshness`.
struct PushReader {
    let log: ProblemLog
    /// The widget's section.
    let section: Section
    /// The widget's unit, which the deadband is in; `nil` when it could not be read.
    let unit: String?
    /// Whether the widget has a day with totals to show.
    let hasEvening: Bool
    /// Seconds over which the service gathers pushes, when the configuration names them.
    let throttle: Int?

    /// The service gathers pushes over this span unless `push_throttle` says otherwise.
    private static let standardThrottle = 15

    func policy() -> PushPolicy {
        var policy = PushPolicy(deadband: .standard(unit: unit ?? "W"))
        if !hasEvening { policy.evening = nil }
        policy.showsAge = section.choice("freshness", ["none": false, "timer": true]) ?? false
        guard let entry = section.entry("push"),
            let push = Section(
                entry.value,
                section.name("push"),
                at: entry.mark,
                keys: ["every", "urgent", "settle", "deadband", "budget"] + (hasEvening ? ["evening"] : []),
                elsewhere: { $0 == "evening" ? "the template flow" : nil },
                log: log
            )
        else { return policy }
        intervals(push, &policy)
        deadband(push, &policy.deadband)
        if let node = push["budget"], let text = log.word(node, push.name("budget")) {
            if let budget = Budget(text) {
                policy.budget = budget
            } else {
                log.error(
                    node.mark,
                    "\(push.name("budget")) must be auto, unlimited, or a number of updates such as 72/day or 50/month"
                )
            }
        }
        if let node = push["evening"], let text = log.text(node, push.name("evening")) {
            if let time = PushReader.timeOfDay(text) {
                policy.evening = time
            } else {
                log.error(node.mark, "\(push.name("evening")) must be a local time such as \"21:00\", in quotes")
            }
        }
        return policy
    }

    private func intervals(_ push: Section, _ policy: inout PushPolicy) {
        if let every = push.duration("every") { policy.every = every }
        if let settle = push.duration("settle", from: 0) { policy.settle = settle }
        if let urgent = push.duration("urgent") {
            policy.urgent = urgent
        } else if !push.has("urgent") {
            policy.urgent = min(policy.urgent, policy.every)
        }
        if policy.urgent > policy.every, let node = push["urgent"] ?? push["every"] {
            log.error(node.mark, "\(push.name("urgent")) cannot be longer than \(push.name("every"))")
        }
        let gathered = throttle ?? PushReader.standardThrottle
        if policy.every < .seconds(gathered), let node = push["every"] {
            log.warning(
                node.mark,
                "\(push.name("every")) is shorter than the \(gathered) s over which the service gathers pushes"
            )
        }
    }

    /// One number is the band of the rates; 0 lets every visible change through.
    private func deadband(_ push: Section, _ band: inout Deadband) {
        guard let entry = push.entry("deadband") else { return }
        let name = push.name("deadband")
        if case .scalar = entry.value.content {
            guard let rate = notNegative(entry.value, name) else { return }
            band = rate == 0 ? Deadband(rate: 0, share: 0, total: 0, level: 0) : band
            band.rate = rate
            return
        }
        let keys = ["rate", "percent", "total", "level"]
        guard let section = Section(entry.value, name, at: entry.mark, keys: keys, log: log) else { return }
        if let rate = section["rate"].flatMap({ notNegative($0, section.name("rate")) }) { band.rate = rate }
        if let percent = section["percent"].flatMap({ notNegative($0, section.name("percent")) }) {
            band.share = percent / 100
        }
        if let total = section["total"].flatMap({ notNegative($0, section.name("total")) }) { band.total = total }
        if let level = section["level"].flatMap({ notNegative($0, section.name("level")) }) { band.level = level }
    }

    private func notNegative(_ node: YAMLNode, _ name: String) -> Double? {
        guard let number = log.number(node, name) else { return nil }
        guard number >= 0 else {
            log.error(node.mark, "\(name) must not be negative")
            return nil
        }
        return number
    }

    /// `HH:MM`, since local midnight.
    private static func timeOfDay(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isASCIIDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return .seconds(hour * 3600 + minute * 60)
    }
}
