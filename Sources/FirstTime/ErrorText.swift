// ErrorText: each failure in words: which file, which call, why. One line, without a full stop, for people to read.

import CSystem
import FirstTimeEngine
import FirstTimeStore
import KeyedArchive

/// Text that is put together byte by byte, since the core does without String.
struct ErrorText {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ number: some BinaryInteger) {
        bytes += Array(decimal: number)
    }

    /// How much of a path is shown: all of any that Linux takes, unless it has to be escaped.
    private static let longestPath = 4096

    /// A path as it can be shown: control characters, and bytes that aren't UTF-8, as \xNN.
    mutating func append(path: [UInt8]) {
        let end = bytes.count + Self.longestPath
        let isText = Text.isValid(path)
        let digits: StaticString = "0123456789abcdef"
        for byte in path {
            if bytes.count >= end {
                append("...")
                break
            }
            if byte >= 0x20, byte != 0x7F, byte < 0x80 || isText {
                bytes.append(byte)
            } else {
                append("\\x")
                bytes.append(digits.utf8Start[Int(byte >> 4)])
                bytes.append(digits.utf8Start[Int(byte & 0xF)])
            }
        }
    }

    /// What the system says of an error number.
    mutating func append(errno: Int32) {
        var buffer = [CChar](repeating: 0, count: 128)
        let length = csystem_describe_error(errno, &buffer, buffer.count)
        for byte in buffer.prefix(length) { bytes.append(UInt8(bitPattern: byte)) }
    }
}

// MARK: - Repairs

extension ErrorText {
    /// What a repair has to tell, in the same style.
    init(_ notice: RepairNotice) {
        switch notice {
        case .problem(let path, let error):
            append(path: path)
            append(": ")
            append(error.reason)
        case .setAside(let path, let newPath):
            append(path: path)
            append(": it is kept as ")
            append(path: newPath)
        case .saved(let records, let events, let triggers):
            append(records)
            append(records == 1 ? " record saved" : " records saved")
            append(events, events == 1 ? " event" : " events")
            append(triggers, triggers == 1 ? " trigger" : " triggers")
        }
    }

    private mutating func append(_ count: Int, _ what: StaticString) {
        if count == 0 { return }
        append(", ")
        append(count)
        append(what)
    }
}

// MARK: - The layers' errors

extension ErrorText {
    init(_ error: EngineError) {
        switch error {
        case .argument(let reason): append(reason)
        case .ruleText(let line, let column, let reason):
            append("line ")
            append(line)
            append(", column ")
            append(column)
            append(": ")
            append(reason)
        case .noStore: append("the store is NULL")
        case .noRule(let reason): append(reason)
        case .store(let error): append(error)
        case .callback(let callback, let status): append(callback, status)
        case .notRecorded(let error):
            append("it ran, but could not be recorded; this process remembers it and tries again: ")
            append(error)
        case .notRestored(let error):
            append("it failed, but the record made before it ran could not be taken back; this process tries again: ")
            append(error)
        case .notClaimed(let rule, let error):
            append("the rule \"")
            append(path: rule.bytes)
            append("\" could not fire, and is asked again with the next donation: ")
            append(error)
        case .forked: append("begun in the parent of this forked process: recording it is the parent's affair")
        case .detached: append("the store was closed while the claim was open: nothing more is recorded")
        case .undecodable(let path, let error):
            append(source: path)
            append(error)
        case .newerFormat(let path, let version):
            append(source: path)
            append(newerFormat: version)
        }
    }

    private mutating func append(source path: [UInt8]?) {
        if let path { append(path: path) } else { append("the bytes") }
        append(": ")
    }

