import Delivery
import EnergyFlow
import Glibc
import StateStore

struct FileError: Error {
    var code: Int32
}

/// 2026-03-19T07:05:00Z.
let morning = Duration.seconds(1_773_903_900)

/// A directory of the test's own, gone afterwards with all that is in it.
func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = try makeDirectory()
    defer { remove(directory: directory) }
    try body(directory)
}

func makeDirectory() throws -> String {
    var template = Array("/tmp/flowbridge-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(code: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func remove(directory: String) {
    for name in names(in: directory) { unlink("\(directory)/\(name)") }
    rmdir(directory)
}

/// The names in a directory, sorted.
func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}

func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "we") else { throw FileError(code: errno) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw FileError(code: errno) }
}

func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "re") else { throw FileError(code: errno) }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else { throw FileError(code: errno) }
    return bytes
}

/// A state whose every number is `step`, so that a mixture of two states shows.
func state(step: Int, counters: Int = 10) -> StoredState {
    let amount = Double(step)
    let time = morning + .seconds(step)
    return StoredState(
        totals: DayTotals.State(
            day: LocalDay(number: 20_531),
            saved: time,
            counters: (0..<counters).map { index in
                DayTotals.State.Counter(
                    reading: "counter_\(index)",
                    member: "",
                    state: CounterTotal.State(
                        total: amount,
                        isKnown: true,
                        mark: CounterTotal.State.Mark(value: amount, seen: time, risen: time)
                    )
                )
            },
            integrals: [DayTotals.State.Integral(name: "power.exchange.import", total: amount)]
        ),
        notes: ["step": "\(step)"]
    )
}

/// The step of a state that is whole; `nil` when it is a mixture.
func wholeStep(of stored: StoredState) -> Int? {
    guard let step = stored.notes["step"].flatMap({ Int($0) }), stored == state(step: step) else { return nil }
    return step
}

/// Any state that can be.
func randomState(using generator: inout SplitMix) -> StoredState {
    let words = [
        "solar", "", "N/c0/+/Yield", "a\"b,c", "Zähler", "Za\u{308}hler", "a\0b", "日本", "'; DROP TABLE note; --",
    ]
    func word() -> String { words.randomElement(using: &generator) ?? "" }
    func amount() -> Double {
        [0, 0.1, .leastNonzeroMagnitude, 1e300, .random(in: 0...1e6, using: &generator)]
            .randomElement(using: &generator) ?? 0
    }
    func time() -> Duration { .nanoseconds(Int64.random(in: -1...2_000_000_000_000_000_000, using: &generator)) }
    func flag() -> Bool { .random(using: &generator) }
    func upTo(_ most: Int) -> Range<Int> { 0..<Int.random(in: 0...most, using: &generator) }
    let counters = upTo(20).map { _ in
        let total = amount()
        let datings: [CounterTotal.State.Dating] = [.dated, .whenItChanges, .whenItFalls]
        return DayTotals.State.Counter(
            reading: word(),
            member: word(),
            state: CounterTotal.State(
                total: total,
                owed: flag() ? total : total / 3,
                isKnown: flag(),
                isUntouched: flag(),
                mark: flag() ? CounterTotal.State.Mark(value: amount(), seen: time(), risen: time()) : nil,
                formers: upTo(4).map { _ in
                    CounterTotal.State.Former(
                        value: amount(),
                        low: amount(),
                        left: time(),
                        startsOver: flag(),
                        counted: amount(),
                        midnights: .random(in: 0...400, using: &generator)
                    )
                },
                leap: flag() ? CounterTotal.State.Leap(value: amount(), seen: time()) : nil,
                dating: datings.randomElement(using: &generator) ?? .dated
            )
        )
    }
    return StoredState(
        totals: DayTotals.State(
            day: LocalDay(number: .random(in: 19_723...20_531, using: &generator)),
            saved: time(),
            counters: counters,
            integrals: upTo(5).map { _ in DayTotals.State.Integral(name: word(), total: amount()) }
        ),
        notes: Dictionary(upTo(5).map { _ in (word(), word()) }) { first, _ in first }
    )
}
