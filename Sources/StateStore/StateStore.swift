public import EnergyFlow

/// The state file of the bridge: today's totals so far, and the closed days, kept through crashes and power cuts.
///
/// It belongs to one thread, and closes the file when it is let go. It never stops the bridge: whatever is wrong with the
/// file, the store takes what is given to it and says once, in `takeNotices()`, what it could not do.
///
/// * Each save is one transaction. A process that is killed loses nothing that was saved before.
/// * A power cut never damages the file. It takes back the saves that the system had not yet written to the disk, on Linux
///   those of about the last half minute. Closed days are forced to the disk as they are saved.
/// * A damaged file is set aside as `NAME.corrupt-YYYYMMDD-HHMMSS`, and a new one begun.
/// * A file of a newer release or on a read-only medium is read, and not written. A full disk, or one that is not there
///   yet, is tried again at each save. Closed days that could not be saved are kept for the next save.
public final class StateStore {
    /// The file.
    public let path: String
    private var file: StateFile?
    private var notices: [String] = []
    /// Whether the log has been told that nothing is saved.
    private var isTroubled = false
    private var unsaved: [DayTotals.ClosedDay] = []

    /// Opens or begins the state file at `path`. `wall` names a damaged file that is set aside.
    public init(path: String, at wall: Duration) {
        self.path = path
        do throws(StoreError) {
            try begin(at: wall)
        } catch {
            trouble(error)
        }
    }

    /// What a person should know of since the last call: sentences for the log.
    public func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    /// What was saved last; `nil` when nothing was, or nothing of it can be read. Single records that make no sense are
    /// left out.
    public func load() -> StoredState? {
        guard let connection = file?.connection else { return nil }
        let attempt = "read the state in"
        do throws(StoreError) {
            let (state, rejected) = try connection.snapshot(attempt) { () throws(StoreError) in
                try StoredState.read(from: connection, attempt)
            }
            if rejected > 0 {
                notices.append("State file '\(path)': left out what makes no sense, \(rejected) of its records.")
            }
            return state
        } catch {
            notices.append("\(error) The bridge begins without a state.")
            return nil
        }
    }

    /// Saves the state, and the days that were closed since the last call, in one transaction.
    ///
    /// - Returns: why nothing was saved, for who wants to know; `takeNotices()` tells a person once.
    @discardableResult
    public func save(
        _ state: StoredState,
        closing days: [DayTotals.ClosedDay] = [],
        at wall: Duration
    ) -> StoreError? {
        unsaved += days
        do throws(StoreError) {
            do throws(StoreError) {
                try write(state, at: wall)
            } catch {
                guard error.isDamage else { throw error }
                // The card went bad while the bridge ran: it is looked at as at a start.
                file = nil
                try write(state, at: wall)
            }
        } catch {
            trouble(error)
            return error
        }
        if isTroubled {
            isTroubled = false
            notices.append("State file '\(path)' is saved again.")
        }
        return nil
    }

    /// The closed days of the newest so many dates, or all; the oldest first.
    public func history(days: Int? = nil) throws(StoreError) -> [DayTotals.ClosedDay] {
        guard let file else { return [] }
        return try ClosedDays.read(newest: days, from: file.connection)
    }

    /// The closed days in a state file, which a bridge may be writing just now.
    ///
    /// The file is neither created nor changed; SQLite may put the side files of its log beside it.
    public static func history(at path: String, days: Int? = nil) throws(StoreError) -> [DayTotals.ClosedDay] {
        try ClosedDays.read(newest: days, from: StateFile.inspect(path))
    }
}

extension StateStore {
    /// The connection, for tests that count what SQLite does.
    var connection: Connection? { file?.connection }

    private func begin(at wall: Duration) throws(StoreError) {
        do throws(StoreError) {
            file = try StateFile.begin(at: path)
        } catch {
            guard error.isDamage else { throw error }
            let target = try StateFile.setAside(path, at: wall)
            notices.append("\(error) It was set aside as '\(target)', and a new state file begun.")
            file = try StateFile.begin(at: path)
        }
        if let refusal = file?.refusal { trouble(refusal) }
    }

    private func write(_ state: StoredState, at wall: Duration) throws(StoreError) {
        if file == nil { try begin(at: wall) }
        guard let file else { return }
        if let refusal = file.refusal { throw refusal }
        let attempt = "save the state in"
        try file.connection.transaction(attempt) { () throws(StoreError) in
            try ClosedDays.write(unsaved, to: file.connection, attempt)
            try state.write(to: file.connection, attempt)
        }
        if !unsaved.isEmpty {
            unsaved = []
            file.connection.checkpoint()
        }
    }

    private func trouble(_ error: StoreError) {
        guard !isTroubled else { return }
        isTroubled = true
        notices.append("\(error) The bridge runs on without saving.")
    }
}
