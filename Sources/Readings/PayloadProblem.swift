/// Payloads of one topic that could not be used, for one log line.
public struct PayloadProblem: Sendable, Equatable {
    /// The topic, or the filter if it brought more topics than a reading takes. Without control characters.
    public let topic: String
    /// The name of the first reading that could not use the payload.
    public let reading: String
    /// A sentence that ends in a period. Of a payload it shows at most 40 characters, all printable ASCII.
    public let reason: String
    /// How many times a reading could not use a payload of the topic since its last line.
    public let count: Int
}

/// Why a payload cannot be used, without words until somebody asks.
struct PayloadFault {
    enum Kind: Equatable {
        case noNumber
        case notFinite
        case decimalComma
        case textBehind
        case boolean
        case container
        case noJSON
        case implausible
        case unknownUnit
        case unknownDirection
        case noTimestamp
        case tooLarge
        case tooManyTopics
    }

    let kind: Kind
    /// The part of the payload that shows it. Good only while the message is.
    let excerpt: UnsafeRawBufferPointer

    var sentence: String {
        let shown = Self.shown(excerpt)
        return switch kind {
        case .noNumber: "'\(shown)' is no number."
        case .notFinite: "'\(shown)' is not a finite number."
        case .decimalComma: "'\(shown)' has a decimal comma, which is read only with 'decimal: comma'."
        case .textBehind: "'\(shown)' has text behind the number; a unit belongs into 'unit'."
        case .boolean: "At the path stands '\(shown)', which is no number."
        case .container: "At the path stands an object or array, which is no number."
        case .noJSON: "'\(shown)' is no JSON object or array, and the reading has a path."
        case .implausible: "'\(shown)' is out of range."
        case .unknownUnit: "'\(shown)' is no unit of the same kind as the reading's."
        case .unknownDirection: "'\(shown)' is none of the words for the direction."
        case .noTimestamp: "'\(shown)' is no time: neither a unix time nor a date and time as in RFC 3339."
        case .tooLarge: "The payload is larger than \(Readings.maximumPayload) bytes."
        case .tooManyTopics: "More than \(Readings.maximumMembers) topics match the filter."
        }
    }

    /// At most 40 characters; whatever is not printable ASCII, and could so forge a log line, is a question mark.
    private static func shown(_ bytes: UnsafeRawBufferPointer) -> String {
        let limit = 40
        var text = ""
        for byte in bytes.prefix(bytes.count > limit ? limit - 3 : limit) {
            text.unicodeScalars.append((0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : "?")
        }
        return bytes.count > limit ? text + "..." : text
    }
}

/// Counts what could not be used, so that 15,000 bad payloads make one line a minute and no memory.
struct ProblemLedger {
    private struct Page {
        let topic: String
        var reading = 0
        var reason = ""
        var count = 0
        var lastTaken: Duration?

        /// Uptime at which its next line may be told.
        var due: Duration { lastTaken.map { $0 + ProblemLedger.pause } ?? .zero }
    }

    /// The least time between two lines of one topic.
    static let pause: Duration = .seconds(60)

    private var pages: [Page] = []
    private var pending: [Int] = []

    /// Uptime at which there is something to tell; nil while there is not. Kept, because it is asked for at each
    /// message.
    private(set) var due: Duration?

    /// Opens a page for a topic. There are as many as there are topics with a reading.
    ///
    /// Control characters are left out, because any client of the broker chooses topics and could forge log lines.
    mutating func open(topic: String) -> Int {
        let printable = topic.unicodeScalars.filter { $0.properties.generalCategory != .control }
        pages.append(Page(topic: String(String.UnicodeScalarView(printable))))
        return pages.count - 1
    }

    /// Counts a fault. Only the first since the last line is put in words.
    mutating func note(_ fault: PayloadFault, reading: Int, page: Int) {
        if pages[page].count == 0 {
            pages[page].reading = reading
            pages[page].reason = fault.sentence
            pending.append(page)
            let pageDue = pages[page].due
            due = min(due ?? pageDue, pageDue)
        }
        pages[page].count += 1
    }

    /// Takes what may be told now.
    mutating func take(at uptime: Duration, name: (Int) -> String) -> [PayloadProblem] {
        guard let due, due <= uptime else { return [] }
        let ready = pending.filter { pages[$0].due <= uptime }
        pending.removeAll { pages[$0].due <= uptime }
        self.due = pending.map { pages[$0].due }.min()
        return ready.map { index in
            let page = pages[index]
            pages[index].count = 0
            pages[index].lastTaken = uptime
            return PayloadProblem(
                topic: page.topic,
                reading: name(page.reading),
                reason: page.reason,
                count: page.count
            )
        }
    }
}
