extension ServerMessage {
  /// Returns the name of the message type with this first byte, such as `delta`; nil if there is
  /// none.
  public static func kind(ofFirstByte byte: UInt8) -> String? {
    ServerType(rawValue: byte).map { "\($0)" }
  }

  /// Returns whether this is the first byte of the answer to a clock probe.
  public static func isClock(_ byte: UInt8) -> Bool { byte == ServerType.clock.rawValue }
}
