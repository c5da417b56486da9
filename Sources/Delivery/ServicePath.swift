public import Widgets

/// The paths of the service.
public enum ServicePath {
    /// The account, with its limits.
    public static let account = "/auth/me"
    /// All widgets.
    public static let widgets = "/widgets"

    /// One widget.
    public static func widget(_ slug: Slug) -> String {
        "/widgets/\(slug)"
    }
}
