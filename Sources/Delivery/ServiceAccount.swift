import Widgets

/// What the service tells of the account.
struct ServiceAccount: Sendable, Equatable {
    /// Widget updates a month; `nil` when there is no limit.
    var limit: Int?
    /// Widget updates spent in this month.
    var used: Int

    /// Reads the account as the service answers it; `nil` when it is no object.
    init?(_ value: JSONValue) {
        guard let members = value.asObject else { return nil }
        limit = members["widget_updates_limit"]?.asNumber.flatMap { Int(exactly: $0) }
        used = members["widget_updates_used"]?.asNumber.flatMap { Int(exactly: $0) } ?? 0
    }

    /// What is left of the month; `nil` without a limit.
    var left: Int? { limit.map { max(0, $0 - used) } }
}
