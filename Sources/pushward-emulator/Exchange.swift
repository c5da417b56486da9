import Emulator

/// One request while it comes in.
final class Exchange {
    /// What is known of it.
    var request: Request
    /// How far it has come.
    var stage = Stage.announced

    /// How far a request has come.
    enum Stage {
        /// Its target is known.
        case announced
        /// Its headers are known, and the body comes in.
        case reading
        /// It is never to be answered.
        case held
    }

    /// Begins a request.
    init(target: String) {
        request = Request(method: "", target: target)
    }
}
