import Delivery
import Testing
import Widgets

@Suite("Merge patches, at random")
struct MergePatchPropertyTests {
    @Test("a diff leads from one document to the other, and each of its leaves differs")
    func diff() {
        forEachSeed { random in
            let (old, new) = (document(&random), document(&random))
            guard let patch = MergePatch.diff(from: old, to: new) else {
                #expect(old == new)
                return
            }
            #expect(MergePatch.apply(patch, to: old) == new)
            #expect(old != new)
            expectMinimal(patch, old)
        }
    }

    @Test("a union of two diffs leads to their target from either document")
    func union() {
        forEachSeed { random in
            let (first, second, target) = (document(&random), document(&random), document(&random))
            let patch = MergePatch.union(
                MergePatch.diff(from: first, to: target),
                MergePatch.diff(from: second, to: target)
            )
            #expect(patch.map { MergePatch.apply($0, to: first) } ?? first == target)
            #expect(patch.map { MergePatch.apply($0, to: second) } ?? second == target)
        }
    }

    @Test("a patch that is applied twice gives what it gave once")
    func idempotence() {
        forEachSeed { random in
            let (old, new) = (document(&random), document(&random))
            guard let patch = MergePatch.diff(from: old, to: new) else { return }
            #expect(MergePatch.apply(patch, to: MergePatch.apply(patch, to: old)) == new)
        }
    }

    @Test("a document survives writing and reading")
    func text() throws {
        try forEachSeed { random in
            let value = document(&random)
            let copy = try json(value.description)
            #expect(copy == value)
        }
    }

    /// Every member of a patch either removes something that is there, or sets something that is not the same.
    private func expectMinimal(_ patch: JSONValue, _ old: JSONValue) {
        guard let patch = patch.asObject, let old = old.asObject else {
            #expect(patch != old)
            return
        }
        for (key, value) in patch {
            #expect(value != old[key])
            if value == .null {
                #expect(old[key] != nil)
            } else if value.asObject != nil, let inner = old[key], inner.asObject != nil {
                #expect(value != [:])
                expectMinimal(value, inner)
            }
        }
    }
}

/// Runs a body with 400 generators, whose seeds follow the one that is printed.
private func forEachSeed(_ body: (inout SplitMix) throws -> Void) rethrows {
    let base = UInt64.random(in: .min ... .max)
    print("seed \(base)")
    for offset in 0..<400 {
        var random = SplitMix(seed: base &+ UInt64(offset))
        try body(&random)
    }
}

/// A document without null members, small enough in its choices that two of them have much in common.
private func document(_ random: inout SplitMix) -> JSONValue {
    .object(object(&random, depth: 3))
}

private func object(_ random: inout SplitMix, depth: Int) -> JSONObject {
    var object = JSONObject()
    for _ in 0..<Int.random(in: 0...4, using: &random) {
        object[["a", "b", "c", "d", ""][Int.random(in: 0..<5, using: &random)]] = value(&random, depth: depth - 1)
    }
    return object
}

private func value(_ random: inout SplitMix, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: .bool(Bool.random(using: &random))
    case 1: JSONValue(Int.random(in: -2...2, using: &random))
    case 2: .string(["", "x", "\u{E9}", "e\u{301}", "\"\n"][Int.random(in: 0..<5, using: &random)])
    case 3: 0.5
    case 4: [[1, 2], [], [["a": .null]]][Int.random(in: 0..<3, using: &random)]
    default: .object(object(&random, depth: depth))
    }
}
