/// The reason for closing a connection.
package enum CloseCode: UInt16, Equatable, Sendable, CaseIterable {
  /// The client left, or the server has nothing more to send.
  case normal = 1000
  /// The server is shutting down or restarting.
  case goingAway = 1001
  /// The client sent a text message; the protocol is binary.
  case textMessage = 1003
  /// Hello is missing, late or repeated, or the Origin is not allowed.
  case policyViolation = 1008
  /// A message is longer than ``WireLimits/clientMessageBytes``.
  case messageTooLarge = 1009
  /// A message is malformed.
  case malformed = 4000
  /// Hello has a version that this server does not support.
  case wrongVersion = 4001
  /// Hello has a room name with forbidden characters or length.
  case badRoomName = 4002
  /// The client sent too many erroneous messages, or far more messages than allowed.
  case tooManyErrors = 4003
  /// The room has its maximum number of members.
  case roomFull = 4004
  /// The room, or the library, needs a key, which is missing or wrong.
  case keyNeeded = 4005
  /// The room is locked.
  case locked = 4006
  /// A host removed the member.
  case shownOut = 4007
  /// The client was too slow for too long.
  case tooSlow = 4008
  /// A host ended the sharing of the room.
  case ended = 4009
  /// Too many wrong keys came from the client's address.
  case tooManyTries = 4010
  /// The member continues over another connection.
  case replaced = 4011
  /// The room in hello no longer exists, or never existed.
  case roomGone = 4012
  /// Too many rooms were opened from the client's address.
  case tooManyRooms = 4013
  /// The next message to the client was too large to be sent.
  case oversized = 4014

  /// The reader has another window in its own room; the error before this names another room.
  case elsewhere = 4015

  /// The code of a connection that was lost without a close frame.
  package static let lost: UInt16 = 1006

  /// Returns whether the member of a closed connection may rejoin as the same member: after the
  /// connection was lost, was too slow or was replaced, or after the page or the server closed it,
  /// but not after a goodbye or an error.
  package static func mayComeBack(after code: UInt16) -> Bool {
    switch CloseCode(rawValue: code) {
    case .goingAway, .tooSlow, .replaced: true
    // Codes outside this table: a page that closes sends 1001 or, like a lost connection, no code.
    case nil: code == lost || code == 1005
    case .normal, .textMessage, .policyViolation, .messageTooLarge, .malformed, .wrongVersion,
      .badRoomName, .tooManyErrors, .roomFull, .keyNeeded, .locked, .shownOut, .ended,
      .tooManyTries, .roomGone, .tooManyRooms, .elsewhere, .oversized:
      false
    }
  }

  /// The meaning and what to do, as the reason in the close frame; at most 123 bytes.
  package var meaning: String {
    switch self {
    case .normal: "Goodbye."
    case .goingAway: "The server is shutting down. Reconnect in a moment."
    case .textMessage: "Text messages are not supported. Send binary messages."
    case .policyViolation: "Send hello first, once and at once, from an allowed origin."
    case .messageTooLarge: "The message is longer than 512 bytes. Send shorter messages."
    case .malformed: "The message does not follow the protocol. Correct the client."
    case .wrongVersion: "Unsupported protocol version. Reload the page."
    case .badRoomName: "A room name is 1 to 32 letters, digits and hyphens."
    case .tooManyErrors: "Too many errors or messages. Correct the client."
    case .roomFull: "The room is full. Try again when somebody has left."
    case .keyNeeded: "You need an invitation link for this room."
    case .locked: "The room is locked. Ask somebody in the room to unlock it."
    case .shownOut: "The host has removed you from this session."
    case .tooSlow: "The connection is too slow. Reconnect on a better one."
    case .ended: "The host has closed the book."
    case .tooManyTries: "Too many wrong codes. Wait a minute, then try again."
    case .replaced: "This book is open in another window."
    case .roomGone: "The room is gone. Open a room of your own."
    case .tooManyRooms: "Too many rooms were opened from here. Wait a minute, then try again."
    case .elsewhere: "You are reading here in another window. Open a room of your own."
    case .oversized: "A message to the client became too large. Reconnect in a moment."
    }
  }
}
