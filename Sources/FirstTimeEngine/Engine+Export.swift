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
            guard let place else {
                throw .argument(reason: "that is a file of the store's own: flushing writes the archive")
            }
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
        let archive: Archive
        do throws(StoreError) { archive = try store.snapshot() } catch { throw .store(error) }
        if format == .json { return archive.writeJSON(to: sink) { store.isTaken($0) } }
        var list = archive.propertyList()
        if format == .defaults {
            // Where YCFirstTime has it in a preferences list.
            let archive = BinaryPropertyList.write(list)
            list = PropertyList()
            let (key, value) = (list.append(string: "YCFirstTime"), list.append(data: archive))
            let entry = list.referenceCount
            list.append(member: key)
            list.append(member: value)
            list.root = list.append(dictionaryFrom: entry)
        } else if format != .archiveXML {
            return sink.write(BinaryPropertyList.write(list))
        }
        do throws(EncodingError) { sink.write(try XMLPropertyList.write(list)) } catch {
            throw .argument(reason: error.reason)
        }
    }
}
