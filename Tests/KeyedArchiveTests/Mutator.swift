// Mutator: sound input made unsound. Half of what it makes of a binary property list is still consistent in header, offset
// table and trailer, so that it gets past them and deep into the reader; the rest, and all other input, is damaged anywhere.

/// A changed copy of `bytes`.
func mutate(_ bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    if Bool.random(using: &random), var file = BinaryFile(parsing: bytes), !file.objects.isEmpty {
        for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&file, using: &random) }
        return file.bytes
    }
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&bytes, using: &random) }
    return bytes
}

/// Bytes flipped, replaced, inserted, removed, repeated or cut off.
private func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    guard !bytes.isEmpty else { return bytes.append(random.byte()) }
    // Where formats keep their structure: half of the time near an end.
    let near = min(64, bytes.count)
    var position = Int.random(in: 0..<bytes.count, using: &random)
    if random.one(in: 4) { position = Int.random(in: 0..<near, using: &random) }
    if random.one(in: 4) { position = bytes.count - 1 - Int.random(in: 0..<near, using: &random) }
    let length = min(Int.random(in: 1...8, using: &random), bytes.count - position)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes[position] = random.byte()
    case 3: bytes[position] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
    case 4: bytes.insert(contentsOf: (0..<length).map { _ in random.byte() }, at: position)
    case 5: bytes.removeSubrange(position..<position + length)
    case 6:
        bytes.insert(
            contentsOf: bytes[position..<position + length], at: Int.random(in: 0...bytes.count, using: &random))
    default: bytes.removeSubrange(position...)
    }
}

/// One change to the objects, or to what says where they are.
private func mutate(_ file: inout BinaryFile, using random: inout SplitMix64) {
    let count = file.objects.count
    let entry = Int.random(in: 0..<count, using: &random)
    let other = Int.random(in: 0..<count, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: changeMarker(&file.objects[entry], using: &random)
    case 1: changeMarker(&file.objects[file.top < count ? file.top : 0], using: &random)
    case 2, 3: changeCount(&file.objects[entry], using: &random)
    case 4, 5, 6: changeReference(in: &file, of: entry, using: &random)
    case 7: changeReference(in: &file, of: file.top < count ? file.top : 0, using: &random)
    case 8: file.objects[entry] = file.objects[other]
    case 9: file.objects.swapAt(entry, other)
    case 10:  // One object's beginning, another's end.
        let cut = Int.random(in: 0...file.objects[other].count, using: &random)
        file.objects[entry] = file.objects[entry].prefix(cut) + file.objects[other].suffix(cut)
    case 11: file.falseOffsets[entry] = UInt64.random(in: 8...64, using: &random)
    case 12: damage(&file.objects[entry], using: &random)
    case 13: file.objects.insert(randomObject(using: &random), at: entry)
    case 14: file.objects[entry] = randomObject(using: &random)
    default:
        switch Int.random(in: 0..<4, using: &random) {
        case 0: file.top = entry
        case 1: file.objects.remove(at: entry)
        case 2: file.referenceSize = Int.random(in: 1...8, using: &random)
        default: file.offsetSize = Int.random(in: 4...8, using: &random)
        }
        if file.objects.isEmpty { file.objects.append([0x09]) }
    }
}

private func changeMarker(_ object: inout [UInt8], using random: inout SplitMix64) {
    guard !object.isEmpty else { return object.append(random.byte()) }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: object[0] = object[0] & 0x0F | random.byte() & 0xF0
    case 1: object[0] = object[0] & 0xF0 | random.byte() & 0x0F
    default: object[0] = random.byte()
    }
}

/// Puts a count in front of the body, of any width and often far too large.
private func changeCount(_ object: inout [UInt8], using random: inout SplitMix64) {
    guard let marker = object.first else { return }
    let width = Int.random(in: 0...4, using: &random)
    let bits = UInt64.random(in: 0..<64, using: &random)
    let value = random.one(in: 2) ? UInt64(object.count) : random.next() >> bits
    var body = Array(object.dropFirst())
    if marker & 0xF == 0xF, let inner = body.first { body.removeFirst(min(body.count, 1 + 1 << Int(inner & 3))) }
    object = [marker | 0xF, 0x10 | UInt8(width)] + bigEndian(value, 1 << width) + body
}

private func changeReference(in file: inout BinaryFile, of entry: Int, using random: inout SplitMix64) {
    let size = file.referenceSize
    guard 1...8 ~= size, file.objects[entry].count > size, file.objects[entry][0] >= 0xA0 else { return }
    let slots = (file.objects[entry].count - 1) / size
    let end = file.objects[entry].count - size * Int.random(in: 0..<slots, using: &random)
    let target: Int
    switch Int.random(in: 0..<4, using: &random) {
    case 0: target = entry
    case 1: target = file.objects.count
    default: target = Int.random(in: 0..<file.objects.count, using: &random)
    }
    file.objects[entry].replaceSubrange(end - size..<end, with: bigEndian(UInt64(target), size))
}

private func randomObject(using random: inout SplitMix64) -> [UInt8] {
    let length = Int.random(in: 0...20, using: &random)
    return [random.byte()] + (0..<length).map { _ in random.byte() }
}
