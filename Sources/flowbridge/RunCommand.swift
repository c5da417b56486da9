import Bridge
import Configuration
import Delivery
import EnergyFlow
import Glibc
import Mosquitto
import Readings
import StateStore

/// `flowbridge run`: the daemon.
enum RunCommand {
    static func run(_ options: CommandLineOptions) -> Int32 {
        guard let settings = ConfigurationFile.load(options.configuration),
            let calendar = ConfigurationFile.calendar(of: settings)
        else { return EX_CONFIG }
        var random = SystemRandomNumberGenerator()
        do throws(SecretError) {
            let broker = try MosquittoOptions(
                settings.broker,
                defaultID: ClientID.standard(configuration: options.configuration)
            )
            let service = try service(settings.service, isDryRun: options.isDryRun)
            let now = MonotonicClock.now
            let store = options.isDryRun ? nil : StateStore(path: options.state ?? StatePath.standard, at: now.wall)
            let kept = store?.load()
            if let store { tellNotices(of: store) }
            let bridge = Bridge(
                settings.bridge,
                calendar: calendar,
                restoring: kept?.totals,
                notes: kept?.notes ?? [:],
                seed: random.next(),
                at: now
            )
            let daemon = DaemonOptions(broker: broker, service: service, keep: keeper(store), seed: random.next())
            return runDaemon(daemon, bridge: bridge)
        } catch {
            StandardStreams.error("flowbridge: \(error)\n")
            return EX_CONFIG
        }
    }

    private static func service(
        _ settings: ServiceSettings,
        isDryRun: Bool
    ) throws(SecretError) -> DaemonOptions.Service {
        guard !isDryRun else { return .dryRun }
        let key = try settings.key.read()
        if !key.looksLikeServiceKey {
            let sentence = "The key under 'pushward' does not look like one: 'hlk_' and 32 letters or digits."
            Log.write(LogEntry(.warning, sentence))
        }
        return .live(
            url: settings.url,
            key: key,
            reread: {
                do throws(SecretError) {
                    return try settings.key.read()
                } catch {
                    Log.write(LogEntry(.warning, "\(error) The key that was read before is kept."))
                    return nil
                }
            }
        )
    }

    private static func keeper(_ store: StateStore?) -> DaemonOptions.Keeper {
        guard let store else { return { _, _, _ in } }
        return { totals, notes, closing in
            store.save(StoredState(totals: totals, notes: notes), closing: closing, at: MonotonicClock.now.wall)
            tellNotices(of: store)
        }
    }

    private static func tellNotices(of store: StateStore) {
        for notice in store.takeNotices() { Log.write(LogEntry(.warning, notice)) }
    }
}
