/// Finds who wants a topic's messages: exact topics and known members by one hash, wildcards by a tree of levels.
struct TopicRouter {
    private struct Node {
        /// The node below for `+`.
        var any: Int?
        /// Filters that end at this node.
        var ending: [Int] = []
        /// Filters that end in `#` at this node: they match it and all below.
        var open: [Int] = []
    }

    private var exact = ByteTable()
    private var nodes = [Node()]
    /// The nodes below for a text, each node being a scope.
    private var children = ByteTable()

    /// The number under which a topic was filed with `add(topic:)`.
    func route(for topic: UnsafeRawBufferPointer) -> Int? {
        exact.value(for: topic)
    }

    /// Files a number under a topic that has none.
    mutating func add(topic: UnsafeRawBufferPointer, as route: Int) {
        exact.insert(route, for: topic)
    }

    /// Files a number under a filter with wildcards. One filter can have several.
    mutating func add(filter: TopicFilter, as number: Int) {
        var node = 0
        for level in filter.levels {
            switch level {
            case .rest:
                nodes[node].open.append(number)
                return
            case .any:
                if let next = nodes[node].any {
                    node = next
                } else {
                    nodes.append(Node())
                    nodes[node].any = nodes.count - 1
                    node = nodes.count - 1
                }
            case .text(let text):
                node = text.withUnsafeBytes { child(of: node, named: $0) }
            }
        }
        nodes[node].ending.append(number)
    }

    /// The numbers of all filters with wildcards that match a topic, ascending.
    func wildcards(matching topic: UnsafeRawBufferPointer) -> [Int] {
        guard nodes.count > 1 || !nodes[0].open.isEmpty, !topic.isEmpty else { return [] }
        var found: [Int] = []
        visit(node: 0, topic: topic, start: 0, into: &found)
        return found.sorted()
    }

    private func visit(node: Int, topic: UnsafeRawBufferPointer, start: Int, into found: inout [Int]) {
        // A wildcard never matches the first level of the broker's own topics ($SYS).
        let isHidden = start == 0 && topic[0] == UInt8(ascii: "$")
        if !isHidden { found += nodes[node].open }
        guard start <= topic.count else {
            found += nodes[node].ending
            return
        }
        let end = topic.endOfLevel(from: start)
        let level = UnsafeRawBufferPointer(rebasing: topic[start..<end])
        if let next = children.value(for: level, in: node) {
            visit(node: next, topic: topic, start: end + 1, into: &found)
        }
        if !isHidden, let next = nodes[node].any {
            visit(node: next, topic: topic, start: end + 1, into: &found)
        }
    }

    private mutating func child(of node: Int, named text: UnsafeRawBufferPointer) -> Int {
        if let next = children.value(for: text, in: node) { return next }
        nodes.append(Node())
        children.insert(nodes.count - 1, for: text, in: node)
        return nodes.count - 1
    }
}
