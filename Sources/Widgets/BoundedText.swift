/// The most Unicode code points that a kind of text may have (the service counts code points, not characters).
public protocol TextBound: Sendable {
    /// The largest allowed number of code points.
    static var limit: Int { get }
    /// Whether the empty text is refused.
    static var refusesEmpty: Bool { get }
}

/// A text whose length the service accepts.
public struct BoundedText<Bound: TextBound>: Sendable, Hashable {
    /// The text itself.
    public let text: String

    /// Makes a bounded text, or `nil` when it has too many code points or is empty where it must not be.
    public init?(_ text: String) {
        // `count` would count grapheme clusters and let a family emoji of seven code points pass as one.
        guard text.unicodeScalars.count <= Bound.limit, !(Bound.refusesEmpty && text.isEmpty) else { return nil }
        self.text = text
    }

    /// Two texts are the same when their code points are: the service knows no canonical equivalence.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.unicodeScalars.elementsEqual(right.text.unicodeScalars)
    }

    /// Hashes the code points.
    public func hash(into hasher: inout Hasher) {
        for scalar in text.unicodeScalars { hasher.combine(scalar) }
    }
}

/// A widget's name: 1...256.
public enum NameBound: TextBound {
    /// 256 code points.
    public static let limit = 256
    /// A name is required.
    public static let refusesEmpty = true
}

/// A label or subtitle: up to 256.
public enum LabelBound: TextBound {
    /// 256 code points.
    public static let limit = 256
    /// It may be empty.
    public static let refusesEmpty = false
}

/// A unit: up to 32.
public enum UnitBound: TextBound {
    /// 32 code points.
    public static let limit = 32
    /// It may be empty.
    public static let refusesEmpty = false
}

/// A node's name: up to 32.
public enum NodeNameBound: TextBound {
    /// 32 code points.
    public static let limit = 32
    /// It may be empty.
    public static let refusesEmpty = false
}

/// An icon: up to 128.
public enum IconBound: TextBound {
    /// 128 code points.
    public static let limit = 128
    /// It may be empty.
    public static let refusesEmpty = false
}
