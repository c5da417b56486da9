import Readings
import Testing
import Widgets

@Suite("The dates of widgets")
struct WidgetDatesTests {
    /// 2026-03-19T12:00:00Z.
    private let now = Duration.seconds(1_773_921_600)

    @Test("keep the service's bounds, with a day to spare")
    func bounds() {
        func end(_ wall: Duration) -> Duration? { WidgetDates(start: nil, end: wall, now: now)?.end }
        #expect(end(now + .seconds(60)) == now + .seconds(60))
        #expect(end(now - .seconds(60)) == now - .seconds(60))
        #expect(end(now + .seconds(365 * 86_400)) == now + .seconds(365 * 86_400))
        #expect(end(now + .seconds(365 * 86_400 + 1)) == nil)
        #expect(end(now + .seconds(400 * 86_400)) == nil)
        // 2000-01-01T00:00:00Z.
        #expect(end(.seconds(946_684_800)) == nil)
        #expect(end(.seconds(946_684_801)) == .seconds(946_684_801))
        #expect(end(.zero) == nil)
        #expect(end(.seconds(-62_135_596_800)) == nil)
        #expect(end(now + .milliseconds(1900)) == now + .seconds(1))
    }

    @Test("leave out a start that is not before the end or out of bounds")
    func start() {
        func start(_ wall: Duration) -> Duration?? {
            WidgetDates(start: wall, end: now, now: now).map(\.start)
        }
        #expect(start(now - .seconds(1)) == .some(now - .seconds(1)))
        #expect(start(now) == .some(nil))
        #expect(start(now + .seconds(1)) == .some(nil))
        #expect(start(.zero) == .some(nil))
    }

    @Test(
        "may be off by more the farther they are",
        arguments: [
            (DateTolerance.stated, 0, 60), (.stated, 3000, 60), (.stated, 3600, 72), (.stated, 36_000, 720),
            (.stated, -36_000, 720), (.reckoned, 0, 120), (.reckoned, 720, 120), (.reckoned, 3600, 600),
            (.estimated, 0, 300), (.estimated, 800, 300), (.estimated, 3600, 1305),
            (.estimated, 4 * 3600, 7920), (.estimated, 12 * 3600, 9 * 3600), (.estimated, 20 * 3600, 15 * 3600),
        ] as [(DateTolerance, Int, Int)]
    )
    func tolerance(tolerance: DateTolerance, distance: Int, allowance: Int) {
        let allowed = tolerance.allowance(at: .seconds(distance))
        #expect((allowed - .seconds(allowance)).inSeconds.magnitude < 0.001)
    }

    @Test("are accepted up to the allowance, and never where one has a start and the other has none")
    func accepting() throws {
        func dates(_ start: Int?, _ end: Int) throws -> WidgetDates {
            try #require(
                WidgetDates(start: start.map { now + .seconds($0) }, end: now + .seconds(end), now: now)
            )
        }
        func accepts(_ shown: WidgetDates, _ wanted: WidgetDates) -> Bool {
            DateTolerance.stated.accepts(shown, for: wanted, now: now)
        }
        #expect(try accepts(dates(nil, 3672), dates(nil, 3600)))
        #expect(try !accepts(dates(nil, 3673), dates(nil, 3600)))
        #expect(try accepts(dates(nil, 3528), dates(nil, 3600)))
        #expect(try accepts(dates(-660, 3600), dates(-600, 3600)))
        #expect(try !accepts(dates(-661, 3600), dates(-600, 3600)))
        #expect(try !accepts(dates(-600, 3600), dates(nil, 3600)))
        #expect(try !accepts(dates(nil, 3600), dates(-600, 3600)))
    }
}
