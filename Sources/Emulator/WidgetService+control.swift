import Readings
import Widgets

/// What tests ask of the emulator beside the service's own endpoints. None of it is counted, traced or made to fail.
extension WidgetService {
    func isControl(_ request: Request) -> Bool {
        request.segments.first == "_emulator"
    }

    mutating func control(_ request: Request, at now: Moment) -> Response {
        do {
            switch (request.method, request.segments.dropFirst().joined(separator: "/")) {
            case ("GET", "state"):
                return Response(200, state(at: now))
            case ("POST", "fail"):
                faults.append(try Fault(document: controlBody(of: request)))
                return Response(204)
            case ("DELETE", "fail"):
                faults = []
                return Response(204)
            case ("POST", "plan"):
                quota.plan = try plan(from: controlBody(of: request))
                return Response(204)
            default:
                return Response(404, ["error": "There is no such control."])
            }
        } catch {
            return Response(400, ["error": .string("\(error)")])
        }
    }

    private mutating func state(at now: Moment) -> JSONValue {
        var pushes = earlierPushes
        var list: [JSONValue] = []
        for index in widgets.indices {
            let pushed = widgets[index].pushes.pushes(at: now.uptime)
            pushes += pushed
            list.append([
                "slug": .string(widgets[index].slug.description),
                "updates": JSONValue(widgets[index].updates),
                "pushes": JSONValue(pushed),
            ])
        }
        return [
            "plan": .string(quota.plan.rawValue),
            "requests": JSONValue(requests),
            "updates": JSONValue(updates),
            "updates_this_month": JSONValue(quota.used),
            "pushes": JSONValue(pushes),
            "faults": JSONValue(faults.reduce(0) { $0 + $1.count }),
            "widgets": .array(list),
        ]
    }

    private func plan(from body: JSONObject) throws -> Plan {
        guard body.count == 1, let plan = body["plan"]?.asString.flatMap(Plan.init(rawValue:)) else {
            throw FaultError("'plan' must be free or paid, and nothing else may be said.")
        }
        return plan
    }

    private func controlBody(of request: Request) throws -> JSONObject {
        guard let object = try JSONValue(parsing: request.body).asObject else {
            throw FaultError("The body must be an object.")
        }
        return object
    }
}
