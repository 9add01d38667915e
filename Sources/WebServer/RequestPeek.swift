/// The properties of a request's head that are needed before libwebsockets reads it.
struct RequestPeek: Equatable {
  /// The size of the head in bytes; nil if it is incomplete.
  let count: Int?
  /// Whether it requests a WebSocket.
  let isForWebSocket: Bool

  init(_ bytes: some Collection<UInt8>) {
    count = Self.end(of: bytes)
    guard let count else {
      isForWebSocket = false
      return
    }
    let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n"))
    isForWebSocket = lines.dropFirst().contains { line in
      let text = String(decoding: line, as: UTF8.self).lowercased()
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == "upgrade" else { return false }
      return parts[1].filter { $0 != "\r" }[...].trimmingSpaces == "websocket"
    }
  }

  /// Returns the end of the empty line after the head; an empty line before the first line does not
  /// count.
  private static func end(of bytes: some Collection<UInt8>) -> Int? {
    var (place, length, hasLine) = (0, 0, false)
    for byte in bytes {
      place += 1
      switch byte {
      case UInt8(ascii: "\n"):
        if length == 0, hasLine { return place }
        hasLine = hasLine || length > 0
        length = 0
      case UInt8(ascii: "\r"): break
      default: length += 1
      }
    }
    return nil
  }
}
