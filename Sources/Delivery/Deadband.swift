/// The changes that nobody would miss. They never start a push; when one goes, it carries them all the same.
public struct Deadband: Sendable, Equatable {
    /// Of a rate, in the widget's unit.
    public var rate: Double
    /// Of a rate, as a share of what is shown, 0...1. The larger of the two counts.
    public var share: Double
    /// Of a total, in its own unit.
    public var total: Double
    /// Of a level or of a bar, in percentage points.
    public var level: Double

    /// Makes a deadband. Zero everywhere lets every visible change through.
    public init(rate: Double, share: Double, total: Double, level: Double) {
        self.rate = rate
        self.share = share
        self.total = total
        self.level = level
    }

    /// The default for rates in a unit: 100 W or 5 %, half a kWh, 2 percentage points. What a unit means that is not one
    /// of power only its user knows, so there only the share counts.
    public static func standard(unit: String) -> Deadband {
        let watts: Double? =
            switch unit {
            case "W": 100
            case "kW": 0.1
            case "MW": 0.000_1
            case "mW": 100_000
            default: nil
            }
        return Deadband(rate: watts ?? 0, share: 0.05, total: watts == nil ? 0 : 0.5, level: 2)
    }

    /// Whether a row beside a bar waits: its figures are of any unit, so that there is no band for them.
    var holdsRows: Bool { rate > 0 || share > 0 }

    /// The largest change of a shown rate that nobody would miss.
    func ofRate(_ shown: Double) -> Double {
        max(rate, share * shown.magnitude)
    }
}
