enum RunCommand {
    static func run(_ options: CommandLineOptions) -> Int32 { 1 }
}
