/// What a message says about a reading.
enum Outcome {
    /// A value in the base unit.
    case value(Double)
    /// The source says, or has shown, that it knows nothing: the reading is unknown at once.
    case noData(PayloadFault?)
    /// A number that cannot be: the message is as if never sent, so that one glitch does not blank a display, and the
    /// value before it ages on.
    case implausible(PayloadFault)
    /// The message is not about this reading.
    case absent
}

/// One message of a topic, read once for all readings that want it.
struct Message {
    /// The payload without what `PayloadText.trimmed` drops.
    let text: UnsafeRawBufferPointer
    /// What its JSON holds; nil if it is no JSON or if nobody asked for a path.
    let values: PayloadReader.Values?
    /// Whether it was sent just now, not kept by the broker.
    let isLive: Bool
    let uptime: Duration

    /// The value of a slot, or the whole payload if there is no slot.
    func scalar(at slot: Int32?) -> PayloadScalar {
        if let slot { return values?[Int(slot)] ?? PayloadScalar(kind: .absent, text: text) }
        return PayloadScalar(kind: .string, text: PayloadText.unquoted(text))
    }
}

/// Where the parts of a reading stand in a payload: indices into what `PayloadReader` answers.
struct ReadingSlots {
    var value: Int32?
    var unit: Int32?
    var direction: Int32?
    var condition: Int32?
}

/// How payloads are read for one reading, or for all that are read alike.
///
/// A class, because it never changes: as a value it was copied, with all that it holds, for every message. And shared, so
/// that with thousands of readings it stays in the processor's cache.
final class ReadingRule {
    /// What it depends on.
    struct Form: Hashable {
        let unit: ReadingUnit
        let scale: Double
        let range: ClosedRange<Double>?
        let mark: DecimalMark
        let hasPath: Bool
        /// Texts by their bytes: strings would take two readings for alike whose texts Unicode takes for equal.
        let positive: [Word]
        let negative: [Word]
        let condition: [UInt8]

        init(_ definition: ReadingDefinition) {
            unit = definition.unit
            scale = definition.scale
            range = definition.range
            mark = definition.decimal
            hasPath = definition.path?.tokens.isEmpty == false
            positive = definition.direction?.positive.map(Word.init) ?? []
            negative = definition.direction?.negative.map(Word.init) ?? []
            condition = definition.onlyIf.map { Array($0.equals.utf8) } ?? []
        }
    }

    let unit: ReadingUnit
    let scale: Double
    let range: ClosedRange<Double>?
    let mark: DecimalMark
    /// Whether the reading has a path, so that a payload that is no JSON cannot be about anything else.
    let hasPath: Bool
    private let positive: [Word]
    private let negative: [Word]
    private let condition: [UInt8]
    private let localTime: LocalTime

    /// A level up to this is a full one that its source rounded up; above is a glitch.
    private static let highestLevel = 101.0

    init(_ form: Form, localTime: @escaping LocalTime) {
        self.localTime = localTime
        unit = form.unit
        scale = form.scale
        range = form.range
        mark = form.mark
        hasPath = form.hasPath
        positive = form.positive
        negative = form.negative
        condition = form.condition
    }

    func outcome(of message: Message, at slots: ReadingSlots) -> Outcome {
        if message.text.isEmpty { return .noData(nil) }
        if let slot = slots.condition, !fulfils(message.scalar(at: slot)) { return .absent }
        if hasPath, message.values == nil { return withoutJSON(message.text) }

        let scalar = message.scalar(at: slots.value)
        let number: Double
        switch read(scalar) {
        case .value(let value): number = value
        case let other: return other
        }
        guard let factor = factor(slots.unit, message) else {
            return .noData(PayloadFault(kind: .unknownUnit, excerpt: unitText(slots.unit, message)))
        }
        guard let signed = signed(number, slots.direction, message) else {
            return .noData(PayloadFault(kind: .unknownDirection, excerpt: directionText(slots.direction, message)))
        }
        let value = signed * factor * scale
        guard value.isFinite else { return .noData(PayloadFault(kind: .notFinite, excerpt: scalar.text)) }
        guard let plausible = plausible(value) else {
            return .implausible(PayloadFault(kind: .implausible, excerpt: scalar.text))
        }
        return .value(plausible)
    }

