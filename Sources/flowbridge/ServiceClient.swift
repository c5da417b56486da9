import Configuration
import Delivery
import Glibc
import HTTPTransport
import Widgets

/// The widget service for a command that asks once and waits for the answer.
struct ServiceClient {
    /// Why there is no answer that could be used.
    struct Failure: Error {
        /// What to end with.
        let exitCode: Int32
        /// A sentence that ends in a period, and holds no secret.
        let sentence: String
    }

    private let url: String
    private let key: Secret

    /// Makes a client for the service of a configuration.
    init(_ settings: ServiceSettings) throws(Failure) {
        url = settings.url
        do {
            key = try settings.key.read()
        } catch {
            throw Failure(exitCode: EX_CONFIG, sentence: error.description)
        }
    }

    /// What the service answers; `nil` when it is nothing, as after a deletion.
    func ask(_ method: RequestMethod, _ path: String) throws(Failure) -> JSONValue? {
        let response =
            switch try outcome(of: method, path) {
            case .response(let response): response
            case .failure(_, let reason):
                throw Failure(exitCode: EX_UNAVAILABLE, sentence: "The widget service cannot be reached: \(reason)")
            }
        switch response.status {
        case 204:
            return nil
        case 200..<300:
            do throws(JSONParseError) {
                return try JSONValue(parsing: response.body)
            } catch {
                throw Failure(
                    exitCode: EX_UNAVAILABLE,
                    sentence: "The service answered something that is no JSON: \(error)"
                )
            }
        default:
            throw ServiceClient.failure(response.status, reason: ServiceClient.reason(in: response.body))
        }
    }

    /// What the service says of a refusal; `nil` when it was a gateway's page.
    private static func reason(in body: [UInt8]) -> String? {
        do throws(JSONParseError) {
            return try JSONValue(parsing: body).asObject?["detail"]?.asString
        } catch {
            return nil
        }
    }

    private func outcome(of method: RequestMethod, _ path: String) throws(Failure) -> HTTPOutcome {
        do throws(HTTPTransportError) {
            var options = HTTPTransport.Options(userAgent: "flowbridge/\(CommandLineOptions.version)")
            options.authorization = "Bearer \(key.exposed)"
            let transport = try HTTPTransport(options)
            transport.send(HTTPRequest(method: method.rawValue, url: url + path), id: 1)
            var nothing: [WatchedDescriptor] = []
            while true {
                try transport.wait(for: &nothing, atMost: .seconds(1))
                if let completion = try transport.perform().first { return completion.outcome }
            }
        } catch {
            throw Failure(exitCode: EX_SOFTWARE, sentence: error.description)
        }
    }

    private static func failure(_ status: Int, reason: String?) -> Failure {
        let reason = reason.map { " (\(printable($0)))" } ?? ""
        return switch status {
        case 401: Failure(exitCode: EX_NOPERM, sentence: "The service refuses the key\(reason).")
        case 403: Failure(exitCode: EX_NOPERM, sentence: "The key may not touch this widget, or none at all\(reason).")
        case 404: Failure(exitCode: EX_NOINPUT, sentence: "The service has no such widget\(reason).")
        default: Failure(exitCode: EX_UNAVAILABLE, sentence: "The service answered \(status)\(reason).")
        }
    }
}

/// Text of others for a terminal, which would obey control characters.
func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        scalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
}
