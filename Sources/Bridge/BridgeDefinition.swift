public import Delivery
public import EnergyFlow
public import Readings
public import Widgets

/// All that the core needs of a configuration.
public struct BridgeDefinition: Sendable, Equatable {
    /// The readings; widgets refer to them by index.
    public var readings: [ReadingDefinition]
    /// The widgets, in the order of the configuration.
    public var widgets: [WidgetPlan]

    /// Makes a definition.
    public init(readings: [ReadingDefinition], widgets: [WidgetPlan]) {
        self.readings = readings
        self.widgets = widgets
    }
}

/// One widget: its fixed part, its template with what feeds it, and how often it may be pushed.
public struct WidgetPlan: Sendable, Equatable {
    /// The fixed part.
    public var widget: WidgetDefinition
    /// The template and what feeds it.
    public var template: TemplatePlan
    /// The time below the heading, if there is one.
    public var timer: SubtitleTimer?
    /// How often it may be pushed.
    public var push: PushPolicy

    /// Makes a plan.
    public init(
        widget: WidgetDefinition,
        template: TemplatePlan,
        timer: SubtitleTimer? = nil,
        push: PushPolicy = PushPolicy()
    ) {
        self.widget = widget
        self.template = template
        self.timer = timer
        self.push = push
    }
}

extension WidgetPlan {
    /// The indices of all readings behind it, each once.
    var readings: [Int] {
        let readings = template.readings
        guard let reading = timer?.moment.reading, !readings.contains(reading) else { return readings }
        return readings + [reading]
    }
}

/// A template, how it looks, and what feeds it.
public enum TemplatePlan: Sendable, Equatable {
    /// Sources, battery, grid and house.
    case flow(FlowDefinition, FlowAppearance)
    /// A bar, which moves by itself between two dates, with rows beside it.
    case progress(ProgressDefinition, [StatRow])
    /// The time to a date, and what stands in its place once it is past.
    case countdown(CountdownDefinition, BoundedText<ExpiredTextBound>?)
}

extension TemplatePlan {
    /// The flow whose totals are kept for the widget; one without slots when it is no flow.
    var flow: FlowDefinition {
        switch self {
        case .flow(let flow, _): flow
        case .progress, .countdown: FlowDefinition()
        }
    }

    /// The indices of the readings of which today's total is shown without a slot of a flow, if they count.
    var counters: [Int] {
        switch self {
        case .progress(let progress, _): progress.readings
        case .flow, .countdown: []
        }
    }

    /// The indices of all readings behind it, each once.
    var readings: [Int] {
        switch self {
        case .flow(let flow, _): flow.readings
        case .progress(let progress, _): progress.readings
        case .countdown(let countdown, _): countdown.readings
        }
    }
}