    /// A payload that had to be JSON and is not: a word such as `unavailable`, or a fault.
    private func withoutJSON(_ text: UnsafeRawBufferPointer) -> Outcome {
        let isWord = PayloadText.isNoData(PayloadText.unquoted(text))
        return .noData(isWord ? nil : PayloadFault(kind: .noJSON, excerpt: text))
    }

    private func read(_ scalar: PayloadScalar) -> Outcome {
        switch scalar.kind {
        case .absent:
            return .absent
        case .null:
            return .noData(nil)
        case .number(let value):
            return .value(unit.quantity == .timestamp ? Timestamp.seconds(value) : value)
        case .boolean:
            // Not 1 or 0: what it stands for is on or off, not a quantity.
            return .noData(PayloadFault(kind: .boolean, excerpt: scalar.text))
        case .container:
            return .noData(PayloadFault(kind: .container, excerpt: scalar.text))
        case .string, .word:
            let text = PayloadText.trimmed(scalar.text)
            if unit.quantity == .timestamp { return timestamp(text) }
            // The decimal comma is for text that people format. What stands bare in JSON has a point.
            let isBare = if case .word = scalar.kind { true } else { false }
            switch PayloadText.number(text, mark: isBare ? .point : mark) {
            case .number(let value): return .value(value)
            case .noData: return .noData(nil)
            case .fault(let kind):
                if unit.quantity == .duration, let seconds = ClockSpan.seconds(text) {
                    return .value(seconds / unit.factor)
                }
                return .noData(PayloadFault(kind: kind, excerpt: text))
            }
        }
    }

    private func timestamp(_ text: UnsafeRawBufferPointer) -> Outcome {
        if let value = Timestamp.read(text, localTime: localTime) { return .value(value) }
        return .noData(PayloadText.isNoData(text) ? nil : PayloadFault(kind: .noTimestamp, excerpt: text))
    }

    // MARK: Unit

    /// What the number is multiplied by. Nil if the payload names a unit that does not measure the same.
    private func factor(_ slot: Int32?, _ message: Message) -> Double? {
        guard let slot else { return unit.factor }
        let scalar = message.scalar(at: slot)
        if case .absent = scalar.kind { return unit.factor }
        // No unit's name is longer than what fits into a small string, so this never allocates.
        guard case .string = scalar.kind, scalar.text.count <= 15 else { return nil }
        let named = ReadingUnit(String(decoding: PayloadText.trimmed(scalar.text), as: UTF8.self))
        return named.quantity == unit.quantity ? named.factor : nil
    }

    private func unitText(_ slot: Int32?, _ message: Message) -> UnsafeRawBufferPointer {
        message.scalar(at: slot).text
    }

    // MARK: Direction

    /// The number with the sign that the word beside it tells. Nil if the word is not known: to guess "positive" would
    /// turn export into import.
    private func signed(_ number: Double, _ slot: Int32?, _ message: Message) -> Double? {
        guard let slot else { return number }
        let word = PayloadText.trimmed(message.scalar(at: slot).text)
        if positive.contains(where: { $0.matches(word) }) { return abs(number) }
        if negative.contains(where: { $0.matches(word) }) { return -abs(number) }
        return nil
    }

    private func directionText(_ slot: Int32?, _ message: Message) -> UnsafeRawBufferPointer {
        message.scalar(at: slot).text
    }

    // MARK: Condition and range

    private func fulfils(_ scalar: PayloadScalar) -> Bool {
        switch scalar.kind {
        case .absent, .container:
            return false
        case .number(let value):
            return condition.withUnsafeBytes { scalar.text.elementsEqual($0) || DecimalNumber.read($0) == value }
        case .null, .string, .boolean, .word:
            return condition.elementsEqual(scalar.text)
        }
    }

    private static let largest = 1e12

    /// The value if it can be true, with -0 as 0 and a level's rounding above 100 taken off.
    private func plausible(_ value: Double) -> Double? {
        // No home, and no date, is a million millions of anything. A register's -1 read as unsigned is.
        guard value.magnitude <= Self.largest else { return nil }
        var value = value == 0 ? 0 : value
        if unit.quantity == .level {
            guard (0...Self.highestLevel).contains(value) else { return nil }
            value = min(value, 100)
        }
        if let range, !range.contains(value) { return nil }
        return value
    }
}
