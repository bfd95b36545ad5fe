// FilePath: the bytes of a path, for libc; and what can be said of a path without asking the disk.

/// A path: bytes without a NUL, as Linux has it.
package struct FilePath: Equatable, Sendable {
    package let bytes: [UInt8]

    /// The path up to its first NUL.
    package init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

    package func appending(_ suffix: StaticString) -> FilePath {
        FilePath(bytes + Array(staticString: suffix))
    }

    /// This path with one more component.
    package func appending(component: some Collection<UInt8>) -> FilePath {
        let separator: [UInt8] = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return FilePath(bytes + separator + component)
    }

    package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// Everything before the last component: "/" for "/a", "." for "a".
    package var directory: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath([UInt8(ascii: ".")]) }
        return FilePath(slash == 0 ? bytes[...slash] : bytes[..<slash])
    }

    package var lastComponent: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return body([0]) }
            return UnsafeRawPointer(base).withMemoryRebound(to: CChar.self, capacity: buffer.count) { body($0) }
        }
    }
}
