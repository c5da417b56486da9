import Demonstration
import Glibc

/// Shows the play: on a terminal a picture that changes in place below the lines, elsewhere lines only.
struct Stage {
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private let picture: FlowPicture
    private var drawn = 0
    private var state = FlowState()

    /// Prepares standard output.
    init() {
        setvbuf(stdout, nil, _IOFBF, 65_536)
        picture = FlowPicture(isColored: isTerminal && getenv("NO_COLOR") == nil)
    }

    /// Prints a line that stays.
    mutating func say(_ line: String = "") {
        erase()
        print(line)
        fflush(stdout)
    }

    /// Shows an update of the widget.
    mutating func show(_ update: WidgetHistory.Update, at wall: Duration) {
        state = FlowState(content: update.content)
        let share = Int((Double(update.size) / Double(update.fullSize) * 100).rounded())
        let size = right(update.size, 4)
        let head =
            update.method == "PATCH"
            ? "\(RecordedClock.time(wall))  PATCH \(size) of \(update.fullSize) bytes \(right(share, 3)) %  "
            : "\(RecordedClock.time(wall))  \(update.method)  \(size) bytes, the whole widget  "
        let detail = isTerminal ? update.body.description : FlowPicture.sentence(state)
        say(cut(head + detail))
    }

    /// Draws the picture anew, on a terminal.
    mutating func draw(at wall: Duration, progress: Double) {
        guard isTerminal else { return }
        erase()
        let lines =
            ["", FlowPicture.heading(date: RecordedClock.date(wall), progress: progress), ""] + picture.lines(state) + [
                ""
            ]
        print(lines.map(cut).joined(separator: "\n"))
        fflush(stdout)
        drawn = lines.count
    }

    /// Takes the picture away: up to its first line, and clear to the end (ECMA-48, CUU and ED).
    private mutating func erase() {
        guard drawn > 0 else { return }
        print("\u{1B}[\(drawn)A\u{1B}[J", terminator: "")
        drawn = 0
    }

    /// A line that wraps would make the picture longer than what is erased.
    private func cut(_ line: String) -> String {
        var size = winsize()
        guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return line }
        return TerminalLine.cut(line, to: Int(size.ws_col) - 1)
    }

    private func right(_ number: Int, _ width: Int) -> String {
        String(repeating: " ", count: max(width - "\(number)".count, 0)) + "\(number)"
    }
}
