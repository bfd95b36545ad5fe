// DecodingError: why bytes could not be decoded, and where. The one error of this layer's readers.

/// What is wrong with the bytes, and the place.
package struct DecodingError: Error, Equatable, Sendable {
    package enum Position: Equatable, Sendable {
        /// Bytes from the start of the input: binary property lists.
        case byte(Int)
        /// Lines from the start of the input, the first being 1: XML.
        case line(Int)
    }

    /// An object: errors are seldom made, but handed on in many places.
    private final class Content: Sendable {
        let position: Position
        let reason: StaticString

        init(_ position: Position, _ reason: StaticString) {
            self.position = position
            self.reason = reason
        }
    }

    private let content: Content

    package var position: Position { content.position }
    /// In words, without a full stop: "the trailer is cut off".
    package var reason: StaticString { content.reason }

    package init(_ position: Position, _ reason: StaticString) { content = Content(position, reason) }

    package static func == (left: DecodingError, right: DecodingError) -> Bool {
        left.position == right.position && left.reason.utf8Start == right.reason.utf8Start
    }
}
