extension ServerMessage {
  /// Returns the name of the message type with this first byte, such as `delta`; nil if there is
  /// none.
  public static func kind(ofFirstByte byte: UInt8) -> String? {
    ServerType(rawValue: byte).map { "\($0)" }
  }
}
