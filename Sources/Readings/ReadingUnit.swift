/// The unit of a reading on the wire, and what it is converted to on the way in.
public struct ReadingUnit: Sendable, Hashable {
    /// What kind of thing is measured.
    public enum Quantity: Sendable, Hashable {
        /// Power, in W inside.
        case power
        /// Energy, in kWh inside.
        case energy
        /// A level, in % inside.
        case level
        /// A span of time, in seconds inside.
        case duration
        /// A point in time, in unix seconds inside.
        case timestamp
        /// Anything else, taken as it is, under the name it has.
        case other(String)
    }

    /// What is measured.
    public let quantity: Quantity
    /// What a value on the wire is multiplied by to be in the base unit.
    public let factor: Double

    private init(_ quantity: Quantity, factor: Double) {
        self.quantity = quantity
        self.factor = factor
    }

    /// Reads a unit as the configuration and payloads name it. Case decides: `mW` is not `MW`.
    ///
    /// Any text that is not a known unit is a unit of its own (`L/min`, `Mbit/s`).
    public init(_ name: String) {
        switch name {
        case "W": self.init(.power, factor: 1)
        case "kW": self.init(.power, factor: 1_000)
        case "MW": self.init(.power, factor: 1_000_000)
        case "mW": self.init(.power, factor: 0.001)
        case "Wh": self.init(.energy, factor: 0.001)
        case "kWh": self.init(.energy, factor: 1)
        case "MWh": self.init(.energy, factor: 1_000)
        case "%": self.init(.level, factor: 1)
        case "fraction": self.init(.level, factor: 100)
        case "s": self.init(.duration, factor: 1)
        case "min": self.init(.duration, factor: 60)
        case "h": self.init(.duration, factor: 3600)
        case "timestamp": self.init(.timestamp, factor: 1)
        default: self.init(.other(name), factor: 1)
        }
    }
}
