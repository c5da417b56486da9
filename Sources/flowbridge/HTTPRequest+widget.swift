import Delivery
import HTTPTransport
import Widgets

extension HTTPRequest {
    /// A request of the core on the wire.
    ///
    /// - Parameter base: the address of the service, without a slash at the end.
    init(_ request: WidgetRequest, base: String) {
        var body: [UInt8] = []
        request.body?.write(into: &body)
        self.init(
            method: request.method.rawValue,
            url: base + request.path,
            contentType: request.method.contentType,
            body: body
        )
    }
}

extension RequestOutcome {
    /// What came off the wire, for the core.
    init(_ outcome: HTTPOutcome) {
        switch outcome {
        case .response(let response):
            self = .response(
                ServiceResponse(
                    status: response.status,
                    retryAfter: response.retryAfter,
                    date: response.date,
                    body: response.body
                )
            )
        case .failure(let failure, let reason):
            self = .failure(TransportFailure(reach: failure == .notSent ? .notSent : .unanswered, reason: reason))
        }
    }
}
