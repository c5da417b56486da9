// Whole numbers are told by functions of libm, which this import links.
internal import Glibc

/// A number that JSON can carry: finite, and with one zero only.
///
/// JSON has no word for NaN or infinity, so a value of this type is the proof that a number may be sent.
public struct JSONNumber: Sendable, Hashable {
    /// The number itself; never NaN, infinite or -0.
    public let value: Double

    /// Takes a number, or `nil` when it is NaN or infinite. `-0` becomes `0`.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        // `-0` would be written as such, differ from the stored `0` as text, and look wrong on the phone.
        self.value = value == 0 ? 0 : value
    }

    /// Takes a whole number; exact up to 2⁵³, beyond that the nearest that a `Double` has.
    public init(_ value: Int) {
        self.value = Double(value)
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A number that stands in the source.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// A number that stands in the source, where the compiler refuses one that is too large.
    public init(floatLiteral value: Double) {
        self.value = value.isFinite && value != 0 ? value : 0
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as JSON: a whole one without `.0`, any other as the shortest text that reads back the same.
    public var description: String {
        // Without this `3200` would be written `3200.0`, and 2⁵³ as `9007199254740992.0`.
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }
}
