/// The known units that somebody meant who wrote this: another case, or spelled out. Empty for a known unit, and for a unit
/// of its own.
func unitsMeant(by text: String) -> [String] {
    if known.contains(text) { return [] }
    let word = text.lowercased()
    return spelled.first { $0.key == word }.map { [$0.value] } ?? known.filter { $0.lowercased() == word }
}

private let known = ["W", "kW", "MW", "mW", "Wh", "kWh", "MWh", "%", "fraction", "s", "min", "h", "timestamp"]

private let spelled: KeyValuePairs = [
    "watt": "W", "watts": "W", "kilowatt": "kW", "kilowatts": "kW", "watthours": "Wh", "kilowatthours": "kWh",
    "kw/h": "kWh", "kw h": "kWh", "percent": "%", "pct": "%", "sec": "s", "second": "s", "seconds": "s", "mins": "min",
    "minute": "min", "minutes": "min", "hour": "h", "hours": "h",
]
