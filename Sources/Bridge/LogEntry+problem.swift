import Delivery
import Readings

extension LogEntry {
    /// What a person is told of payloads that could not be used.
    init(_ problem: PayloadProblem) {
        let times = problem.count == 1 ? "" : " (\(problem.count) times since the last line)"
        self.init(
            .warning,
            "The reading '\(problem.reading)' cannot use what came on the topic '\(problem.topic)'\(times): \(problem.reason)"
        )
    }
}
