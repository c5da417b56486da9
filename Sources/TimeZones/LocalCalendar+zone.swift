public import EnergyFlow
import Glibc
import Synchronization

extension LocalCalendar {
    /// The calendar of an IANA time zone (`Europe/Berlin`), from glibc's time zone data, for the years 1970 to 2100.
    ///
    /// It sets the environment's `TZ` for a few milliseconds. So it is for the start of a program, before other threads
    /// look at the environment or ask for local time.
    public init(zone: String) throws(TimeZoneError) {
        try ZoneFile.check(zone)
        self = environment.withLock { _ in
            withTimeZone(zone) { LocalCalendar(zone: zone, offset: utcOffset(at: 0), changes: offsetChanges()) }
        }
    }
}

/// Serialises what is here; the environment belongs to the whole process.
private let environment = Mutex<Void>(())

/// Runs `body` with `TZ` set to the zone's file, and puts the old value back.
private func withTimeZone<Result>(_ zone: String, _ body: () -> Result) -> Result {
    let former = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", ":\(zone)", 1)
    tzset()
    defer {
        if let former {
            setenv("TZ", former, 1)
        } else {
            unsetenv("TZ")
        }
        tzset()
    }
    return body()
}

/// Every change of the offset until 2100, found by looking once a week and halving the week that holds a change.
private func offsetChanges() -> [LocalCalendar.Change] {
    let week = 7 * 86_400
    let end = 4_102_444_800  // 2100-01-01
    var changes: [LocalCalendar.Change] = []
    var offset = utcOffset(at: 0)
    for start in stride(from: 0, to: end, by: week) {
        let next = utcOffset(at: start + week)
        guard next != offset else { continue }
        var old = start
        var new = start + week
        while new - old > 1 {
            let middle = (old + new) / 2
            if utcOffset(at: middle) == offset {
                old = middle
            } else {
                new = middle
            }
        }
        changes.append(LocalCalendar.Change(start: new, offset: next))
        offset = next
    }
    return changes
}

/// Seconds east of UTC in the zone that `TZ` names.
private func utcOffset(at second: Int) -> Int {
    var time = time_t(second)
    var fields = tm()
    localtime_r(&time, &fields)
    return fields.tm_gmtoff
}
