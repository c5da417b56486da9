import Delivery
import Testing
import Widgets

@Suite("Members that leave the configuration")
struct OwnMembersTests {
    private let plain = Desk.content(house: 100)

    private func content(_ members: JSONObject) -> JSONObject {
        MergePatch.apply(members, to: plain)
    }

    /// What a run leaves that wanted this content and found it held.
    private func note(_ content: JSONObject, policy: PushPolicy = Desk.plain) throws -> [String: String] {
        var desk = try Desk(policy: policy)
        try desk.begin(holding: content)
        desk.want(content)
        return desk.delivery.notes
    }

    @Test("are removed by the next patch, at once, while what others have set stays")
    func removed() throws {
        let notes = try note(content(["subtitle": "Roof", "severity": "info"]))
        var desk = try Desk(notes: notes)
        try desk.begin(holding: content(["subtitle": "Roof", "severity": "info", "icon": "bolt"]))
        desk.want(content(["severity": "info"]))
        let request = try desk.request()
        #expect(request.body == ["content": ["subtitle": .null]])
        // Killed before the answer, the next run knows of it still.
        #expect(desk.delivery.notes["content.power"]?.split(separator: " ").contains("subtitle") == true)
        desk.answer(request, 200, Desk.widget(content(["severity": "info", "icon": "bolt"])))
        #expect(desk.requests().isEmpty)
        #expect(desk.delivery.notes["content.power"]?.split(separator: " ").contains("subtitle") == false)
    }

    @Test("are remembered by a run that never knew what to show")
    func unknown() throws {
        let notes = try note(content(["subtitle": "Roof"]))
        var desk = try Desk(notes: notes)
        try desk.begin(holding: content(["subtitle": "Roof"]))
        desk = try Desk(notes: desk.delivery.notes)
        try desk.begin(holding: content(["subtitle": "Roof"]))
        desk.want(plain)
        #expect(try desk.request().body == ["content": ["subtitle": .null]])
    }

    @Test("are somebody else's once they were gone")
    func gone() throws {
        let notes = try note(content(["subtitle": "Roof"]))
        var desk = try Desk(notes: notes)
        try desk.begin(holding: plain)
        desk.want(plain)
        #expect(desk.requests().isEmpty)
        desk = try Desk(notes: desk.delivery.notes)
        try desk.begin(holding: content(["subtitle": "Another's"]))
        desk.want(plain)
        #expect(desk.requests().isEmpty)
    }

    @Test("may be the age of the data, which would count up for ever")
    func age() throws {
        var aged = Desk.plain
        aged.showsAge = true
        let held = content(["subtitle_timer": ["date": "2026-03-19T00:00:00Z", "style": "relative"]])
        let notes = try note(plain, policy: aged)
        var same = try Desk(policy: aged, notes: notes)
        try same.begin(holding: held)
        same.want(plain)
        #expect(same.requests().isEmpty)
        var without = try Desk(notes: notes)
        try without.begin(holding: held)
        without.want(plain)
        #expect(try without.request().body == ["content": ["subtitle_timer": .null]])
    }

    @Test("go in one of two ways when an answer was lost: the patch is repeated until it is certain")
    func lostAnswer() throws {
        let notes = try note(content(["subtitle": "Roof"]))
        var desk = try Desk(notes: notes)
        try desk.begin(holding: content(["subtitle": "Roof"]))
        desk.want(plain)
        desk.fail(try desk.request(), .unanswered)
        desk.pass(.seconds(120))
        let again = try desk.request()
        #expect(again.body == ["content": ["subtitle": .null]])
        desk.answer(again, 200, Desk.widget(plain))
        desk.pass(.seconds(3600))
        #expect(desk.requests().isEmpty)
    }
}

extension Desk {
    /// Answers the first read.
    fileprivate mutating func begin(holding content: JSONObject) throws {
        answer(try request(), 200, Desk.widget(content))
    }
}
