/// What is known from one topic of a reading.
struct MemberState {
    enum Knowledge {
        /// Nothing was ever heard.
        case unheard
        /// The last message carried a value.
        case known
        /// The last message said that there is none.
        case noData
        /// The value became too old.
        case expired
        /// The source was reported gone, and nothing was heard since.
        case lost
    }

    /// As the broker names it.
    let topic: String
    var knowledge = Knowledge.unheard
    /// The last value in the base unit.
    var value = 0.0
    /// Uptime from which its age counts: that of the last message with a value.
    var since = Duration.zero
    /// Whether that message was handed over by the broker's store, so that nobody knows how old it was.
    var isRetained = false
    /// Whether a level fell to 0 from well above in one step, which only a second message makes true.
    var hasUnconfirmedZero = false

    /// The last value, while it stands.
    var known: Double? { knowledge == .known ? value : nil }

    /// Whether a retained message that was seen before may still be news.
    var awaitsFirstPicture: Bool {
        knowledge == .unheard || knowledge == .lost
    }
}

/// Whether a reading's source is there.
enum Availability {
    /// It never said so: age alone decides.
    case unheard
    /// It is: values do not age.
    case there
    /// It is not: what it said before no longer counts.
    case gone
}

/// What is known of a reading, from all its topics.
struct ReadingState {
    /// One member, or with `combine` one for each topic that the filter brought.
    var members: [MemberState] = []
    var availability = Availability.unheard
    /// The reading's value as of the last message or expiry.
    private(set) var value: Double?
    /// When the first of the members expires, as of then. Nil if the value is unknown or does not expire.
    private(set) var expires: Duration?
    /// Whether the value rests on a message of unknown age.
    private(set) var restsOnRetained = false
    var lastFresh: Duration?
    var rhythm = ReportRhythm()

    let combination: Combination?
    /// The age at which a member expires.
    let limit: Duration?
    /// What stands for a member that expired or whose source is gone.
    let expiredValue: Double?
    /// Whether members keep their last value whatever happens: the energy that a member of a sum of counters has
    /// counted does not vanish with it.
    let keepsCounts: Bool
    let isLevel: Bool
    let usesRetained: Bool

    private let start: Duration
    /// Whether nothing was heard for so long that it is as if something had expired.
    private var isSilent = false

    /// A level above this does not fall to 0 from one report to the next.
    private static let lowLevel = 5.0

    init(_ definition: ReadingDefinition, at start: Duration) {
        self.start = start
        combination = definition.combine
        keepsCounts = definition.combine != nil && definition.counts != nil
        limit =
            switch definition.expiry {
            case .never: nil
            case .after(let age): keepsCounts ? nil : age
            }
        expiredValue = definition.expired == .zero ? 0 : nil
        isLevel = definition.unit.quantity == .level
        usesRetained = definition.retained == .use
    }

    /// Whether a retained message for a member is to be taken.
    func takesRetained(_ member: Int, isRepeated: Bool) -> Bool {
        usesRetained && (!isRepeated || members[member].awaitsFirstPicture)
    }

    /// Whether the value is what messages say, not what stands for them when they are missing. Counters of a sum count on
    /// while another of its members is not known.
    var showsMessages: Bool {
        availability != .gone && (value != nil || keepsCounts)
    }

    /// Takes a member's new value. Returns false if it is not believed yet.
    mutating func accept(_ value: Double, from member: Int, isRetained: Bool, at uptime: Duration) -> Bool {
        if isLevel, value == 0, members[member].knowledge == .known, members[member].value > Self.lowLevel,
            !members[member].hasUnconfirmedZero
        {
            members[member].hasUnconfirmedZero = true
            return false
        }
        members[member].knowledge = .known
        members[member].value = value
        members[member].since = uptime
        members[member].isRetained = isRetained
        members[member].hasUnconfirmedZero = false
        return true
    }

    /// Takes it that a member has nothing to say. Its age goes on counting from its last value.
    mutating func clear(_ member: Int, isDeletion: Bool, at uptime: Duration) {
        switch members[member].knowledge {
        case .unheard:
            // A topic that is deleted before it ever said anything does not become a member.
            if isDeletion && combination != nil { return }
            members[member].since = uptime
        case .lost:
            members[member].since = uptime
        case .known where keepsCounts:
            return
        case .known, .noData, .expired:
            break
        }
        if members[member].knowledge != .expired { members[member].knowledge = .noData }
        members[member].hasUnconfirmedZero = false
    }

    /// Forgets what a source that is gone said before.
    mutating func lose() {
        for member in members.indices where members[member].knowledge != .unheard {
            if keepsCounts && members[member].knowledge == .known { continue }
            members[member].knowledge = .lost
        }
    }

    /// When the silence since the start means zero.
    var silenceDue: Duration? {
        isSilent || expiredValue == nil ? nil : limit.map { start + $0 }
    }

    /// Expires what is too old, and returns when the next member will be.
    mutating func expire(at uptime: Duration) -> Duration? {
        guard let limit, availability != .there else { return nil }
        var next = silenceDue
        if let due = next, due <= uptime {
            isSilent = true
            next = nil
        }
        for member in members.indices where members[member].knowledge == .known || members[member].knowledge == .noData
        {
            let due = members[member].since + limit
            if due <= uptime {
                members[member].knowledge = .expired
            } else {
                next = min(next ?? due, due)
            }
        }
        return next
    }

    /// Computes anew what messages and expiries have changed. Returns whether the value is another.
    mutating func refresh() -> Bool {
        let former = value
        restsOnRetained = false
        var oldest: Duration?
        var isKnown = true
        var count = 0
        var sum = 0.0
        var largest = -Double.infinity
        if availability != .gone {
            for member in members.indices where members[member].knowledge != .unheard {
                if members[member].knowledge == .known {
                    oldest = min(oldest ?? members[member].since, members[member].since)
                    if members[member].isRetained { restsOnRetained = true }
                }
                guard let value = value(of: member) else {
                    isKnown = false
                    continue
                }
                count += 1
                sum += value
                largest = max(largest, value)
            }
        }
        value = isKnown ? combined(count: count, sum: sum, largest: largest) : nil
        expires = value == nil || availability == .there ? nil : limit.flatMap { limit in oldest.map { $0 + limit } }
        return value != former
    }

    private func combined(count: Int, sum: Double, largest: Double) -> Double? {
        if availability == .gone { return expiredValue }
        guard count > 0 else { return isSilent && availability != .there ? expiredValue : nil }
        return switch combination {
        case .mean: sum / Double(count)
        case .max: largest
        case .sum, nil: sum
        }
    }

    private func value(of member: Int) -> Double? {
        switch members[member].knowledge {
        case .known: members[member].value
        case .expired, .lost: expiredValue
        case .unheard, .noData: nil
        }
    }
}
