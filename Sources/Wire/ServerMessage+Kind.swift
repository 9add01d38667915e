extension ServerMessage {
  /// Returns the name of the message type with this first byte, such as `delta`; nil if there is
  /// none.
  package static func kind(ofFirstByte byte: UInt8) -> String? {
    ServerType(rawValue: byte).map { "\($0)" }
  }

  /// Returns whether this is the first byte of the answer to a clock probe.
  package static func isClock(_ byte: UInt8) -> Bool { byte == ServerType.clock.rawValue }
}
