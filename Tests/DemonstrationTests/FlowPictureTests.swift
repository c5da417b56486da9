import Demonstration
import Testing

@Suite("The picture of a flow")
struct FlowPictureTests {
    private static let noon = FlowState(solar: 3205, home: 402, battery: 1600, level: 68, grid: -1203)

    private func picture(_ state: FlowState) -> [String] {
        FlowPicture(isColored: false).lines(state).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("at noon solar feeds house, battery and grid")
    func noon() {
        #expect(
            picture(FlowPictureTests.noon) == [
                "   Solar                       Home                       Grid",
                "   3205 W    ────────────▶    402 W     ────────────▶    1203 W",
                "                                │                        export",
                "                                ▼",
                "                              1600 W     charging",
                "                             Battery   ██████████████░░░░░░ 68 %",
            ]
        )
    }

    @Test("in the evening battery and grid feed the house")
    func evening() {
        #expect(
            picture(FlowState(solar: 0, home: 2500, battery: -2000, level: 40, grid: 500)) == [
                "   Solar                       Home                       Grid",
                "    0 W      ·············    2500 W    ◀────────────    500 W",
                "                                ▲                        import",
                "                                │",
                "                              2000 W   discharging",
                "                             Battery   ████████░░░░░░░░░░░░ 40 %",
            ]
        )
    }

    @Test("what is not known is a dash, and the picture stays as high")
    func unknown() {
        #expect(
            picture(FlowState()) == [
                "   Solar                       Home                       Grid",
                "     –       ·············      –       ·············      –",
                "                                ·",
                "                                ·",
                "                                –",
                "                             Battery   ░░░░░░░░░░░░░░░░░░░░ –",
            ]
        )
    }

    @Test("colours take no columns")
    func colors() {
        let plain = FlowPicture(isColored: false).lines(FlowPictureTests.noon)
        let colored = FlowPicture(isColored: true).lines(FlowPictureTests.noon)
        #expect(colored != plain)
        #expect(colored.map(withoutColors) == plain)
        #expect(colored.map { withoutColors(TerminalLine.cut($0, to: 20)) } == plain.map { String($0.prefix(20)) })
    }

    @Test("where there is no terminal a line says it in words")
    func words() {
        #expect(
            FlowPicture.sentence(FlowPictureTests.noon)
                == "solar 3205 W, home  402 W, battery 1600 W in  at  68 %, grid 1203 W export"
        )
        #expect(
            FlowPicture.sentence(FlowState(home: 40, battery: -40))
                == "solar      –, home   40 W, battery   40 W out at     –, grid      –"
        )
    }

    private func withoutColors(_ line: String) -> String {
        var result = ""
        var isColor = false
        for character in line {
            if character == "\u{1B}" { isColor = true }
            if !isColor { result.append(character) }
            if character == "m" { isColor = false }
        }
        return result
    }
}