    private mutating func append(_ callback: EngineError.Callback, _ status: Int32) {
        switch callback {
        case .first: append("`first` returned ")
        case .after: append("`after` returned ")
        case .skipped: append("`skipped` stopped the import")
        case .progress: append("`progress` cancelled the import")
        case .writer: append("`writer` stopped it")
        case .visitor: append("`visitor` stopped it")
        }
        switch callback {
        case .first:
            append(status)
            append(": not recorded")
        case .after: append(status)
        case .skipped, .progress, .visitor: append(": nothing was changed")
        case .writer: break
        }
    }

    private mutating func append(_ error: StoreError) {
        switch error {
        case .system(let call, let path, let error): append(path, call, error)
        case .missing(let path): append(path, "open", csystem_missing)
        case .notAFile(let path):
            append(path: path)
            append(": open: not a regular file")
        case .tooLarge(let path):
            append(path: path)
            append(": read: 4 GiB or more, which no archive has")
        case .foreignLock(let path):
            append(path: path)
            append(
                ": read: not a lock file of this library; it is left as it is. When no program has the store open, a damaged"
            )
            append(" one may be deleted")
        case .foreignOwner(let path, let user):
            append(path: path)
            append(": fstat: it belongs to user ")
            append(user)
            append(", not to the archive's owner; it is left as it is")
        case .readOnly(let path, let refusal):
            append("the store can't be written: ")
            append(path, refusal)
        case .corrupt(let path, let error):
            append(path: path)
            append(": ")
            append(error)
            append("; the file is left as it is")
        case .notAStore(let path, let error):
            append(path: path)
            append(": not a store, and nothing in it could be saved: ")
            append(error)
            append("; the file is left as it is")
        case .newerFormat(let path, let version):
            append(path: path)
            append(": ")
            append(newerFormat: version)
            append("; the file is left as it is")
        case .newerChange(let path):
            append(path: path)
            append(": it holds a change that only a newer version of this library knows; the file is left as it is")
        case .noLocation(let reason): append(reason)
        case .busy(let process, let thread): append(busy: process, thread)
        case .locked(let path):
            append(path: path)
            append(": fcntl: another process has been in the middle of a write for a minute")
        case .inUse(let path):
            append(path: path)
            append(": a program has it open, or has just changed it")
        case .reentrant(let reason): append(reason)
        case .unconfirmed(let call, let path, let error):
            append("written, but a loss of power may undo it: ")
            append(path, call, error)
        }
    }

    private mutating func append(_ path: [UInt8], _ call: StaticString, _ error: Int32) {
        append(path: path)
        append(": ")
        append(call)
        append(": ")
        append(errno: error)
    }

    private mutating func append(_ path: [UInt8], _ refusal: StoreError.Refusal) {
        switch refusal {
        case .system(let call, let error): append(path, call, error)
        case .owner(let user, let group):
            append(path: path)
            append(": fchown: it belongs to user ")
            append(user)
            append(", group ")
            append(group)
            append(", and this process can't give a new file to them")
        case .flag:
            append(path: path)
            append(path.isEmpty ? "" : ": ")
            append("it was opened with FIRSTTIME_READ_ONLY")
        case .newerFormat(let version):
            append(path: path)
            append(": ")
            append(newerFormat: version)
            append(", which may be read but not written")
        }
    }

    private mutating func append(busy process: Int32?, _ thread: Int32?) {
        guard let process else { return append("still being run by another process") }
        let isHere = process == csystem_process()
        append(isHere && thread == nil ? "still claimed by " : "still being run by ")
        if let thread {
            append("thread ")
            append(thread)
            append(" of ")
        }
        append(isHere ? "this process, " : "process ")
        append(process)
    }

    private mutating func append(newerFormat version: Int128) {
        append("written in format ")
        append(version)
        append("; this library knows format 1")
    }

    private mutating func append(_ error: DecodingError) {
        switch error.position {
        case .byte(let offset):
            append("can't be decoded at byte ")
            append(offset)
        case .line(let line):
            append("can't be decoded at line ")
            append(line)
        }
        append(": ")
        append(error.reason)
    }
}
