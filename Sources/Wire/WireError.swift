package import Bytes

/// An error in the bytes of a peer.
package enum WireError: ByteFault, Equatable, Sendable {
  /// The message or a field of it is wrong.
  case bytes(ByteError)
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

  /// Creates the error for a field that is wrong.
  package init(_ error: ByteError) { self = .bytes(error) }

  /// The code with which to close the connection if it cannot continue.
  package var closeCode: CloseCode {
    switch self {
    case .bytes(.tooLong): .messageTooLarge
    case .wrongVersion: .wrongVersion
    case .badRoomName: .badRoomName
    case .bytes, .contradictoryEntry, .unknownElement, .brokenChain: .malformed
    }
  }
}

extension WireError: CustomStringConvertible {
  /// What is wrong, with the value, and what to do about it.
  package var description: String {
    switch self {
    case .bytes(let error): error.description
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
