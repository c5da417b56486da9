import Readings

/// The widgets of which the messages of one moment have told something.
struct WidgetChanges {
    /// What was told of one widget.
    private enum News {
        case none
        /// What was known is confirmed.
        case report
        case change
    }

    /// When; `nil` while nothing is told.
    private(set) var moment: Moment?
    /// Those with news, each once.
    private var told: [Int] = []
    private var news: [News]

    init(widgets: Int) {
        news = Array(repeating: .none, count: widgets)
    }

    mutating func note(_ widget: Int, hasChanged: Bool, at now: Moment) {
        moment = now
        if news[widget] == .none { told.append(widget) }
        if hasChanged || news[widget] == .none { news[widget] = hasChanged ? .change : .report }
    }

    /// Takes out one of them, and whether one of its values is another. After the last the moment is over.
    mutating func next() -> (widget: Int, hasChanged: Bool)? {
        guard let widget = told.popLast() else {
            moment = nil
            return nil
        }
        defer { news[widget] = .none }
        return (widget, news[widget] == .change)
    }
}
