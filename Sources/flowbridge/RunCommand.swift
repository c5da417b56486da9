import Bridge
import Configuration
import Glibc
import Mosquitto

/// `flowbridge run`: the daemon.
enum RunCommand {
    static func run(_ options: CommandLineOptions) -> Int32 {
        guard let settings = ConfigurationFile.load(options.configuration),
            let calendar = ConfigurationFile.calendar(of: settings)
        else { return EX_CONFIG }
        var random = SystemRandomNumberGenerator()
        do {
            let daemon = DaemonOptions(
                broker: try MosquittoOptions(settings.broker, defaultID: "flowbridge"),
                service: options.isDryRun
                    ? .dryRun : .live(url: settings.service.url, key: try settings.service.key.read()),
                keep: { _, _ in },
                seed: random.next()
            )
            let bridge = Bridge(settings.bridge, calendar: calendar, seed: random.next(), at: MonotonicClock.now)
            return runDaemon(daemon, bridge: bridge)
        } catch {
            StandardStreams.error("flowbridge: \(error)\n")
            return EX_CONFIG
        }
    }
}
