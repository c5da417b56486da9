/// What happened to a connection, apart from the messages that came.
public enum MosquittoEvent: Sendable, Equatable {
    /// The broker accepted the session. The first event, if it comes at all.
    case connected
    /// The broker granted a subscription.
    case subscribed(filter: String)
    /// The broker refused a subscription, for a reason in its own words.
    case subscriptionRefused(filter: String, reason: String)
    /// The connection could not be made or is lost. The last event; none comes after `disconnect`.
    case ended(MosquittoError)
}
