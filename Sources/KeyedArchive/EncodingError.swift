// EncodingError: why a property list could not be written. The one error of this layer's writers.

/// What can't be written in the format asked for. Nothing has been written.
package struct EncodingError: Error, Equatable, Sendable {
    /// The object at fault.
    package let object: PropertyList.Reference
    /// In words, without a full stop: "XML has no sets".
    package let reason: StaticString

    package init(_ object: PropertyList.Reference, _ reason: StaticString) {
        self.object = object
        self.reason = reason
    }

    package static func == (left: EncodingError, right: EncodingError) -> Bool {
        left.object == right.object && left.reason.utf8Start == right.reason.utf8Start
    }
}
