import Testing

@testable import Delivery

extension FrameSettling {
    fileprivate func settles(sources: [Rhythm]) -> Duration? {
        verdict.map { verdict in
            var verdict = verdict
            for source in sources { verdict.consider(source) }
            return verdict.uptime
        }
    }
}

@Suite("Frame settling")
struct FrameSettlingTests {
    private typealias Rhythm = FrameSettling.Rhythm

    /// A settling whose first frame has gone already.
    private func settling(longest: Duration = .seconds(10)) -> FrameSettling {
        var settling = FrameSettling(longest: longest)
        settling.take(at: .seconds(-1))
        return settling
    }

    @Test("Nothing waits before anything changed")
    func idle() {
        #expect(settling().settles(sources: [Rhythm(lastReport: .seconds(1), interval: .seconds(5))]) == nil)
    }

    @Test("A frame waits for the regular sources that are about to report, and goes with the last of them")
    func regularSources() {
        var settling = settling()
        settling.change(at: .seconds(60))
        // Reported at 33.0 and 37.0, every 30 s: expected at 63 and 67.
        let grid = Rhythm(lastReport: .seconds(33), interval: .seconds(30))
        let battery = Rhythm(lastReport: .seconds(37), interval: .seconds(30))
        let solar = Rhythm(lastReport: .seconds(60), interval: .seconds(30))
        #expect(settling.settles(sources: [solar, grid, battery]) == .seconds(69))
        let gridNow = Rhythm(lastReport: .seconds(63), interval: .seconds(30))
        let batteryNow = Rhythm(lastReport: .seconds(67), interval: .seconds(30))
        #expect(settling.settles(sources: [solar, gridNow, batteryNow]) == .seconds(67))
    }

    @Test("A source that is not expected within the time allowed is not waited for")
    func slowSource() {
        var settling = settling()
        settling.change(at: .seconds(60))
        let slow = Rhythm(lastReport: .seconds(50), interval: .seconds(300))
        #expect(settling.settles(sources: [slow]) == .seconds(60))
    }

    @Test("A source that missed its report is dead or late, and nobody waits for it")
    func overdueSource() {
        var settling = settling()
        settling.change(at: .seconds(600))
        #expect(settling.settles(sources: [Rhythm(lastReport: .seconds(60), interval: .seconds(30))]) == .seconds(600))
    }

    @Test("Sources without a rhythm get one quiet second after the last change")
    func irregularSources() {
        var settling = settling()
        settling.change(at: .seconds(5))
        settling.change(at: .milliseconds(5200))
        #expect(settling.settles(sources: [Rhythm(lastReport: .seconds(5), interval: nil)]) == .milliseconds(6200))
    }

    @Test("A value that never rests cannot hold a frame longer than the time allowed")
    func longest() {
        var settling = settling()
        for tenth in 0..<200 { settling.change(at: .milliseconds(100 * tenth)) }
        #expect(settling.settles(sources: [Rhythm(lastReport: .seconds(19), interval: nil)]) == .seconds(10))
    }

    @Test("The first frame waits for sources that have not reported at all, later ones do not")
    func firstFrame() {
        var settling = FrameSettling(longest: .seconds(10))
        let silent = Rhythm(lastReport: nil, interval: nil)
        settling.change(at: .seconds(2))
        #expect(settling.settles(sources: [silent]) == .seconds(12))
        settling.take(at: .seconds(12))
        settling.change(at: .seconds(20))
        #expect(settling.settles(sources: [silent]) == .seconds(21))
    }

    @Test("Frames are a second apart, however fast their sources are")
    func pace() {
        var settling = FrameSettling(longest: .zero)
        settling.take(at: .seconds(20))
        settling.change(at: .milliseconds(20_100))
        let fast = Rhythm(lastReport: .milliseconds(20_100), interval: .milliseconds(500))
        #expect(settling.settles(sources: [fast]) == .seconds(21))
    }

    @Test("With no time allowed a frame goes at once")
    func zero() {
        var settling = FrameSettling(longest: .zero)
        settling.change(at: .seconds(3))
        #expect(settling.settles(sources: [Rhythm(lastReport: nil, interval: nil)]) == .seconds(3))
    }
}
