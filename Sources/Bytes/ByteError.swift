/// An error in the bytes of a message: which field is wrong, and how.
public enum ByteError: Error, Equatable, Sendable {
  /// The message has no bytes.
  case empty
  /// The message is longer than allowed.
  case tooLong(bytes: Int, limit: Int)
  /// The type byte of a message is unknown.
  case unknownType(UInt8)
  /// The bytes end inside a field.
  case truncated(field: String, offset: Int, needed: Int, available: Int)
  /// Bytes follow the last field.
  case trailingBytes(offset: Int, count: Int)
  /// A text is not UTF-8.
  case notUTF8(field: String, offset: Int)
  /// A number is infinite or not a number.
  case notFinite(field: String)
  /// A number is outside its range.
  case outOfRange(field: String, value: Double, lowest: Double, highest: Double)
  /// A number has more bits than allowed, or a distance leads to such a number.
  case tooLarge(field: String, offset: Int)
  /// A number takes more bytes than it needs.
  case notShortest(field: String, offset: Int)
  /// A byte of flags or of an enumeration is invalid.
  case unknownValue(field: String, value: UInt8)
  /// There are more items than allowed.
  case tooMany(field: String, count: Int, limit: Int)
  /// A field breaks another rule of the protocol.
  case invalid(field: String)
}

extension ByteError: CustomStringConvertible {
  /// What is wrong, with the value, and what to do about it.
  public var description: String {
    switch self {
    case .empty:
      "The message is empty. Begin it with its type byte."
    case .tooLong(let bytes, let limit):
      "The message has \(bytes) bytes. Send at most \(limit)."
    case .unknownType(let type):
      "The type 0x\(String(type, radix: 16)) is unknown. Use a type of the protocol."
    case .truncated(let field, let offset, let needed, let available):
      "The message ends inside \(field): \(available) bytes of \(needed) at offset \(offset). "
        + "Send the whole field."
    case .trailingBytes(let offset, let count):
      "\(count) bytes follow the last field, from offset \(offset). Omit them."
    case .notUTF8(let field, let offset):
      "The text \(field) at offset \(offset) is not UTF-8. Encode it as UTF-8."
    case .notFinite(let field):
      "The number \(field) is not finite. Send a finite number."
    case .outOfRange(let field, let value, let lowest, let highest):
      "The number \(field) is \(value). Send one of \(lowest) to \(highest)."
    case .tooLarge(let field, let offset):
      "The number \(field) at offset \(offset) has more than 52 bits. Send a smaller one."
    case .notShortest(let field, let offset):
      "The number \(field) at offset \(offset) takes more bytes than it needs. "
        + "Omit the last bytes that are 0."
    case .unknownValue(let field, let value):
      "The byte \(field) is \(value), which is invalid. Use a value of the protocol."
    case .tooMany(let field, let count, let limit):
      "There are \(count) of \(field). Send at most \(limit)."
    case .invalid(let field):
      "The field \(field) has a value that is not allowed. Send a value that follows the protocol."
    }
  }
}

/// The errors of a protocol, some of which are errors in the bytes of a field.
public protocol ByteFault: Error {
  /// Creates the error for a field that is wrong.
  init(_ error: ByteError)
}

extension ByteError: ByteFault {
  /// Creates the same error.
  public init(_ error: ByteError) { self = error }
}
