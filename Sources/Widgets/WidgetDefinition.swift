/// The fixed part of one widget: what the configuration says of it, whatever its template.
public struct WidgetDefinition: Sendable, Equatable {
    /// The widget's name in the path of its requests.
    public var slug: Slug
    /// The widget's name in the app's list.
    public var name: BoundedText<NameBound>
    /// Seconds between pushes, 1...3600. `nil` leaves the service's own.
    public var pushThrottle: Int?
    /// Seconds without an update after which the phone dims the widget, 60...604800. `nil` for never.
    public var staleAfter: Int?
    /// The content shared by all templates.
    public var shared: SharedContent

    /// Makes a widget's fixed part.
    public init(
        slug: Slug,
        name: BoundedText<NameBound>,
        pushThrottle: Int? = nil,
        staleAfter: Int? = nil,
        shared: SharedContent = SharedContent()
    ) {
        self.slug = slug
        self.name = name
        self.pushThrottle = pushThrottle
        self.staleAfter = staleAfter
        self.shared = shared
    }
}

/// Content that every template may carry.
public struct SharedContent: Sendable, Equatable {
    /// The heading.
    public var label: BoundedText<LabelBound>?
    /// The second line.
    public var subtitle: BoundedText<LabelBound>?
    /// An SF Symbol, or `mdi:` and a name.
    public var icon: BoundedText<IconBound>?
    /// The accent.
    public var accentColor: WidgetColor?
    /// Behind the content.
    public var backgroundColor: WidgetColor?
    /// Of the text.
    public var textColor: WidgetColor?
    /// How serious it is; it tints the accent unless `accentColor` is set.
    public var severity: Severity?
    /// What a tap on the widget does.
    public var tapAction: WidgetAction?
    /// The first button.
    public var urlAction: WidgetAction?
    /// The second button.
    public var secondaryURLAction: WidgetAction?

    /// Makes shared content; whatever is `nil` is left to the service and the app.
    public init(
        label: BoundedText<LabelBound>? = nil,
        subtitle: BoundedText<LabelBound>? = nil,
        icon: BoundedText<IconBound>? = nil,
        accentColor: WidgetColor? = nil,
        backgroundColor: WidgetColor? = nil,
        textColor: WidgetColor? = nil,
        severity: Severity? = nil,
        tapAction: WidgetAction? = nil,
        urlAction: WidgetAction? = nil,
        secondaryURLAction: WidgetAction? = nil
    ) {
        self.label = label
        self.subtitle = subtitle
        self.icon = icon
        self.accentColor = accentColor
        self.backgroundColor = backgroundColor
        self.textColor = textColor
        self.severity = severity
        self.tapAction = tapAction
        self.urlAction = urlAction
        self.secondaryURLAction = secondaryURLAction
    }
}

/// How serious what a widget shows is.
public enum Severity: String, Sendable, CaseIterable {
    /// As usual.
    case info
    /// To be watched.
    case warning
    /// To be acted upon.
    case critical
    /// As it should be.
    case success
}

/// How a flow's slots look.
public struct FlowAppearance: Sendable, Equatable {
    /// The unit of all rates, as shown.
    public var unit: BoundedText<UnitBound>
    /// One for each input, in order.
    public var inputs: [NodeAppearance]
    /// The battery's.
    public var storage: NodeAppearance
    /// The grid's.
    public var exchange: NodeAppearance
    /// The house's.
    public var output: NodeAppearance

    /// Makes a flow's look.
    public init(
        unit: BoundedText<UnitBound>,
        inputs: [NodeAppearance] = [],
        storage: NodeAppearance = NodeAppearance(),
        exchange: NodeAppearance = NodeAppearance(),
        output: NodeAppearance = NodeAppearance()
    ) {
        self.unit = unit
        self.inputs = inputs
        self.storage = storage
        self.exchange = exchange
        self.output = output
    }
}

/// How one slot looks.
public struct NodeAppearance: Sendable, Equatable {
    /// In place of the app's own label.
    public var name: BoundedText<NodeNameBound>?
    /// An SF Symbol.
    public var icon: BoundedText<IconBound>?
    /// Of the node.
    public var color: WidgetColor?

    /// Makes a slot's look; whatever is `nil` is left to the app.
    public init(
        name: BoundedText<NodeNameBound>? = nil,
        icon: BoundedText<IconBound>? = nil,
        color: WidgetColor? = nil
    ) {
        self.name = name
        self.icon = icon
        self.color = color
    }
}
