import Demonstration
import Glibc
import Widgets

/// Shows the play: on a terminal a picture that changes in place below the lines, elsewhere lines only.
struct Stage {
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private let picture: FlowPicture
    private var drawn = 0
    private var state = FlowState()
    /// What stands below the picture, by slug.
    private var sides: [(slug: String, line: SideLine)] = []

    /// Prepares to show on standard output.
    init() {
        picture = FlowPicture(isColored: isTerminal && getenv("NO_COLOR") == nil)
    }

    /// Prints a line that stays.
    mutating func say(_ line: String = "") {
        Stage.write(erasure() + line + "\n", to: STDOUT_FILENO)
    }

    /// Shows an update of the widget.
    mutating func show(_ update: WidgetHistory.Update, at wall: Duration) {
        state = FlowState(content: update.content)
        // On a terminal the picture tells what it means, so the line shows the change itself.
        let detail = isTerminal ? update.change.description : FlowPicture.sentence(state)
        say(fitted("\(RecordedClock.time(wall))  \(update.summary)  \(detail)"))
    }

    /// Shows an update of a widget beside the flow.
    mutating func show(_ update: WidgetHistory.Update, of slug: String, patches: Int, at wall: Duration) {
        let line = SideLine(content: update.content, patches: patches)
        if let index = sides.firstIndex(where: { $0.slug == slug }) {
            sides[index].line = line
        } else {
            sides.append((slug, line))
        }
        let detail = isTerminal ? "\(slug) \(update.change)" : line.sentence(at: RecordedClock.present)
        say(fitted("\(RecordedClock.time(wall))  \(update.summary)  \(detail)"))
    }

    /// Draws the picture anew, on a terminal.
    mutating func draw(at wall: Duration, progress: Double) {
        guard isTerminal else { return }
        let heading = FlowPicture.heading(date: RecordedClock.date(wall), progress: progress)
        let below = sides.map { $0.line.text(at: RecordedClock.present) }
        let lines = (["", heading, ""] + picture.lines(state) + [""] + below + [""]).map(fitted)
        // In one write, or the terminal would flicker.
        Stage.write(erasure() + lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
        drawn = lines.count
    }

    /// Leaves what there is where it is, and goes on below a blank line.
    mutating func keep() {
        if isTerminal { drawn = 0 } else { say() }
    }

    /// Takes the picture away: up to its first line, then clear to the end (ECMA-48, CUU and ED).
    private mutating func erasure() -> String {
        defer { drawn = 0 }
        return drawn > 0 ? "\u{1B}[\(drawn)A\u{1B}[J" : ""
    }

    /// A line that wraps would make the picture longer than what is erased.
    private func fitted(_ line: String) -> String {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return line }
        return TerminalLine.cut(line, to: Int(size.ws_col) - 1)
    }

    /// Writes all of a text; one who closed the other end does not want to know.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
