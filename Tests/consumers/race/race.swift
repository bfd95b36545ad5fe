// The Swift program of the race: see README.md. It uses the Swift API, in a package that depends on ours.

import FirstTime
import Glibc

func pause(_ milliseconds: UInt32) { usleep(milliseconds * 1000) }

func meet(_ place: String) {
    fclose(fopen("\(place).swift", "w"))
    for language in ["c", "python", "rust", "swift"] {
        while access("\(place).\(language)", F_OK) != 0 { pause(1) }
    }
}

func append(_ line: String, to name: String) {
    let file = fopen(name, "a")
    fputs(line, file)
    fclose(file)
}

alarm(120)
let store = try FirstTime(path: "race.archive", appVersion: "swift")
store.setClock { 1_700_000_004 }
meet("ready")
for index in 1000..<1200 {
    let key = "key.\(String(index).dropFirst())"
    let outcome = try store.executeOnce(forKey: key) {
        append("\(key) swift\n", to: "runs.txt")
        pause(1)
    }
    if outcome == .ran { pause(5) }
}
meet("done")
for record in try store.records() {
    let (last, first) = (Int(record.lastTime ?? 0), Int(record.firstTime ?? 0))
    let versions = "\(record.lastVersion ?? "") \(record.firstVersion ?? "")"
    append("\(record.key) \(versions) \(last) \(first) \(record.count)\n", to: "records.swift")
}
try store.close()
