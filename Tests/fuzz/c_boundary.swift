// Fuzz target: the C functions. An input that looks like a file is imported; any other says which functions to call, and
// with what. Memory is given in just the sizes that are claimed, so that the address sanitizer sees what is read too far.
// seeds: *.bplist *.plist
// options: -max_len=4096

import CFirstTime
import Glibc

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    for suffix in ["", "-lock", "-journal", "-new"] { unlink(directory + "/archive" + suffix) }
    var calls = Calls(Input(input))
    if input.starts(with: "bplist".utf8) || input.first == UInt8(ascii: "<") {
        calls.importFile(input)
    } else {
        calls.makeAll()
    }
    return 0
}

/// In memory where there is such a place: each commit is synced.
private let directory: String = {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/firsttime-fuzz.XXXXXX".utf8CString)
    // Relative paths that are made up lead into it, too.
    guard mkdtemp(&template) != nil, chdir(template) == 0 else { fatalError("no temporary directory") }
    atexit {
        for suffix in ["", "-lock", "-journal", "-new"] { unlink(directory + "/archive" + suffix) }
        rmdir(directory)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

/// The calls of one input.
struct Calls {
    var input: Input
    var rules = RuleCalls()
    private var store: OpaquePointer?
    private var owned: [UnsafeMutableRawPointer] = []

    init(_ input: Input) { self.input = input }

    mutating func importFile(_ bytes: [UInt8]) {
        open(version: nil)
        var report = firsttime_import_report()
        report.size = MemoryLayout<firsttime_import_report>.size
        let result = check(firsttime_import_bytes(store, bytes, bytes.count, nil, &report))
        let count = firsttime_count(store, nil)
        require(result.rawValue < 0 || count >= Int64(report.records_added), "an import told of more than there is")
        var seen: Int64 = 0
        check(firsttime_each(store, nil, { record, context in visit(record, context) }, &seen))
        require(seen == count, "not as many records are shown as are counted")
        finish()
    }

    mutating func makeAll() {
        open(version: "1.0")
        // Each may write a file.
        for _ in 0..<24 where !input.isEmpty { makeOne() }
        finish()
    }

    private mutating func finish() {
        check(firsttime_close(store))
        rules.finish()
        for pointer in owned { free(pointer) }
    }

    private mutating func open(version: String?) {
        withText(directory + "/archive") { path in
            var options = firsttime_options()
            options.size = MemoryLayout<firsttime_options>.size
            options.path = path
            options.wait_ms = -1
            check(firsttime_open(&options, &store))
        }
    }

    private func withText(_ text: String, _ body: (UnsafePointer<CChar>) -> Void) { text.withCString(body) }

    // MARK: - Arguments

    mutating func allocate(_ bytes: [UInt8]) -> UnsafeMutableRawPointer? {
        guard let pointer = malloc(max(1, bytes.count)) else { return nil }
        pointer.copyMemory(from: bytes, byteCount: bytes.count)
        owned.append(pointer)
        return pointer
    }

    /// A few keys, so that calls meet; any text; none.
    mutating func text() -> UnsafePointer<CChar>? {
        let kind = input.byte()
        var bytes: [UInt8]
        switch kind {
        case 0: return nil
        case 1...200: bytes = Array("key.\(kind % 4)".utf8)
        case 201: bytes = Array(repeating: UInt8(ascii: "k"), count: 65_530 + Int(input.byte() % 10))
        default: bytes = input.take(Int(input.byte()) % 40)
        }
        bytes.append(0)
        return UnsafePointer(allocate(bytes)?.assumingMemoryBound(to: CChar.self))
    }

    /// A struct of ours, cut off or drawn out to a size that mostly isn't its own.
    mutating func structure<Value>(_ value: Value, _ kind: UInt8) -> UnsafeMutablePointer<Value>? {
        if kind == 0 { return nil }
        var bytes = withUnsafeBytes(of: value) { Array($0) }
        var size = bytes.count
        switch kind {
        case 1...150: break
        case 151...200: size = Int(kind - 151) * 8
        case 201...220: size = Int(kind)
        default: size = 8
        }
        bytes += Array(repeating: kind % 2 == 0 ? 0 : kind, count: max(0, size - bytes.count))
        bytes.removeSubrange(max(8, size)...)
        withUnsafeBytes(of: size) { for (index, byte) in $0.enumerated() { bytes[index] = byte } }
        return allocate(bytes)?.assumingMemoryBound(to: Value.self)
    }

    mutating func interval() -> firsttime_interval {
        let kind = input.byte()
        let count = kind < 128 ? Double(kind) / 4 : input.double()
        switch kind % 8 {
        case 0: return firsttime_elapsed(count, firsttime_unit(rawValue: UInt32(input.byte())))
        case 1: return firsttime_calendar(count, FIRSTTIME_MONTH)
        case 2: return firsttime_period(count, FIRSTTIME_WEEK)
        case 3: return firsttime_interval(count: count, unit: Int32(input.byte()) - 3, kind: Int32(input.byte()) - 3)
        default: return firsttime_days(count)
        }
    }

    private mutating func policy() -> UnsafeMutablePointer<firsttime_policy>? {
        var policy = firsttime_policy()
        policy.flags = UInt32(input.byte())
        policy.interval = interval()
        return structure(policy, input.byte())
    }

    private mutating func callback() -> firsttime_callback? {
        switch input.byte() % 8 {
        case 0: return nil
        case 1: return { _ in 1 }
        default: return { _ in 0 }
        }
    }

    // MARK: - Calls

    @discardableResult
    func check(_ result: firsttime_result) -> firsttime_result {
        require(strlen(firsttime_result_name(result)) > 0, "a result without a name")
        require(result.rawValue >= 0 || strlen(firsttime_last_error()) > 0, "a failure that nothing is said about")
        return result
    }

    private mutating func makeOne() {
        let which = input.byte()
        // Now and then no store.
        let store = which > 250 ? nil : self.store
        switch which % 32 {
        case 0: check(firsttime_execute_once(store, text(), callback(), callback(), nil))
        case 1: check(firsttime_execute_once_per_version(store, text(), callback(), callback(), nil))
        case 2: check(firsttime_execute_once_per_interval(store, text(), interval(), callback(), callback(), nil))
        case 3: check(firsttime_execute(store, text(), policy(), callback(), callback(), nil))
        case 4: check(firsttime_was_executed(store, text()))
        case 5: check(firsttime_is_due(store, text(), policy()))
        case 6:
            let time = allocate(Array(repeating: 0, count: 8))?.assumingMemoryBound(to: Double.self)
            check(firsttime_next_due(store, text(), policy(), input.byte() == 0 ? nil : time))
        case 7:
            var time = 0.0
            check(firsttime_last_execution(store, text(), &time))
        case 8:
            var seen: Int64 = 0
            check(firsttime_find(store, text(), { record, context in visit(record, context) }, &seen))
        case 9:
            var seen: Int64 = 0
            check(firsttime_each(store, text(), { record, context in visit(record, context) }, &seen))
        case 10: read(from: store)
        case 11: _ = firsttime_count(store, text())
        case 12, 13: check(firsttime_mark(store, text()))
        case 14: check(firsttime_reset_key(store, text()))
        case 15: check(firsttime_reset_prefix(store, text()))
        case 16: check(firsttime_reset(store))
        case 17: importBytes(into: store)
        case 18: check(firsttime_flush(store))
        case 19: setClock(of: store)
        case 20: reopen()
        case 21: intervals(in: store)
        case 22: check(firsttime_should_run(store, text(), interval()))
        case 23...30: makeRuleCall(which % 32, store)
        default: nested(in: store)
        }
    }

    private mutating func intervals(in store: OpaquePointer?) {
        switch input.byte() % 4 {
        case 0: check(firsttime_reset_interval(store, text()))
        case 1: check(firsttime_reset_all_intervals(store))
        default: check(firsttime_mark_run(store, text()))
        }
    }

    private mutating func read(from store: OpaquePointer?) {
        let capacity = Int(input.byte())
        let buffer = allocate(Array(repeating: 0, count: capacity))?.assumingMemoryBound(to: CChar.self)
        var needed = 0
        let record = structure(firsttime_record(), input.byte())
        check(firsttime_read(store, text(), record, input.byte() == 0 ? nil : buffer, capacity, &needed))
    }

    private mutating func importBytes(into store: OpaquePointer?) {
        let block = input.block()
        var options = firsttime_import_options()
        options.format = Int32(input.byte() % 8)
        options.defaults_key = text()
        options.flags = UInt32(input.byte() % 3)
        options.skipped = { problem, _ in
            require(problem.pointee.text != nil, "a problem without words")
            return 0
        }
        options.progress = { done, total, _ in
            require(done <= total, "more done than there is")
            return 0
        }
        var names = [text(), text()]
        var lengths = [interval(), interval()]
        let (count, bytes) = (Int(input.byte() % 3), allocate(block))
        names.withUnsafeMutableBufferPointer { names in
            lengths.withUnsafeMutableBufferPointer { lengths in
                options.interval_names = UnsafePointer(names.baseAddress)
                options.intervals = UnsafePointer(lengths.baseAddress)
                options.interval_count = count
                importBytes(bytes, block.count, options, into: store)
            }
        }
    }

    private mutating func importBytes(
        _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ options: firsttime_import_options, into store: OpaquePointer?
    ) {
        let report = structure(firsttime_import_report(), input.byte())
        let length = input.byte() == 255 ? -1 : count
        check(firsttime_import_bytes(store, bytes, length, structure(options, input.byte()), report))
    }

    private mutating func setClock(of store: OpaquePointer?) {
        guard let time = allocate(withUnsafeBytes(of: input.double()) { Array($0) }) else { return }
        firsttime_set_clock(store, { $0?.load(as: Double.self) ?? 0 }, time, nil)
    }

    /// Another store, of odd options; closed at once.
    private mutating func reopen() {
        var options = firsttime_options()
        options.path = input.byte() % 2 == 0 ? nil : text()
        options.app_id = text()
        options.app_version = text()
        options.flags = UInt32(input.byte())
        options.wait_ms = -1
        options.first_weekday = Int32(input.byte()) - 2
        var other: OpaquePointer?
        // Without a path it would be the user's own store.
        if options.path == nil {
            options.path = UnsafePointer(allocate(Array("archive\0".utf8))?.assumingMemoryBound(to: CChar.self))
        }
        check(firsttime_open(structure(options, max(1, input.byte())), &other))
        check(firsttime_close(other))
    }

    /// A callback that calls the library, for its own key and for others.
    private mutating func nested(in store: OpaquePointer?) {
        let callback: firsttime_callback = { context in
            let store = OpaquePointer(context)
            let inner = firsttime_execute_once(store, "key.1", { _ in 0 }, nil, nil)
            require(inner == FIRSTTIME_ERROR_REENTRANT, "a key run inside its own callback")
            _ = firsttime_mark(store, "key.2")
            return 0
        }
        check(firsttime_execute_once(store, "key.1", callback, nil, UnsafeMutableRawPointer(store)))
    }
}

private func visit(_ record: UnsafePointer<firsttime_record>, _ context: UnsafeMutableRawPointer?) -> CInt {
    require(record.pointee.key != nil, "a record without a key")
    context?.assumingMemoryBound(to: Int64.self).pointee += 1
    return 0
}
