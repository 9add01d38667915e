/// The version of the protocol and its name on the wire.
public enum WireVersion {
  /// The version that hello and welcome carry.
  public static let current: UInt8 = 4
  /// The WebSocket subprotocol.
  public static let subprotocol = "lectern.v1"
}

/// What a peer may ask for; whatever exceeds a limit is an error and never a trap.
public enum WireLimits {
  /// The longest message of a client, in bytes.
  public static let clientMessageBytes = 512
  /// The longest message of a server, in bytes, whatever it holds: no encoder writes a longer one.
  public static let serverMessageBytes = 262_144
  /// The most pointer samples in one message.
  public static let pointerSamples = 16
  /// Pointers messages a second; more are coalesced.
  public static let pointerMessagesPerSecond = 240
  /// The longest room name, in bytes.
  public static let roomNameBytes = 32
  /// The longest side of a viewport, in CSS pixels.
  public static let viewportSide = 65_536.0
  /// The largest ratio of device pixels to CSS pixels.
  public static let pixelRatio = 64.0
  /// The largest distance of a coordinate or a wheel step from 0, in CSS pixels.
  public static let coordinate = 1_000_000.0
  /// The largest scale of a zoom gesture.
  public static let zoomScale = 1_000.0
  /// The most placements in one frame, so that a delta's length fits the 16 bits it has in a batch.
  public static let placements = 512
  /// The most frames in one batch.
  public static let batchFrames = 255
  /// How many elements a stream introduces before it retires those that are not needed.
  public static let elements = 1024
  /// The most numbers in one message that retires elements.
  public static let retiredPerMessage = 4096
  /// The most elements in one message; a long table goes out in several.
  public static let elementsPerMessage = 256
  /// The longest message of elements, in bytes; a table of long titles goes out in several.
  public static let elementsBytes = 65_536
  /// The most element ids in one ready message.
  public static let readyElements = 63
  /// The longest id of a book, in bytes.
  public static let bookIDBytes = 128
  /// The longest filter of an arrangement, in bytes.
  public static let filterBytes = 200
  /// The longest key, secret (a reader's too), code or resume token, in bytes.
  public static let keyBytes = 64
  /// The longest name of a member, in bytes.
  public static let nameBytes = 64
  /// The longest id of a recording, in bytes.
  public static let recordingIDBytes = 64
  /// The longest duration that a page reports, in seconds.
  public static let seconds = 3_600.0
  /// The most people in one message; a longer list goes out in several.
  public static let peoplePerMessage = 128
  /// The most members in one message that are said to have gone.
  public static let gonePerMessage = 1024
  /// The furthest that one step of zoom goes, as a factor; its inverse is the furthest back.
  public static let zoomStep = 8.0
  /// The most cameras in one flight.
  public static let flightCameras = 255
  /// The longest text a server sends, in bytes; longer text is cut between two characters.
  public static let textBytes = 2048
}

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

  /// What it means, as the close frame's reason.
  public var meaning: String {
    switch self {
    case .normal: "Goodbye."
    case .goingAway: "The server is going away. Reconnect in a moment."
    case .textMessage: "Text messages are not understood. Send binary ones."
    case .policyViolation: "Say hello first, once and at once, from an allowed origin."
    case .messageTooLarge: "The message is longer than 512 bytes. Send less at a time."
    case .malformed: "The message does not follow the table. Correct the client."
    case .wrongVersion: "The version is not spoken here. Reload the page."
    case .badRoomName: "A room's name is 1 to 32 letters, digits and hyphens."
    case .tooManyErrors: "Too many errors or messages came one after another. Correct the client."
    case .roomFull: "The room is full. Read in another one."
    case .keyNeeded: "This room opens to those who have its link. Ask for it again."
    case .locked: "The room is locked. Ask who is inside."
    case .shownOut: "The host has shown you out."
    case .tooSlow: "The line is too slow to follow. Come back on a better one."
    case .ended: "The host has closed the book."
    case .tooManyTries: "Too many wrong keys came from here. Try again in a minute."
    case .replaced: "You read on in another window."
    case .roomGone: "The room is gone. Read in one of your own."
    case .tooManyRooms: "Too many rooms were opened from here. Try again in a minute."
    case .oversized: "What was to be shown became too large to be sent. Come back in a moment."
    }
  }
}
