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
    /// How often it may be pushed.
    public var push: PushPolicy

    /// Makes a plan.
    public init(widget: WidgetDefinition, template: TemplatePlan, push: PushPolicy = PushPolicy()) {
        self.widget = widget
        self.template = template
        self.push = push
    }
}

/// A template, how it looks, and what feeds it.
public enum TemplatePlan: Sendable, Equatable {
    /// Sources, battery, grid and house.
    case flow(FlowDefinition, FlowAppearance)
}
