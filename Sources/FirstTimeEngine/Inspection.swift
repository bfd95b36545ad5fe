// Inspection: looking at the bytes of any property list, and repairing a store that can't be opened. None of it needs an open
// store, nor a clock.

import CSystem
import FirstTimeStore
import KeyedArchive

package enum Inspection {
    /// Shows a property list as text, or as JSON.
    package static func dump(
        _ bytes: [UInt8], isJSON: Bool, isRaw: Bool, to writer: @escaping ByteSink.Writer
    ) throws(EngineError) {
        let list: PropertyList
        do throws(DecodingError) { list = try PropertyList(bytes: bytes) } catch {
            throw .undecodable(path: nil, error)
        }
        let sink = ByteSink(writer)
        PropertyListDump(list, isJSON: isJSON, isRaw: isRaw, to: sink).write()
        if sink.isStopped { throw .callback(.writer, status: 1) }
    }

    /// Tells `visit` of everything that is wrong with the bytes, and throws the first of that. `visit` returns false for no
    /// more.
    package static func verify(
        _ bytes: [UInt8], _ visit: (_ offset: UInt64, _ reason: StaticString) -> Bool
    ) throws(EngineError) {
        var found = ArchiveVerification(bytes)
        guard found.problems.isEmpty else { return try tell(found, at: .byte(0), visit) }
        var place = DecodingError.Position.byte(0)
        if let list = found.otherList {
            if RuleKitEvents.isOne(list) {
                found = ArchiveVerification(ruleKitProblems(in: list))
            } else if let value = list.value(forKey: "YCFirstTime", in: list.root), case .data(let range) = list[value]
            {
                // In a binary list the archive's bytes are the file's own; in XML they have no lines.
                place = list.position(of: value)
                if case .byte = place { place = .byte(range.lowerBound) }
                found = ArchiveVerification(Array(list.bytes(in: range)))
                if found.otherList != nil {
                    found = ArchiveVerification([
                        DecodingError(.byte(0), "the preferences' archive is no keyed archive")
                    ])
                }
            }
        }
        try tell(found, at: place, visit)
    }

    private static func tell(
        _ found: ArchiveVerification, at place: DecodingError.Position,
        _ visit: (_ offset: UInt64, _ reason: StaticString) -> Bool
    ) throws(EngineError) {
        var first: DecodingError?
        for problem in found.problems {
            let problem = problem.moved(to: place)
            first = first ?? problem
            guard visit(UInt64(clamping: problem.offset), problem.reason) else { throw .callback(.visitor, status: 1) }
        }
        if let first { throw .undecodable(path: nil, first) }
        if let newerFormat = found.newerFormat { throw .newerFormat(path: nil, version: newerFormat) }
    }

    private static func ruleKitProblems(in list: PropertyList) -> [DecodingError] {
        do throws(DecodingError) { return try RuleKitEvents(list).leftOut } catch { return [error] }
    }

    /// False: the store can be opened as it is.
    package static func repair(_ path: [UInt8], _ tell: (RepairNotice) -> Bool) throws(EngineError) -> Bool {
        if !csystem_is_renewed() { Store.renewAfterFork() }
        let path = try Engine.filePath(path)
        let isRepaired: Bool?
        do throws(StoreError) { isRepaired = try Store.repair(path, tell) } catch { throw .store(error) }
        guard let isRepaired else { throw .callback(.visitor, status: 1) }
        return isRepaired
    }
}
