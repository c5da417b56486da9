/// What stands in place of an end that is past: up to 64.
public enum ExpiredTextBound: TextBound {
    /// 64 code points.
    public static let limit = 64
    /// It may be empty.
    public static let refusesEmpty = false
}

/// The content of a countdown widget. The phone counts by itself, down to the end and up from it; there is no empty
/// countdown, so that one with nothing to count to has an end that is past.
public enum CountdownContent {
    /// The `content` object.
    /// - Parameter expiredText: shown from the end on; without it the phone counts up.
    public static func content(
        dates: WidgetDates,
        expiredText: BoundedText<ExpiredTextBound>?,
        shared: SharedContent
    ) -> JSONObject {
        var content = shared.content(template: "countdown")
        dates.write(into: &content)
        content["expired_text"] = expiredText.map { .string($0.text) }
        return content
    }
}
