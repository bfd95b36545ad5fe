// ArchiveVerification: everything that is wrong with the bytes of an archive: what can't be decoded, what leads nowhere, and
// the entries that the library would refuse or leave out. It changes nothing, and saves nothing: that is Store+Recover's.

import KeyedArchive

/// One look at some bytes.
package final class ArchiveVerification {
    package private(set) var problems: [DecodingError] = []
    /// The format of a sound archive that only a newer version can read.
    package private(set) var newerFormat: Int128?
    /// What the bytes hold when that is a property list, but no keyed archive.
    package private(set) var otherList: PropertyList?

    package init(_ bytes: [UInt8]) {
        var list = PropertyList(verifying: bytes, &problems)
        if !problems.isEmpty {
            // What is wrong may be where no reader comes.
            list = try? PropertyList(bytes: bytes)
        }
        guard let list else {
            addLost(bytes)
            return
        }
        if KeyedArchive.isArchive(list) { verify(list) } else { otherList = list }
    }

    /// What somebody else has found.
    package init(_ problems: [DecodingError]) { self.problems = problems }

    /// Of a damaged archive of ours: the entries that are lost with the damage.
    private func addLost(_ bytes: [UInt8]) {
        let saved = Archive(salvaging: bytes)
        guard saved.records.count + saved.events.count + saved.triggers.count > 0 else { return }
        problems += saved.leftOut
    }

    private func verify(_ list: PropertyList) {
        do throws(DecodingError) {
            let source = try KeyedArchive(list)
            problems += source.problems()
            let decoder = ArchiveDecoder(source)
            if let version = try decoder.decodeFormat() {
                // Only that version knows what the rest means.
                newerFormat = version
                return
            }
            guard decoder.isOurs else { return }
            let known = problems.count
            decoder.collectProblems()
            for problem in decoder.archive.leftOut where !problems.prefix(min(known, 64)).contains(problem) {
                problems.append(problem)
            }
        } catch { problems.append(error) }
    }
}

extension ArchiveDecoder {
    /// Whether there is anything in the archive that only YCFirstTime and this library write.
    fileprivate var isOurs: Bool {
        source.list.all.contains { object in
            guard case .string(let text) = source[object] else { return false }
            return source.list.bytes(in: text, equal: "sharedGroup") || isRecord(text)
        } || source.list.value(forKey: "FirstTime", in: source.list.root) != nil
    }

    /// Decodes all that can be decoded; `archive.leftOut` says what can't, and what is missed by other readers.
    fileprivate func collectProblems() {
        collectsProblems = true
        do { try decodeFirstTime() } catch { archive.leftOut.append(error) }
        do { try decodeTables() } catch { archive.leftOut.append(error) }
        do { try decodeTop() } catch { archive.leftOut.append(error) }
        for object in source.list.all {
            guard case .dictionary(let keys, _) = source[object], keys.count <= 32,
                source.list.value(forKey: "$class", in: object) != nil,
                let name = try? source.className(of: object), isRecord(name)
            else { continue }
            if source.list.value(forKey: "lastVersion", in: object) == nil
                || source.list.value(forKey: "lastTime", in: object) == nil
            {
                archive.leftOut.append(
                    source.error(
                        at: object, "a record without lastVersion or lastTime, for which Foundation refuses all"))
            }
        }
    }
}
