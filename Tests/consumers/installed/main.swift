// A program with Swift's whole runtime that calls the C functions of the installed library: two runtimes, if the library
// brought parts of one, would get in each other's way here.
import CFirstTime
import Foundation

final class Runs {
    var count = 0
}

let path = CommandLine.arguments[1]
var store: OpaquePointer?
var options = firsttime_options()
options.size = MemoryLayout<firsttime_options>.size
let opened = path.withCString { path in
    options.path = path
    return firsttime_open(&options, &store)
}
guard opened == FIRSTTIME_OK else { fatalError(String(cString: firsttime_last_error())) }

let runs = Runs()
let increment: firsttime_callback = { context in
    guard let context else { return 1 }
    Unmanaged<Runs>.fromOpaque(context).takeUnretainedValue().count += 1
    return 0
}
// Runtime functions of the host's own, among threads, while the library's run.
DispatchQueue.concurrentPerform(iterations: 100) { index in
    let key = "key.\(index % 10)"
    var words = [String: [Int]]()
    for number in 0..<50 { words["\(number)", default: []].append(number) }
    firsttime_execute_once(store, key, increment, nil, Unmanaged.passUnretained(runs).toOpaque())
    precondition(words.count == 50)
    precondition((words as NSDictionary).count == 50)
}
precondition(runs.count == 10)
precondition(firsttime_count(store, "key.") == 10)
precondition(firsttime_close(store) == FIRSTTIME_OK)
