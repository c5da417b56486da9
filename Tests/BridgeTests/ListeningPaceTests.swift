import Bridge
import Testing

@Suite("The pace of listening to the broker")
struct ListeningPaceTests {
    @Test("a message now and then is heard at once")
    func seldom() {
        var pace = ListeningPace()
        for second in 1...20 {
            pace.heard(1, hasMore: false, at: .seconds(second))
            #expect(pace.resumes == nil)
        }
    }

    @Test("of a steady stream it hears twenty sips a second, and the first two messages at once")
    func steady() {
        var pace = ListeningPace()
        pace.heard(1, hasMore: false, at: .milliseconds(1000))
        #expect(pace.resumes == nil)
        pace.heard(1, hasMore: false, at: .milliseconds(1010))
        #expect(pace.resumes == .milliseconds(1060))
        pace.heard(5, hasMore: false, at: .milliseconds(1060))
        #expect(pace.resumes == .milliseconds(1110))
        // The stream has ended.
        pace.heard(1, hasMore: false, at: .milliseconds(2000))
        #expect(pace.resumes == nil)
    }

    @Test("what is there already is taken without a pause")
    func burst() {
        var pace = ListeningPace()
        for turn in 0..<100 {
            pace.heard(100, hasMore: true, at: .milliseconds(turn))
            #expect(pace.resumes == nil)
        }
    }

    @Test("what is no message makes no pause")
    func silence() {
        var pace = ListeningPace()
        pace.heard(1, hasMore: false, at: .milliseconds(1000))
        pace.heard(0, hasMore: false, at: .milliseconds(1001))
        #expect(pace.resumes == nil)
    }
}
