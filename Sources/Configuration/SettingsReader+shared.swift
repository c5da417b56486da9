internal import Widgets

extension SettingsReader {
    /// What a widget of any template may carry.
    func shared(_ section: Section) -> SharedContent {
        SharedContent(
            label: section.bounded("label"),
            subtitle: section.bounded("subtitle"),
            icon: section.bounded("icon"),
            accentColor: section.color("accent_color"),
            backgroundColor: section.color("background_color"),
            textColor: section.color("text_color"),
            severity: section.choice(
                "severity",
                ["info": .info, "warning": .warning, "critical": .critical, "success": .success]
            ),
            tapAction: action("tap_action", in: section, hasTitle: false),
            urlAction: action("url_action", in: section, hasTitle: true),
            secondaryURLAction: action("secondary_url_action", in: section, hasTitle: true)
        )
    }

    /// What a tap does.
    ///
    /// - Parameter hasTitle: Whether the app shows a title for it.
    private func action(_ key: String, in widget: Section, hasTitle: Bool) -> WidgetAction? {
        let keys = ["url", "method", "headers", "body", "title", "icon", "foreground"]
        guard let entry = widget.entry(key),
            let section = Section(entry.value, widget.name(key), at: entry.mark, keys: keys, log: log)
        else { return nil }
        var members = JSONObject()
        members["url"] = section.required("url").flatMap { log.text($0, section.name("url")) }.map(JSONValue.string)
        members["method"] = section.choice(
            "method",
            [
                "GET": "GET", "POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE", "HEAD": "HEAD",
            ]
        )
        members["headers"] = section.entry("headers").flatMap { headers($0, section.name("headers")) }
        for key in ["body", "title", "icon"] { members[key] = section.text(key).map(JSONValue.string) }
        members["foreground"] = section["foreground"].flatMap { log.truth($0, section.name("foreground")) }
            .map(JSONValue.bool)
        guard members["url"] != nil else { return nil }
        let problems = WidgetAction.problems(in: members)
        for problem in problems {
            // `.url`, `.headers.Accept`: the key that it stands under is the one to point at.
            let key = problem.location.split(separator: ".").first.map(String.init) ?? ""
            log.error(section.entry(key)?.value.mark ?? entry.mark, "\(section.name(key)): \(clause(problem.message))")
        }
        guard problems.isEmpty, let action = WidgetAction(members) else { return nil }
        if action.isIdle {
            log.warning(
                entry.mark,
                "\(section.path) does nothing on the phone: a web address needs foreground: true to be opened, or a method "
                    + "to be requested"
            )
        }
        if let title = section.entry("title"), !hasTitle {
            log.warning(title.mark, "\(section.name("title")) is not shown; only buttons have titles")
        }
        if let headers = section.entry("headers") {
            log.warning(
                headers.mark,
                "\(section.name("headers")) is stored by the service, where whoever has the key can read it; put no secret "
                    + "there"
            )
        }
        return action
    }

    private func headers(_ entry: YAMLEntry, _ name: String) -> JSONValue? {
        guard case .mapping(let entries) = entry.value.content, !entries.isEmpty else {
            log.error(entry.value.isNull ? entry.mark : entry.value.mark, "\(name) must hold names and texts")
            return nil
        }
        var headers = JSONObject()
        for header in entries {
            // The text may be a secret: no message quotes it.
            guard case .scalar(let text, _) = header.value.content, !header.value.isNull else {
                log.error(header.mark, "\(name).\(label(header.key)) must be text")
                return nil
            }
            headers[header.key] = .string(text)
        }
        return .object(headers)
    }
}
