import Demonstration
import Testing

@Suite("The pace of a play")
struct PlaybackTests {
    /// A day in a minute.
    private let play = Playback(from: .seconds(1000), to: .seconds(1000 + 86_400), within: .seconds(60))

    @Test("a day in a minute is 1440 times as fast")
    func speed() {
        #expect(play.speed == 1440)
    }

    @Test(
        "a message is due in proportion",
        arguments: [(0, 0), (1440, 1000), (43_200, 30_000), (86_400, 60_000), (-5, 0)]
    )
    func due(recorded: Int, played: Int) {
        #expect(play.due(.seconds(1000 + recorded)) == .milliseconds(played))
    }

    @Test(
        "the clock shows recorded time, begins at the beginning and stays at the end",
        arguments: [
            (-1, 0), (0, 0), (15, 21_600), (60, 86_400), (75, 86_400),
        ]
    )
    func wall(played: Int, recorded: Int) {
        #expect(play.wall(after: .seconds(played)) == .seconds(1000 + recorded))
    }

    @Test("progress runs from 0 to 1", arguments: [(-1, 0), (0, 0), (30, 0.5), (60, 1), (61, 1)])
    func progress(played: Int, share: Double) {
        #expect(play.progress(after: .seconds(played)) == share)
    }

    @Test("a recording of one moment is due at once")
    func moment() {
        let play = Playback(from: .seconds(5), to: .seconds(5), within: .seconds(60))
        #expect(play.due(.seconds(5)) == .zero)
        #expect(play.wall(after: .seconds(30)) == .seconds(5))
    }

    @Test("a recording whose last message is older than its first is played at once")
    func backwards() {
        let play = Playback(from: .seconds(5), to: .seconds(1), within: .seconds(60))
        #expect(play.speed == 0)
        #expect(play.due(.seconds(1)) == .zero)
    }
}
