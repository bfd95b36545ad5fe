// Fuzz target: the C functions of rules. An input says which to call, and with what: names, texts and buffers have just the
// room that is claimed, so that the address sanitizer sees what is read or written too far. In the end every context has
// been released exactly once.
// seeds: *.rule
// options: -max_len=4096

import CFirstTime
import Glibc

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var calls = RuleCalls(Input(bytes(start, count)))
    calls.makeAll()
    return 0
}

nonisolated(unsafe) private var released = 0

/// The calls of one input.
private struct RuleCalls {
    private var input: Input
    /// Rules that nobody has taken yet.
    private var rules: [OpaquePointer?] = []
    private var owned: [UnsafeMutableRawPointer] = []
    private var contexts = 0

    init(_ input: Input) { self.input = input }

    mutating func makeAll() {
        released = 0
        while !input.isEmpty { makeOne() }
        for rule in rules { firsttime_rule_free(rule) }
        require(released == contexts, "a context that is not released exactly once")
        for pointer in owned { free(pointer) }
    }

    private mutating func text(_ bytes: [UInt8]) -> UnsafePointer<CChar>? {
        guard let pointer = malloc(bytes.count + 1) else { return nil }
        pointer.copyMemory(from: bytes + [0], byteCount: bytes.count + 1)
        owned.append(pointer)
        return UnsafePointer(pointer.assumingMemoryBound(to: CChar.self))
    }

    private mutating func name() -> UnsafePointer<CChar>? {
        let kind = input.byte()
        switch kind {
        case 0: return nil
        case 1: return text(Array(repeating: UInt8(ascii: "k"), count: 65_530 + Int(input.byte() % 10)))
        default: return text(input.take(Int(kind % 8)))
        }
    }

    private mutating func add(_ rule: OpaquePointer?) {
        require(rule != nil || strlen(firsttime_last_error()) > 0, "a failure that nothing is said about")
        rules.append(rule)
    }

    private mutating func makeOne() {
        switch input.byte() % 16 {
        case 0: add(input.byte() % 2 == 0 ? firsttime_rule_always() : firsttime_rule_never())
        case 1: add(firsttime_rule_not(rules.popLast() ?? nil))
        case 2: addCondition()
        case 3: add(firsttime_rule_event_at_least(name(), input.double().bitPattern))
        case 4: add(firsttime_rule_event_within(name(), input.double()))
        case 5: add(firsttime_rule_event_not_within(name(), Double(input.byte()) * 3600))
        case 6: add(firsttime_rule_version_at_least(name()))
        case 7: add(firsttime_rule_first_seen_in_current_version(name()))
        case 8: add(firsttime_rule_parse(text(input.block())))
        case 9: firsttime_rule_free(rules.popLast() ?? nil)
        case 10: print()
        case 11: compareVersions()
        default: combine()
        }
    }

    private mutating func addCondition() {
        contexts += 1
        let kind = input.byte()
        let release: firsttime_release = { _ in released += 1 }
        if kind % 2 == 0 {
            add(firsttime_rule_condition(kind % 4 == 0 ? nil : { _ in 1 }, nil, release))
        } else {
            add(firsttime_rule_event(name(), kind % 4 == 1 ? nil : { _, _ in 1 }, nil, release))
        }
    }

    private mutating func combine() {
        let (kind, count) = (input.byte(), min(Int(input.byte() % 8), rules.count))
        let parts = Array(rules.suffix(count))
        rules.removeLast(count)
        parts.withUnsafeBufferPointer { parts in
            let array = kind & 0x80 != 0 && parts.isEmpty ? nil : parts.baseAddress
            switch kind % 4 {
            case 0: add(firsttime_rule_all_of(array, count))
            case 1: add(firsttime_rule_any_of(array, count))
            case 2: add(firsttime_rule_none_of(array, count))
            default: add(firsttime_rule_at_least(Int(kind) - 8, array, count))
            }
        }
    }

    private mutating func print() {
        let rule = rules.last ?? nil
        let capacity = Int(input.byte())
        guard let buffer = malloc(max(1, capacity))?.assumingMemoryBound(to: CChar.self) else { return }
        defer { free(buffer) }
        let length = firsttime_rule_text(rule, buffer, capacity)
        require(length == firsttime_rule_text(rule, nil, 0), "a length that depends on the buffer")
        if capacity > 0 { require(strlen(buffer) <= min(length, capacity - 1), "more text than there is room for") }
    }

    private mutating func compareVersions() {
        let (left, right) = (name(), name())
        let order = firsttime_version_compare(left, right)
        require((-1...1).contains(order) && order == -firsttime_version_compare(right, left), "no order")
    }
}
