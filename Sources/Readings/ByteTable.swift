internal import Glibc

/// A hash table from bytes to numbers that looks up without making a `String` or allocating.
///
/// Open addressing with linear probing; the keys lie one after another in one block. It only grows: keys come from the
/// configuration, and from messages no more than the readings' member limit lets in.
struct ByteTable {
    private struct Entry {
        var hash: UInt64
        var scope: Int
        var start: Int
        var count: Int
        var value: Int
    }

    private var slots: [Int32] = Array(repeating: -1, count: 16)
    private var entries: [Entry] = []
    private var keys: [UInt8] = []

    /// The value stored for a key in a scope.
    func value(for key: UnsafeRawBufferPointer, in scope: Int = 0) -> Int? {
        let hash = key.contentHash(seed: UInt64(truncatingIfNeeded: scope))
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, entry.scope == scope, entry.count == key.count, isEqual(key, entry) {
                return entry.value
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Stores a value for a key that is not there yet.
    mutating func insert(_ value: Int, for key: UnsafeRawBufferPointer, in scope: Int = 0) {
        if (entries.count + 1) * 2 > slots.count { grow() }
        let hash = key.contentHash(seed: UInt64(truncatingIfNeeded: scope))
        entries.append(Entry(hash: hash, scope: scope, start: keys.count, count: key.count, value: value))
        keys.append(contentsOf: key)
        place(entries.count - 1)
    }

    private func isEqual(_ key: UnsafeRawBufferPointer, _ entry: Entry) -> Bool {
        guard let bytes = key.baseAddress else { return true }
        return keys.withUnsafeBytes { keys in
            keys.baseAddress.map { memcmp($0 + entry.start, bytes, entry.count) == 0 } ?? false
        }
    }

    private mutating func place(_ index: Int) {
        var slot = Int(truncatingIfNeeded: entries[index].hash) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for index in entries.indices { place(index) }
    }
}

extension UnsafeRawBufferPointer {
    /// A 64-bit hash of the bytes, sixteen at a time (eight at a time took a tenth of a large payload's time). It is the
    /// same in every run.
    func contentHash(seed: UInt64) -> UInt64 {
        var hash = Self.mix(seed ^ 0x9E37_79B9_7F4A_7C15, UInt64(count) ^ 0xA076_1D64_78BD_642F)
        guard var next = baseAddress else { return hash }
        let end = next + count
        while end - next >= 16 {
            hash = Self.mix(
                hash ^ next.loadUnaligned(as: UInt64.self),
                next.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ 0xE703_7ED1_A0B4_28DB
            )
            next += 16
        }
        if end - next >= 8 {
            hash = Self.mix(hash ^ next.loadUnaligned(as: UInt64.self), 0xE703_7ED1_A0B4_28DB)
            next += 8
        }
        var tail: UInt64 = 0
        while next < end {
            tail = tail << 8 | UInt64(next.load(as: UInt8.self))
            next += 1
        }
        return Self.mix(hash ^ tail, 0x8EBC_6AF0_9C88_C6E3)
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
