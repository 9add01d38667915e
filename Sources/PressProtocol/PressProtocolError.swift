/// An error in the bytes of the protocol.
package enum PressProtocolError: Error, Equatable, Sendable {
  /// A frame is longer than ``PressFrame/lengthMax``.
  case tooLong(bytes: Int)
  /// A frame has no bytes.
  case empty
  /// The type of a message is unknown.
  case unknownType(UInt8)
  /// The bytes end inside a field.
  case truncated(field: String, needed: Int, available: Int)
  /// Bytes follow the last field.
  case trailingBytes(count: Int)
  /// A text is not UTF-8.
  case notUTF8(field: String)
  /// A number is not finite, or not in its range.
  case outOfRange(field: String)
  /// A byte of an enumeration is invalid.
  case unknownValue(field: String, value: UInt8)
}

extension PressProtocolError: CustomStringConvertible {
  /// What is wrong, with the value, and what to do.
  package var description: String {
    switch self {
    case .tooLong(let bytes):
      "The frame has \(bytes) bytes. Send at most \(PressFrame.lengthMax)."
    case .empty: "The frame is empty. Begin it with its type."
    case .unknownType(let type): "The type \(type) is unknown. Use a type of the protocol."
    case .truncated(let field, let needed, let available):
      "The frame ends inside \(field): \(available) bytes of \(needed). Send the whole field."
    case .trailingBytes(let count): "\(count) bytes follow the last field. Omit them."
    case .notUTF8(let field): "The text \(field) is not UTF-8. Encode it as UTF-8."
    case .outOfRange(let field): "The number \(field) is out of range. Send a number in its range."
    case .unknownValue(let field, let value):
      "The byte \(field) is \(value), which is invalid. Use a value of the protocol."
    }
  }
}
