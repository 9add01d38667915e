extension ServerMessage {
  /// What a message is called whose first byte this is, such as `delta`; nil for none.
  public static func kind(ofFirstByte byte: UInt8) -> String? {
    ServerType(rawValue: byte).map { "\($0)" }
  }
}
