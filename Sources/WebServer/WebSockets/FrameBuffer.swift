/// Messages as WebSocket frames of a server, back to back (RFC 6455, section 5.2).
///
/// They are framed once and sent to many connections. The buffer is reused and keeps its memory.
struct FrameBuffer {
  /// The opcodes of frames that a server sends.
  enum Opcode: UInt8 {
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  private var storage: [UInt8] = []

  /// The number of bytes.
  var count: Int { storage.count }

  /// Removes all frames.
  mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

  /// Appends one whole frame; the payload of a control frame has at most 125 bytes.
  mutating func append(_ payload: UnsafeRawBufferPointer, as opcode: Opcode) {
    storage.append(0x80 | opcode.rawValue)
    switch payload.count {
    case ..<126: storage.append(UInt8(payload.count))
    case ...0xffff:
      storage.append(126)
      appendLength(of: payload, bytes: 2)
    default:
      storage.append(127)
      appendLength(of: payload, bytes: 8)
    }
    storage.append(contentsOf: payload)
  }

  /// Calls a closure with all bytes, which are valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    storage.withUnsafeBytes(body)
  }

  private mutating func appendLength(of payload: UnsafeRawBufferPointer, bytes: Int) {
    for place in (0..<bytes).reversed() {
      storage.append(UInt8(truncatingIfNeeded: payload.count >> (8 * place)))
    }
  }
}
