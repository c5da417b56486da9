import Widgets

/// How much a change of what is shown matters to the one who looks.
enum Significance: Int, Comparable {
    /// There is none, or so little that it waits until something else goes.
    case none
    /// All of it is within the deadband.
    case minor
    /// Worth a push at the next interval.
    case ordinary
    /// Worth one at once: a slot appears or goes, a direction turns, a source starts or stops, a countdown
    /// begins or is over.
    case urgent

    static func < (left: Significance, right: Significance) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Judges the change from what the server shows to what it should show.
    /// - Parameter wall: decides whether an end is past.
    init(from stored: JSONObject, to wanted: JSONObject, band: Deadband, at wall: Duration) {
        guard stored["template"] == wanted["template"] else {
            self = .urgent
            return
        }
        guard let shown = FlowFigures(stored), let actual = FlowFigures(wanted) else {
            guard stored != wanted else {
                self = .none
                return
            }
            let turns = Significance.isCounting(stored, at: wall) != Significance.isCounting(wanted, at: wall)
            self = turns ? .urgent : Significance(ofRest: stored, to: wanted, band: band)
            return
        }
        guard stored != wanted else {
            self = .none
            return
        }
        let band = band.scaled(to: shown, actual)
        // What others set on the widget is no change of ours.
        let rest = ContentOwnership.owned(stored: shown.rest, wanted: actual.rest)
        self = zip(shown.slots, actual.slots).enumerated().reduce(rest == actual.rest ? .minor : .ordinary) {
            most,
            slot in
            max(most, Significance(of: slot.element, isOutput: slot.offset == 5, band: band))
        }
    }

    /// Whether something moves by itself towards an end. Where the end lies exactly is no more urgent than any other figure.
    private static func isCounting(_ content: JSONObject, at wall: Duration) -> Bool {
        WidgetDates(content: content).map { $0.end > wall } ?? false
    }

    /// Judges a progress or countdown that neither begins nor ends.
    private init(ofRest stored: JSONObject, to wanted: JSONObject, band: Deadband) {
        guard let shown = ProgressFigures(stored), let actual = ProgressFigures(wanted) else {
            self = stored == wanted ? .none : .ordinary
            return
        }
        // What others set on the widget is no change of ours.
        let rest = ContentOwnership.owned(stored: shown.rest, wanted: actual.rest)
        let rows = shown.rows == actual.rows ? Significance.none : band.holdsRows ? .minor : .ordinary
        self = rest == actual.rest ? max(rows, Significance(ofBar: shown, to: actual, band: band)) : .ordinary
    }

    private init(ofBar shown: ProgressFigures, to actual: ProgressFigures, band: Deadband) {
        let points = ((actual.value - shown.value) * 100).magnitude.rounded()
        // Between two dates the phone moves the bar, and only versions that know no dates look at the value.
        let isMovedByPhone = actual.rest["start_date"] != nil
        if points > 0 && (actual.value == 0 || actual.value == 1) || (points > band.level && !isMovedByPhone) {
            self = .ordinary
        } else {
            // A value that sits between two hundredths goes to and fro by one, for ever.
            self = points > 1 ? .minor : .none
        }
    }

    private init(of slot: (shown: FlowFigures.Node?, actual: FlowFigures.Node?), isOutput: Bool, band: Deadband) {
        guard let shown = slot.shown, let actual = slot.actual else {
            self = slot.shown == nil && slot.actual == nil ? .none : .urgent
            return
        }
        if !isOutput, Significance.startsOrTurns(shown.rate, actual.rate, band) {
            self = .urgent
        } else if shown.rest != actual.rest || (actual.rate - shown.rate).magnitude > band.ofRate(shown.rate)
            || Significance.differ(shown.total, actual.total, by: band.total)
            || Significance.falls(shown.total, actual.total)
            || Significance.differ(shown.level, actual.level, by: band.level)
        {
            self = .ordinary
        } else {
            self = shown == actual ? .none : .minor
        }
    }

    /// Whether a source starts, stops or changes its direction.
    ///
    /// It runs above the band and rests below a quarter of it; in between it does what it did, so that a value that sits
    /// on the threshold does not start and stop for ever.
    private static func startsOrTurns(_ shown: Double, _ actual: Double, _ band: Deadband) -> Bool {
        let runs = max(band.rate, .leastNonzeroMagnitude)
        let rests = band.rate / 4
        let turns = shown * actual < 0 && actual.magnitude > runs
        let starts = shown.magnitude <= rests && actual.magnitude > runs
        let stops = shown.magnitude > runs && actual.magnitude <= rests
        return turns || starts || stops
    }

    /// A figure that appears or goes is always more than its band.
    private static func differ(_ shown: Double?, _ actual: Double?, by band: Double) -> Bool {
        guard let shown, let actual else { return (shown == nil) != (actual == nil) }
        return (actual - shown).magnitude > band
    }

    /// A total that falls, by however little, has begun a new day. A level falls every few minutes, and that is nothing.
    private static func falls(_ shown: Double?, _ actual: Double?) -> Bool {
        guard let shown, let actual else { return false }
        return actual < shown
    }
}

extension Deadband {
    /// With a band for the rates of a unit of which only its user knows what is much: a share of the largest that flows.
    /// Without it a flow of 0.1 that trembles about zero would start, stop and turn for ever.
    fileprivate func scaled(to flows: FlowFigures...) -> Deadband {
        guard rate == 0, share > 0 else { return self }
        var band = self
        band.rate = share * (flows.flatMap(\.slots).compactMap { $0?.rate.magnitude }.max() ?? 0)
        return band
    }
}
