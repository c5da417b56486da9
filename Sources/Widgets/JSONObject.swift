/// The members of a JSON object, in the order in which they were first set.
///
/// Keys are the same when their UTF-8 bytes are: Swift's own `==` would let `é` and `e` + U+0301 collapse into one.
/// The order is kept for reading and for stable bodies; it decides nothing, so it does not count for `==`.
public struct JSONObject: Sendable {
    /// A key and its value.
    public typealias Element = (key: String, value: JSONValue)

    private var members: [Element] = []

    /// Makes an object without members.
    public init() {}

    /// The value of a member, or `nil` when there is none. Setting `nil` removes the member; setting `.null` keeps a
    /// member that is null.
    public subscript(key: String) -> JSONValue? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    private func position(of key: String) -> Int? {
        members.firstIndex { $0.key.hasSameBytes(as: key) }
    }
}

extension JSONObject: RandomAccessCollection {
    /// The first member's position.
    public var startIndex: Int { members.startIndex }

    /// The position after the last member.
    public var endIndex: Int { members.endIndex }

    /// The member at a position.
    public subscript(position: Int) -> Element { members[position] }
}

extension JSONObject: Equatable {
    /// Two objects are the same when they have the same members, in whatever order.
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object that stands in the source. Of members with the same key the last one wins.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        for (key, value) in members { self[key] = value }
    }
}

extension String {
    /// Whether both texts have the same UTF-8 bytes, which `==` (canonical equivalence) does not ask.
    package func hasSameBytes(as other: String) -> Bool {
        // Of two keys that differ most have another length: without this look a patch took half of its time here.
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
