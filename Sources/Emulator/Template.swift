import Readings
import Widgets

/// How a widget is drawn, and so what its content must have.
enum Template: String, CaseIterable {
    /// One number.
    case value
    /// A bar.
    case progress
    /// A word and its severity.
    case status
    /// A needle between two bounds.
    case gauge
    /// Up to six rows.
    case statList = "stat_list"
    /// A number and its history.
    case trend
    /// The time until a date.
    case countdown
    /// Charge levels.
    case battery
    /// Periods of a day.
    case schedule
    /// Rates between sources, a store, the outside and a consumer.
    case flow

    /// What content of the right shape still lacks, or contradicts, to be drawn. The order of dates, the actions and
    /// the slots are looked at whatever the template is, so what another template left behind can be in the way.
    static func violations(of content: JSONObject, at location: String) -> [Violation] {
        guard let template = content["template"]?.asString.flatMap(Template.init(rawValue:)) else { return [] }
        return template.needs(of: content, at: location) + template.bounds(of: content, at: location)
            + sequences(of: content, at: location)
            + ["tap_action", "url_action", "secondary_url_action"].flatMap { key in
                content[key]?.asObject.map { ActionRules.violations(of: $0, at: "\(location).\(key)") } ?? []
            }
    }

    private func needs(of content: JSONObject, at location: String) -> [Violation] {
        var keys: [String] {
            switch self {
            case .value, .status: []
            case .progress: content["start_date"] != nil && content["end_date"] != nil ? [] : ["value"]
            case .gauge: ["value", "min_value", "max_value"]
            case .statList: ["stat_rows"]
            case .trend: ["value", "points"]
            case .countdown: ["end_date"]
            case .battery: ["devices"]
            case .schedule: ["periods"]
            case .flow: ["flow"]
            }
        }
        return keys.filter { content[$0] == nil }.map {
            Violation(
                message: "\($0) is required for \(rawValue) widget template",
                location: "\(location).\($0)",
                value: nil
            )
        }
    }

    private func bounds(of content: JSONObject, at location: String) -> [Violation] {
        let value = content["value"]?.asNumber
        switch self {
        case .progress:
            if let value, !(0...1).contains(value) {
                return [violation("value must be between 0 and 1", "value", of: content, at: location)]
            }
        case .gauge:
            if let value, let low = content["min_value"]?.asNumber, let high = content["max_value"]?.asNumber,
                low < high, !(low...high).contains(value)
            {
                return [violation("value must be between min_value and max_value", "value", of: content, at: location)]
            }
        case .statList:
            if content["stat_rows"]?.asArray?.isEmpty == true {
                return [violation("stat_rows must have 1 to 6 rows", "stat_rows", of: content, at: location)]
            }
        default: break
        }
        return []
    }

    /// Things that must stand in order, and a flow that must have something in it.
    private static func sequences(of content: JSONObject, at location: String) -> [Violation] {
        var found: [Violation] = []
        if let start = date(content["start_date"]), let end = date(content["end_date"]), start >= end {
            found.append(violation("start_date must be before end_date", "start_date", of: content, at: location))
        }
        if let low = content["min_value"]?.asNumber, let high = content["max_value"]?.asNumber, low >= high {
            found.append(violation("min_value must be less than max_value", "min_value", of: content, at: location))
        }
        let starts = (content["periods"]?.asArray ?? []).compactMap { date($0.asObject?["start"]) }
        if zip(starts, starts.dropFirst()).contains(where: { $0 >= $1 }) {
            found.append(
                violation("periods must be in strictly increasing order", "periods", of: content, at: location)
            )
        }
        if let flow = content["flow"]?.asObject, flow.allSatisfy({ $0.value == [] }) {
            let message = "flow needs at least one of inputs, output, storage, exchange"
            found.append(violation(message, "flow", of: content, at: location))
        }
        return found
    }

    private static func date(_ value: JSONValue?) -> Duration? {
        value?.asString.flatMap(RFC3339.parse)
    }
}

/// A violation of one member of content.
private func violation(_ message: String, _ key: String, of content: JSONObject, at location: String) -> Violation {
    Violation(message: message, location: "\(location).\(key)", value: content[key])
}
