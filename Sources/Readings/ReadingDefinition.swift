/// What one named reading of the configuration is: where it comes from and how its payload becomes a number.
public struct ReadingDefinition: Sendable, Equatable {
    /// The name that widgets refer to.
    public var name: String
    /// The topic, or with `combine` a filter, to subscribe to, byte for byte.
    public var topic: TopicFilter
    /// Where in a JSON payload the value stands; without it the payload is the value.
    public var path: JSONPointer?
    /// The unit on the wire. It is converted to its kind's base unit on the way in.
    public var unit: ReadingUnit
    /// Where in the same payload the unit itself is named; goes before `unit` when it names a unit of the same kind.
    public var unitPath: JSONPointer?
    /// Multiplied on the way in. `-1` turns a sign.
    public var scale: Double
    /// Whether the value is an energy counter, and when its source resets it.
    public var counts: CounterKind?
    /// How the members that a wildcard brings become one value.
    public var combine: Combination?
    /// The sign in a field beside the magnitude.
    public var direction: DirectionField?
    /// Messages that do not fulfil it are as if never sent.
    public var onlyIf: MessageCondition?
    /// Plausible values in the base unit, after `scale` and `direction`; a message outside it is as if never sent.
    public var range: ClosedRange<Double>?
    /// The age at which the value is no longer known.
    public var expiry: Expiry
    /// What the value is once it is expired or its source unavailable.
    public var expired: ExpiredValue
    /// The availability topic, which goes before age.
    public var available: AvailabilitySource?
    /// Whether a retained message gives the first picture.
    public var retained: RetainedPolicy
    /// The decimal mark of plain-text numbers.
    public var decimal: DecimalMark

    /// Makes a reading with the configuration's defaults for all that is not given.
    public init(
        name: String,
        topic: TopicFilter,
        path: JSONPointer? = nil,
        unit: ReadingUnit,
        unitPath: JSONPointer? = nil,
        scale: Double = 1,
        counts: CounterKind? = nil,
        combine: Combination? = nil,
        direction: DirectionField? = nil,
        onlyIf: MessageCondition? = nil,
        range: ClosedRange<Double>? = nil,
        expiry: Expiry? = nil,
        expired: ExpiredValue = .unknown,
        available: AvailabilitySource? = nil,
        retained: RetainedPolicy = .use,
        decimal: DecimalMark = .point
    ) {
        self.name = name
        self.topic = topic
        self.path = path
        self.unit = unit
        self.unitPath = unitPath
        self.scale = scale
        self.counts = counts
        self.combine = combine
        self.direction = direction
        self.onlyIf = onlyIf
        self.range = range
        self.expiry = expiry ?? (counts == nil ? Expiry.standard(for: unit) : .never)
        self.expired = expired
        self.available = available
        self.retained = retained
        self.decimal = decimal
    }
}

/// When an energy counter goes back to zero.
public enum CounterKind: Sendable, Equatable {
    /// Its source resets it daily, at its own idea of midnight.
    case today
    /// Never: it counts over the life of its source.
    case lifetime
}

/// How the members that a wildcard brings become one value.
public enum Combination: Sendable, Equatable {
    /// All members added; a member that is not known makes the sum unknown.
    case sum
    /// The mean of all members.
    case mean
    /// The largest member.
    case max
}

/// A field beside a magnitude that tells its sign, within the same message.
public struct DirectionField: Sendable, Hashable {
    /// Where the word stands.
    public var path: JSONPointer
    /// The words that leave the value as it is, compared without regard to ASCII case.
    public var positive: [String]
    /// The words that turn the value round.
    public var negative: [String]

    /// Makes a direction field. A word of neither list makes the message no data.
    public init(path: JSONPointer, positive: [String], negative: [String]) {
        self.path = path
        self.positive = positive
        self.negative = negative
    }
}

/// A field that a message must carry to count at all.
public struct MessageCondition: Sendable, Hashable {
    /// Where the field stands.
    public var path: JSONPointer
    /// The scalar's text that lets the message through, as JSON would print it without quotes.
    public var equals: String

    /// Makes a condition.
    public init(path: JSONPointer, equals: String) {
        self.path = path
        self.equals = equals
    }
}

/// The age at which a reading is no longer known.
public enum Expiry: Sendable, Equatable {
    /// At this age since the last fresh message.
    case after(Duration)
    /// Never by age alone.
    case never

    /// The default for a unit: what is silent for that long is dead with the sources that people run.
    ///
    /// Power, flows and all other rates are unknown after 10 minutes: twice the slowest common report (Tasmota's 300
    /// s). A level may rest for hours at 100 %. A counter does not lie by being old: its energy does not vanish.
    public static func standard(for unit: ReadingUnit) -> Expiry {
        switch unit.quantity {
        case .power, .other: .after(.seconds(600))
        case .level: .after(.seconds(6 * 3600))
        case .energy, .duration, .timestamp: .never
        }
    }
}

/// What a reading is once it is expired or its source unavailable.
public enum ExpiredValue: Sendable, Equatable {
    /// Unknown: the slot or field is left out.
    case unknown
    /// Zero: for solar at night, and nothing else.
    case zero
}

/// The topic that tells whether a reading's source is there.
public struct AvailabilitySource: Sendable, Equatable {
    /// The exact topic.
    public var topic: TopicFilter
    /// Where in a JSON payload the word stands.
    public var path: JSONPointer?
    /// The words that mean "there", compared without regard to ASCII case. Any other word means "gone".
    public var when: [String]

    /// The words that the common sources use for "there".
    public static let standardWords = ["online", "true", "on", "1", "connected", "available"]

    /// Makes an availability source.
    public init(topic: TopicFilter, path: JSONPointer? = nil, when: [String] = standardWords) {
        self.topic = topic
        self.path = path
        self.when = when
    }
}

/// Whether a retained message gives the first picture.
public enum RetainedPolicy: Sendable, Equatable {
    /// It does, though it never counts as fresh.
    case use
    /// It is as if never sent.
    case ignore
}

/// The decimal mark of plain-text numbers.
public enum DecimalMark: Sendable, Hashable {
    /// `12.5`.
    case point
    /// `12,5` and `1.234,5`.
    case comma
}
