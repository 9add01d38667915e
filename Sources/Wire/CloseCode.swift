/// Why a connection is closed.
public enum CloseCode: UInt16, Equatable, Sendable, CaseIterable {
  /// The client left, or the server has no more to say to it.
  case normal = 1000
  /// The server is shutting down or restarting.
  case goingAway = 1001
  /// A text message came; the protocol is binary.
  case textMessage = 1003
  /// Hello is missing, late or second, or the Origin is not allowed.
  case policyViolation = 1008
  /// A message is longer than ``WireLimits/clientMessageBytes``.
  case messageTooLarge = 1009
  /// A message does not follow the table.
  case malformed = 4000
  /// Hello names a version this server does not speak.
  case wrongVersion = 4001
  /// Hello names a room in characters or a length that are not allowed.
  case badRoomName = 4002
  /// The client went on after too many error messages, or sent far more than it may.
  case tooManyErrors = 4003
  /// The room has as many members as it takes.
  case roomFull = 4004
  /// The room, or the library, is opened by a key that was not shown, or by another one.
  case keyNeeded = 4005
  /// The room's host lets nobody else in.
  case locked = 4006
  /// The host showed the member out.
  case shownOut = 4007
  /// The client took too little for too long.
  case tooSlow = 4008
  /// The host ended the reading.
  case ended = 4009
  /// Too many wrong keys came from the client's address.
  case tooManyTries = 4010
  /// The member goes on over another connection.
  case replaced = 4011
  /// The room that hello names is not there any more, or never was.
  case roomGone = 4012
  /// Too many rooms were opened from the client's address.
  case tooManyRooms = 4013
  /// The next message to the client was larger than any that is sent.
  case oversized = 4014

  /// The code of a connection that was lost without a word.
  public static let lost: UInt16 = 1006

  /// Whether a connection that was closed with a code was lost, or goes on elsewhere, so that its
  /// member may come back as the same; after a goodbye, or a mistake, it may not.
  public static func mayComeBack(after code: UInt16) -> Bool {
    switch CloseCode(rawValue: code) {
    case .goingAway, .tooSlow, .replaced: true
    // No code of this table: a page that goes says 1001 or, as a lost line does, nothing at all.
    case nil: code == lost || code == 1005
    default: false
    }
  }

  /// What it means and what to do, as the close frame's reason: at most 123 bytes.
  public var meaning: String {
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
    case .shownOut: "The host has removed you from this reading."
    case .tooSlow: "The connection is too slow. Reconnect on a better one."
    case .ended: "The host has closed the book."
    case .tooManyTries: "Too many wrong codes. Wait a minute, then try again."
    case .replaced: "This book is open in another window."
    case .roomGone: "The room is gone. Open a room of your own."
    case .tooManyRooms: "Too many rooms were opened from here. Wait a minute, then try again."
    case .oversized: "A message to the client became too large. Reconnect in a moment."
    }
  }
}
