import Configuration
import EnergyFlow
import Mosquitto

/// What the daemon needs beside the bridge itself.
struct DaemonOptions {
    /// Where requests go.
    enum Service {
        /// To the widget service.
        /// - Parameters:
        ///   - url: its base, without a slash at the end.
        ///   - key: the integration key.
        ///   - reread: the key as it is now; `nil` when it cannot be read.
        case live(url: String, key: Secret, reread: () -> Secret?)
        /// To standard output, a JSON line each.
        case dryRun
    }

    typealias Keeper = (DayTotals.State, [String: String], [DayTotals.ClosedDay]) -> Void

    /// The broker and who we are there.
    var broker: MosquittoOptions
    /// Where requests go.
    var service: Service
    /// Keeps the totals for the next start, and the days that ended for good.
    var keep: Keeper
    /// Decides the jitter of reconnections.
    var seed: UInt64
}
