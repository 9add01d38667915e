/// An error in the bytes of a peer.
package enum WireError: Error, Equatable, Sendable {
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
  /// A number has more than 52 bits, or a distance leads to such a number.
  case tooLarge(field: String, offset: Int)
  /// A number takes more bytes than it needs.
  case notShortest(field: String, offset: Int)
  /// A byte of flags or of an enumeration is invalid.
  case unknownValue(field: String, value: UInt8)
  /// There are more items than allowed.
  case tooMany(field: String, count: Int, limit: Int)
  /// Hello or welcome names a version that is not supported.
  case wrongVersion(UInt8)
  /// A room's name has a length or a character that is not allowed.
  case badRoomName(String)
  /// The flags and the mask of an entry contradict each other or the kind of the frame.
  case contradictoryEntry(id: UInt64, mask: UInt16, flags: UInt8)
  /// A frame refers to an element that was not introduced, or changes one that is not shown.
  case unknownElement(id: UInt64)
  /// A delta does not follow the previous frame, or there was no snapshot before it.
  case brokenChain(last: UInt32?, number: UInt32)

  /// The code with which to close the connection if it cannot continue.
  package var closeCode: CloseCode {
    switch self {
    case .tooLong: .messageTooLarge
    case .wrongVersion: .wrongVersion
    case .badRoomName: .badRoomName
    default: .malformed
    }
  }
}

extension WireError: CustomStringConvertible {
  /// What is wrong, with the value, and what to do about it.
  package var description: String {
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
    case .wrongVersion(let version):
      "The protocol version is \(version). Use version \(WireVersion.current), or reload the page."
    case .badRoomName(let name):
      "The room name \"\(name)\" is not allowed. Use 1 to 32 letters, digits and hyphens."
    case .contradictoryEntry(let id, let mask, let flags):
      "The entry of element \(id) contradicts itself: mask \(mask), flags \(flags). "
        + "Send all of an appearing element and nothing of a hidden one."
    case .unknownElement(let id):
      "The element \(id) is not known or not shown. Introduce it and send it in full first."
    case .brokenChain(let last, let number):
      "The delta \(number) does not follow frame \(last.map { "\($0)" } ?? "none"). "
        + "Ask for a snapshot with a visibility message."
    }
  }
}
