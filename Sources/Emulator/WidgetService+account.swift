import Readings
import Widgets

extension WidgetService {
    /// The account, as `GET /auth/me` answers it.
    func user(at now: Moment) -> JSONValue {
        let midnight = RFC3339.text(CalendarMonth.nextMidnight(after: now.wall))
        var user: JSONObject = [
            "id": "emulated", "nickname": .null, "activity_count": 0,
            "subscribed": .bool(quota.plan == .paid),
            "widget_updates_used": JSONValue(quota.used),
            "quota_period_month": JSONValue(quota.month.number),
        ]
        user["widget_updates_limit"] = quota.plan.updateLimit.map { JSONValue($0) }
        switch quota.plan {
        case .free:
            user["quota_resets_at"] = .string(RFC3339.text(quota.month.end))
        case .paid:
            // A trap of the service: on this plan both are about other counters, which start anew each day.
            user["quota_resets_at"] = .string(midnight)
            user["quota_resets_day_at"] = .string(midnight)
        }
        return .object(user)
    }

    /// The refusal of a patch when the month's updates are used up.
    func quotaProblem(at now: Moment) -> Problem {
        var problem = Problem(429, "quota.exceeded", "quota exceeded for widget_updates")
        problem.retryAfter = quota.month.end - now.wall
        problem.more = [
            "kind": "widget_updates",
            "used": JSONValue(quota.used),
            "limit": JSONValue(quota.plan.updateLimit ?? quota.used),
            "reset_at": .string(RFC3339.text(quota.month.end)),
        ]
        return problem
    }
}
