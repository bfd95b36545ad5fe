// VerifyAPI: the functions that look for what is wrong, and mend it: firsttime_verify_bytes() and firsttime_repair().

import CFirstTime
import FirstTimeEngine
import FirstTimeStore
import KeyedArchive

@_cdecl("firsttime_verify_bytes") @implementation
public func firsttime_verify_bytes(
    _ bytes: UnsafeRawPointer?, _ length: Int, _ visitor: firsttime_problem_visitor?,
    _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        try Inspection.verify(try cBytes(bytes, length)) { offset, reason in
            tell(visitor, context, offset, literal(reason))
        }
        return FIRSTTIME_OK
    }
}

@_cdecl("firsttime_repair") @implementation
public func firsttime_repair(
    _ path: UnsafePointer<CChar>?, _ visitor: firsttime_problem_visitor?, _ context: UnsafeMutableRawPointer?
) -> firsttime_result {
    answer { () throws(EngineError) in
        let isRepaired = try Inspection.repair(try cPath(path)) { notice in
            var offset: UInt64 = 0
            if case .problem(_, let problem) = notice { offset = UInt64(clamping: problem.offset) }
            let text = ErrorText(notice).bytes + [0]
            return text.withUnsafeBytes { text in
                guard let start = text.baseAddress else { return true }
                return tell(visitor, context, offset, start.assumingMemoryBound(to: CChar.self))
            }
        }
        return question(isRepaired)
    }
}

/// True: go on.
func tell(
    _ visitor: firsttime_problem_visitor?, _ context: UnsafeMutableRawPointer?, _ offset: UInt64,
    _ text: UnsafePointer<CChar>
) -> Bool {
    guard let visitor else { return true }
    var problem = firsttime_problem(size: MemoryLayout<firsttime_problem>.size, offset: offset, text: text)
    return withUnsafePointer(to: &problem) { visitor($0, context) } == 0
}
