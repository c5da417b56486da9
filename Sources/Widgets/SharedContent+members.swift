extension SharedContent {
    /// A content of this template with the members that are set here, for the template's own to be added.
    func content(template: String) -> JSONObject {
        var content: JSONObject = ["template": .string(template)]
        content["label"] = label.map { .string($0.text) }
        content["subtitle"] = subtitle.map { .string($0.text) }
        content["icon"] = icon.map { .string($0.text) }
        content["accent_color"] = accentColor.map { .string($0.text) }
        content["background_color"] = backgroundColor.map { .string($0.text) }
        content["text_color"] = textColor.map { .string($0.text) }
        content["severity"] = severity.map { .string($0.rawValue) }
        content["tap_action"] = tapAction.map { .object($0.members) }
        content["url_action"] = urlAction.map { .object($0.members) }
        content["secondary_url_action"] = secondaryURLAction.map { .object($0.members) }
        return content
    }
}
