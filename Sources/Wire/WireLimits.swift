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
