import Widgets

/// Which members of one widget's content flowbridge has set, over restarts: one that leaves the configuration has to leave
/// the widget as well, while what others have set there stays.
struct OwnMembers: Sendable {
    /// What an earlier run or document had set, as far as the service may still hold it.
    private var former: [String]

    /// Goes on from what an earlier run noted.
    init(note: String?) {
        former = note?.split(separator: " ").map(String.init) ?? []
    }

    /// Takes note of a document that gives way to another one.
    mutating func leave(_ wanted: JSONObject) {
        for (name, _) in wanted where !former.contains(where: { $0.hasSameBytes(as: name) }) {
            former.append(name)
        }
    }

    /// For the next run.
    func note(wanted: JSONObject?, showsAge: Bool) -> String {
        var names = wanted?.map(\.key) ?? []
        if showsAge { names.append(OwnMembers.age) }
        names += former.filter { name in !names.contains { $0.hasSameBytes(as: name) } }
        return names.joined(separator: " ")
    }

    /// Those that are to go.
    func abandoned(wanted: JSONObject, showsAge: Bool) -> [String] {
        former.filter { wanted[$0] == nil && !(showsAge && $0 == OwnMembers.age) }
    }

    /// Takes note of what the service certainly holds. What it lacks is gone, and whoever sets it from now on is another.
    mutating func confirm(_ held: JSONObject) {
        former.removeAll { held[$0] == nil }
    }

    /// The one member that rides along with a patch, and is no part of what is wanted.
    static let age = "subtitle_timer"
}
