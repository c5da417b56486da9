extension Shape {
    /// A whole widget as it is stored: the body of a POST without its slug, and what a patch is merged into.
    static let widget = Shape.object(widgetMembers)

    /// The body of a POST.
    static let creation = Shape.object([.required("slug", .text(1...128))] + widgetMembers)

    private static let widgetMembers: [Member] = [
        .required("name", .text(1...256)),
        .required("content", content),
        .optional("push_throttle", .whole(1...3600)),
        .optional("stale_after", .whole(60...604_800)),
    ]

    /// A widget's content, whatever its template.
    ///
    /// `device_sort` is not among its members: the service reorders devices by it, and a stand-in that took it without
    /// doing so would be worse than one that refuses it.
    static let content = Shape.object([
        .required("template", .word(Template.allCases.map(\.rawValue))),
        .optional("label", .text(0...256)),
        .optional("subtitle", .text(0...256)),
        .optional("subtitle_timer", timer),
        .optional("unit", .text(0...32)),
        .optional("icon", .text(0...128)),
        .optional("severity", .word(["info", "warning", "critical", "success"])),
        .optional("trend", .word(["up", "down", "flat"])),
        .optional("accent_color", .color),
        .optional("background_color", .color),
        .optional("text_color", .color),
        .optional("stat_rows", .list(statRow, 0...6)),
        .optional("tap_action", action),
        .optional("url_action", action),
        .optional("secondary_url_action", action),
        .optional("value", anyNumber),
        .optional("min_value", anyNumber),
        .optional("max_value", anyNumber),
        .optional("points", .list(anyNumber, 2...48)),
        .optional("start_date", .date),
        .optional("end_date", .date),
        .optional("expired_text", .text(0...64)),
        .optional("devices", .list(device, 1...8)),
        .optional("periods", .list(period, 1...48)),
        .optional("flow", flow),
    ])

    private static let flow = Shape.object([
        .optional("inputs", .list(node, 0...3)),
        .optional("output", node),
        .optional("storage", node),
        .optional("exchange", node),
    ])

    private static let node = Shape.object([
        .required("rate", anyNumber),
        .optional("name", .text(0...32)),
        .optional("total", .number(0...Double.greatestFiniteMagnitude)),
        .optional("level", .number(0...100)),
        .optional("icon", .text(0...128)),
        .optional("color", .color),
    ])

    private static let timer = Shape.object([
        .required("date", .date),
        .optional("style", .word(["timer", "relative"])),
    ])

    private static let statRow = Shape.object([
        .required("label", .text(1...32)),
        .required("value", .text(1...32)),
        .optional("unit", .text(0...16)),
        .optional("timer", timer),
    ])

    private static let action = Shape.object([
        .required("url", .text(1...2048)),
        .optional("title", .text(0...64)),
        .optional("icon", .text(0...64)),
        .optional("method", .word(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])),
        .optional("headers", .texts),
        .optional("body", .text(0...1024)),
        .optional("foreground", .flag),
    ])

    private static let device = Shape.object([
        .required("name", .text(1...32)),
        .required("level", .number(0...100)),
        .optional("charging", .flag),
        .optional("icon", .text(0...128)),
        .optional("color", .color),
    ])

    private static let period = Shape.object([
        .required("start", .date),
        .required("value", anyNumber),
        .optional("level", .word(["low", "medium", "high"])),
    ])
}
