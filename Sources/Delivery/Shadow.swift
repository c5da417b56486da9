import Widgets

/// What the server holds for one widget, as far as is known.
enum Shadow: Sendable, Equatable {
    /// Nothing is known: it must be read first.
    case unknown
    /// There is no widget.
    case absent
    /// One of these documents. More than one while requests went unanswered: each may or may not have been applied.
    case held([WidgetDocument])
}

extension Shadow {
    /// The body of a PATCH that makes `wanted` of whatever the server holds, `nil` when it certainly holds it already or
    /// no patch can do it.
    ///
    /// A field that differs in one of several possible documents is in the patch, so that it is right whichever of them
    /// the server holds.
    /// - Parameter abandoned: members of the content that were set under an earlier configuration.
    func patch(to wanted: WidgetDocument, abandoning abandoned: [String]) -> JSONObject? {
        guard case .held(let documents) = self else { return nil }
        let differences = documents.compactMap { wanted.difference(from: $0, abandoning: abandoned) }
        guard let first = differences.first else { return nil }
        return wanted.patch(differences.dropFirst().reduce(first) { MergePatch.union($0, $1) })
    }

    /// Takes note that a patch was sent and no answer came: it may have been applied, whole, or not at all.
    mutating func mayHaveApplied(_ patch: JSONObject) {
        guard case .held(let documents) = self else { return }
        var possible = documents
        for document in documents {
            let patched = document.merging(patch)
            if !possible.contains(patched) { possible.append(patched) }
        }
        // Reading the widget once is cheaper than patches that grow with each time-out.
        self = possible.count > Shadow.mostDocuments ? .unknown : .held(possible)
    }

    private static let mostDocuments = 4
}
