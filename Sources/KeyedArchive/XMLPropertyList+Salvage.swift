// XMLPropertyList+Salvage: what stands in front of the damage in an XML property list. Nothing after it: how many objects were
// in between nobody can tell, and objects are told apart by counting them.

extension XMLPropertyList {
    /// What stands in front of the damage, in the text that begins at `base`. Lines are counted from there.
    static func salvage(_ bytes: [UInt8], from base: Int) -> PropertyList {
        guard bytes.count < sizeLimit else { return .nothing }
        // What is in front needn't be text at all.
        let (text, start, _) = TextEncoding.utf8(salvaging: base > 0 ? Array(bytes[base...]) : bytes)
        guard text.count < sizeLimit else { return .nothing }
        let reader = XMLReader(text, from: start)
        return reader.salvage()
    }
}

extension XMLReader {
    /// Reads up to the first error. An object that isn't whole by then is left out; the archive's own dictionary and its
    /// table of objects, which all others stand in, end there.
    func salvage() -> PropertyList {
        if let list = try? read() { return list }
        var kept = frames.prefix { $0.tag.element == .plist }.count
        for element in [XMLElement.dict, .array] where kept < frames.count && frames[kept].tag.element == element {
            kept += 1
        }
        if kept < frames.count {
            keys.removeSubrange(frames[kept].firstKey...)
            values.removeSubrange(frames[kept].firstValue...)
            frames.removeSubrange(kept...)
        }
        while let frame = frames.last {
            // The key of what is left out.
            if keys.count - frame.firstKey > values.count - frame.firstValue { keys.removeLast() }
            if (try? close(frame.tag)) == nil { frames.removeLast() }
        }
        list.root = values.first ?? list.appendNull()
        return list
    }
}
