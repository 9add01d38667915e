/// The version of the protocol and its name on the wire.
package enum WireVersion {
  /// The version that hello and welcome carry.
  package static let current: UInt8 = 7
  /// The WebSocket subprotocol.
  package static let subprotocol = "lectern.v1"
}

/// The limits on the messages of a peer; exceeding one is an error and never a trap.
package enum WireLimits {
  /// The maximum length of a client message, in bytes.
  package static let clientMessageBytes = 512
  /// The maximum length of a server message, in bytes; no encoder writes a longer one.
  package static let serverMessageBytes = 262_144
  /// The maximum number of pointer samples in one message.
  package static let pointerSamples = 16
  /// The maximum number of pointers messages per second; more are coalesced.
  package static let pointerMessagesPerSecond = 240
  /// The maximum length of a room name, in bytes.
  package static let roomNameBytes = 32
  /// The maximum side of a viewport, in CSS pixels.
  package static let viewportSide = 65_536.0
  /// The maximum ratio of device pixels to CSS pixels.
  package static let pixelRatio = 64.0
  /// The maximum distance of a coordinate or a wheel step from 0, in CSS pixels.
  package static let coordinate = 1_000_000.0
  /// The maximum scale of a zoom gesture.
  package static let zoomScale = 1_000.0
  /// The maximum number of placements in one frame, so that a delta's length fits its 16 bits in a
  /// batch.
  package static let placements = 512
  /// The maximum number of frames in one batch.
  package static let batchFrames = 255
  /// The number of introduced elements at which a stream retires those that are not needed.
  package static let elements = 1024
  /// The maximum number of elements in one message that retires elements.
  package static let retiredPerMessage = 4096
  /// The maximum number of pages in a spread.
  package static let spreadPages = 2
  /// The maximum number of elements in one message; a longer list is split.
  package static let elementsPerMessage = 256
  /// The maximum length of an elements message, in bytes; a longer list is split.
  package static let elementsBytes = 65_536
  /// The maximum number of element ids in one ready message.
  package static let readyElements = 63
  /// The maximum length of a book's id, in bytes.
  package static let bookIDBytes = 128
  /// The maximum length of a filter, in bytes.
  package static let filterBytes = 200
  /// The maximum length of a key, secret, code or resume token, in bytes.
  package static let keyBytes = 64
  /// The maximum length of a member's name, in bytes.
  package static let nameBytes = 64
  /// The maximum length of a recording's id, in bytes.
  package static let recordingIDBytes = 64
  /// The maximum duration that a page reports, in seconds.
  package static let seconds = 3_600.0
  /// The maximum number of people in one message; a longer list is split.
  package static let peoplePerMessage = 128
  /// The maximum number of members that left in one message.
  package static let gonePerMessage = 1024
  /// The maximum factor of one zoom step; the minimum is its inverse.
  package static let zoomStep = 8.0
  /// The maximum length of a server's text, in bytes; longer text is truncated between two
  /// characters.
  package static let textBytes = 2048
}
