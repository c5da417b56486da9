import Delivery
import EnergyFlow
import Readings
import Widgets

/// What turns readings into the wanted document of one flow widget.
struct FlowFeed: Sendable {
    private let widget: WidgetDefinition
    private let flow: FlowDefinition
    private let appearance: FlowAppearance
    /// Since when the balance has been impossible.
    private var impossibleSince: Duration?
    private var hasWarned = false
    private var hasTotals: Bool { flow.slots.contains { $0.total != nil } }

    /// A balance below zero for less than this is a matter of readings that were not taken together.
    private static let patience = Duration.seconds(60)
    /// How long a total may grow unseen.
    private static let growth = Duration.seconds(60)

    init(_ widget: WidgetDefinition, _ flow: FlowDefinition, _ appearance: FlowAppearance) {
        self.widget = widget
        self.flow = flow
        self.appearance = appearance
    }

    mutating func evaluate(
        _ readings: borrowing Readings,
        totals: (FlowSlot) -> Double?,
        at now: Moment
    ) -> WidgetFeed.Evaluation {
        var evaluation = WidgetFeed.Evaluation()
        // Totals grow by equal reports, and by time alone.
        evaluation.recheck = hasTotals ? now.uptime + FlowFeed.growth : nil
        let resolution = flow.resolve(total: totals) { readings.value($0) }
        if let shortfall = resolution.shortfall {
            let since = impossibleSince ?? now.uptime
            impossibleSince = since
            guard now.uptime - since >= FlowFeed.patience else {
                evaluation.recheck = since + FlowFeed.patience
                return evaluation
            }
            if !hasWarned {
                hasWarned = true
                evaluation.lines.append(FlowFeed.warning(widget.slug, shortfall: shortfall, unit: appearance.unit.text))
            }
        } else {
            impossibleSince = nil
            hasWarned = false
        }
        guard let content = FlowContent.content(frame: resolution.frame, appearance: appearance, shared: widget.shared)
        else {
            evaluation.isAlive = false
            return evaluation
        }
        evaluation.document = WidgetDocument(widget, content: content)
        return evaluation
    }

    private static func warning(_ slug: Slug, shortfall: Double, unit: String) -> LogEntry {
        LogEntry(
            .warning,
            "The balance of the widget '\(slug)' has been \(Int(min(shortfall.rounded(), 1e15))) \(unit) below zero for a minute and "
                + "is shown as 0: a source is missing from the configuration, or a sign is the wrong way round."
        )
    }
}
