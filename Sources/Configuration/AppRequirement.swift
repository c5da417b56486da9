internal import Bridge
internal import Delivery
internal import EnergyFlow
internal import Widgets

/// What the widgets of a configuration ask of the phones of its account.
public enum AppRequirement {
    /// What a person should know before the first start; `nil` when any phone that shows widgets will do.
    ///
    /// On an app that is too old one such widget makes the whole list of widgets fail, and nothing in the app cures it.
    public static func sentence(for settings: Settings) -> String? {
        let slugs = settings.bridge.widgets.filter(needsNewApp).map(\.widget.slug.description)
        guard !slugs.isEmpty else { return nil }
        let names = slugs.map { "'\($0)'" }.joined(separator: ", ")
        return "Every phone of the account needs iOS 26 and the PushWard app 1.6 or newer. On an older app "
            + (slugs.count == 1 ? "the widget \(names) makes" : "each of the widgets \(names) makes")
            + " the whole list of widgets fail; 'flowbridge widget delete' takes it away again."
    }

    private static func needsNewApp(_ plan: WidgetPlan) -> Bool {
        if plan.widget.staleAfter != nil || plan.push.showsAge || plan.timer != nil { return true }
        switch plan.template {
        case .flow, .countdown: return true
        case .progress(let progress, _): return progress.window != nil
        }
    }
}
