// Engine+Export: a copy of everything the store holds, in one of several formats. The store is only read.

import FirstTimeStore
import KeyedArchive

extension Engine {
    /// Passes the copy on in pieces, with no lock held.
    package func export(_ format: ImportSource.Format, to writer: @escaping ByteSink.Writer) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            let sink = ByteSink(writer)
            try export(format, to: sink)
            if sink.isStopped { throw .callback(.writer, status: 1) }
        }
    }

    /// Writes the copy to a file, which is there when it is complete, or not at all.
    package func export(_ format: ImportSource.Format, path: [UInt8]) throws(EngineError) {
        try calls.inside { () throws(EngineError) -> Void in
            let path = try Self.filePath(path)
            let place: FilePath?
            do throws(StoreError) { place = try store.placeForExport(path) } catch { throw .store(error) }
            guard let place else { throw .argument(reason: "that is a file of the store's own: flushing writes the archive") }
            var bytes: [UInt8] = []
            let sink = ByteSink { piece in
                bytes.append(contentsOf: piece)
                return true
            }
            try export(format, to: sink)
            do throws(StoreError) { try Store.write(bytes, to: place) } catch { throw .store(error) }
        }
    }

    private func export(_ format: ImportSource.Format, to sink: ByteSink) throws(EngineError) {
        guard format != .ruleKit else { throw .argument(reason: "RuleKit's format is for import only") }
        var archive: Archive
        do throws(StoreError) { archive = try store.snapshot() } catch { throw .store(error) }
        switch format {
        case .json:
            // As others see them: what has begun, and isn't over, wasn't run yet.
            for key in archive.records.started {
                guard let record = archive.records[key] else { continue }
                let former = record.former?.record
                archive.records[key] = store.isTaken(key) ? former : record.settled
            }
            archive.writeJSON(to: sink)
        case .archiveXML: sink.write(try xml(archive.propertyList()))
        case .defaults: sink.write(try xml(Self.preferences(archive.bytes())))
        default: sink.write(archive.bytes())
        }
    }

    private func xml(_ list: PropertyList) throws(EngineError) -> [UInt8] {
        do throws(EncodingError) { return try XMLPropertyList.write(list) } catch {
            throw .argument(reason: error.reason)
        }
    }

    /// A preferences list that holds an archive where YCFirstTime has it.
    private static func preferences(_ archive: [UInt8]) -> PropertyList {
        var list = PropertyList()
        let key = list.append(string: "YCFirstTime")
        let value = list.append(data: archive)
        list.root = list.append(dictionaryKeys: CollectionOfOne(key), values: CollectionOfOne(value))
        return list
    }
}
