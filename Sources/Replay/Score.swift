import Delivery
import Widgets

/// What a replay cost and how right the widgets were, widget by widget.
public struct Score: Sendable {
    /// The score of one widget.
    public struct Widget: Sendable, Equatable {
        /// The widget.
        public let slug: String
        /// Writes.
        public fileprivate(set) var requests = 0
        /// The size of all bodies, in bytes.
        public fileprivate(set) var bytes = 0
        /// The size of each PATCH, in bytes.
        public fileprivate(set) var patches: [Int] = []
        /// What it showed, in the order of time; empty when it is no flow of power.
        public fileprivate(set) var frames: [ShownError.Frame] = []
        fileprivate var content: JSONObject = [:]

        fileprivate init(slug: String) {
            self.slug = slug
        }
    }

    /// The widgets in the order of their first write.
    public private(set) var widgets: [Widget] = []

    /// Makes a score of nothing yet.
    public init() {}

    /// Takes what a replay tells.
    public mutating func take(_ output: Replay.Output) {
        guard case .write(let at, let request) = output, let body = request.body?.asObject else { return }
        guard let slug = body["slug"]?.asString ?? request.path.split(separator: "/").last.map(String.init) else {
            return
        }
        let index = widgets.firstIndex { $0.slug == slug } ?? widgets.endIndex
        if index == widgets.endIndex { widgets.append(Widget(slug: slug)) }
        let size = JSONValue.object(body).description.utf8.count
        widgets[index].requests += 1
        widgets[index].bytes += size
        if request.method == .patch { widgets[index].patches.append(size) }
        guard let change = body["content"]?.asObject else { return }
        let held = request.method == .patch ? widgets[index].content : [:]
        widgets[index].content = MergePatch.apply(change, to: held)
        if let power = PowerBySlot(content: widgets[index].content) {
            widgets[index].frames.append(ShownError.Frame(at: at, power: power))
        }
    }

    /// One JSON line a widget. W, bytes and shares; a widget that shows no flow of power has no errors.
    public func lines(against truth: TruthTable) -> [String] {
        let peak = truth.peak
        return widgets.map { widget in
            let sizes = widget.patches.sorted()
            var line: JSONObject = [
                "slug": .string(widget.slug),
                "requests": JSONValue(widget.requests),
                "bytes": JSONValue(widget.bytes),
            ]
            if let largest = sizes.last {
                line["patch"] = ["median": JSONValue(sizes[sizes.count / 2]), "largest": JSONValue(largest)]
            }
            if !widget.frames.isEmpty {
                let error = ShownError(of: widget.frames, against: truth)
                let percentile = error.percentile95
                var slots: JSONObject = [:]
                for (index, name) in PowerBySlot.names.enumerated() {
                    slots[name] = [
                        "mean": Score.number(error.mean.slots[index], decimals: 1),
                        "of_peak": Score.number(error.mean.slots[index] / peak.slots[index], decimals: 5),
                        "p95": Score.number(percentile.slots[index], decimals: 1),
                    ]
                }
                line["error"] = .object(slots)
                line["r"] = Score.number(error.relative, decimals: 4)
            }
            return line.description
        }
    }

    /// `null` where nothing flowed, so that there is no share of it.
    private static func number(_ value: Double, decimals: Int) -> JSONValue {
        var steps = 1.0
        for _ in 0..<decimals { steps *= 10 }
        return JSONValue((value * steps).rounded() / steps) ?? .null
    }
}
