/// Parses and validates the WebSocket frames of a client (RFC 6455, section 5).
///
/// A value without a socket: it receives bytes, unmasks them in place and classifies them. It
/// exists because libwebsockets does not report whether a frame was masked, and answers pings as
/// fast as they arrive.
struct FrameReader {
  /// The classification of the next bytes.
  enum Step: Equatable {
    /// The frame is incomplete.
    case more
    /// A complete message in one frame, with its range.
    case message(Range<Int>)
    /// A complete message that was fragmented.
    case assembled([UInt8])
    /// A fragment of a message.
    case part(count: Int)
    /// A text message, or the first fragment of one.
    case text
    /// A ping, with the range of its payload.
    case ping(Range<Int>)
    case pong
    /// A close frame with its code; 1005 if it has none.
    case close(code: UInt16)
    /// A violation of the protocol, with a reason and the code for the close frame; nothing after
    /// it can be parsed.
    case violation(code: UInt16, reason: String)
  }

  /// The maximum size of a header: two bytes, eight of length and four of mask.
  static let headerMax = 14

  /// The maximum size of a message in bytes, in any number of frames.
  let limit: Int
  private var parts: [UInt8] = []
  private var isInside = false

  init(limit: Int) { self.limit = limit }

  /// Parses the next frame.
  /// - Parameters:
  ///   - bytes: The received bytes that were not parsed yet; a parsed payload is unmasked in place.
  ///   - start: The position of the frame; afterwards that of the next frame.
  /// - Returns: The classification of the frame.
  mutating func step(_ bytes: UnsafeMutableRawBufferPointer, from start: inout Int) -> Step {
    let rest = bytes.count - start
    guard rest >= 2 else { return .more }
    let (first, second) = (bytes[start], bytes[start + 1])
    let opcode = Opcode(rawValue: first & 0x0f)
    if let fault = fault(first, second, opcode) { return fault }
    guard let opcode else { return .violation(code: 1002, reason: "an unknown opcode") }
    let (headerCount, length): (Int, UInt64)
    switch second & 0x7f {
    case 126: (headerCount, length) = (8, Self.number(bytes, start + 2, 2, of: rest))
    case 127: (headerCount, length) = (14, Self.number(bytes, start + 2, 8, of: rest))
    case let short: (headerCount, length) = (6, UInt64(short))
    }
    guard rest >= headerCount else { return .more }
    if headerCount == 8 && length < 126 || headerCount == 14 && length < 65_536 || length >> 63 != 0
    {
      return .violation(code: 1002, reason: "a length must use its shortest encoding")
    }
    // A control frame is not part of the message that it interrupts.
    guard opcode.isControl || length <= UInt64(limit - parts.count) else {
      return .violation(code: 1009, reason: "a message has at most \(limit) bytes")
    }
    let payload = start + headerCount..<start + headerCount + Int(length)
    guard bytes.count >= payload.upperBound else { return .more }
    Self.unmask(bytes, payload, mask: start + headerCount - 4)
    start = payload.upperBound
    return accept(opcode, isLast: first & 0x80 != 0, payload, of: bytes)
  }

  private enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
  }

  /// Returns what is wrong with the first two bytes.
  private func fault(_ first: UInt8, _ second: UInt8, _ opcode: Opcode?) -> Step? {
    let reason: String? =
      switch opcode {
      case _ where first & 0x70 != 0: "a reserved bit is set without an extension"
      case nil: "an unknown opcode"
      case _ where second & 0x80 == 0: "a client must mask its frames"
      case .close, .ping, .pong:
        first & 0x80 == 0
          ? "a control frame must not be fragmented"
          : second & 0x7f > 125 ? "a control frame has at most 125 bytes" : nil
      case .continuation: isInside ? nil : "there is no message to continue"
      case .text, .binary: isInside ? "the previous message has not ended" : nil
      }
    return reason.map { .violation(code: 1002, reason: $0) }
  }

  private mutating func accept(
    _ opcode: Opcode,
    isLast: Bool,
    _ payload: Range<Int>,
    of bytes: UnsafeMutableRawBufferPointer
  ) -> Step {
    switch opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return Self.close(bytes[payload])
    case .text:
      isInside = !isLast
      return .text
    case .binary where isLast: return .message(payload)
    case .binary, .continuation:
      parts += bytes[payload]
      isInside = !isLast
      guard isLast else { return .part(count: payload.count) }
      defer { parts = [] }
      return .assembled(parts)
    }
  }

  /// Validates a close frame (RFC 6455, sections 5.5.1 and 7.4).
  private static func close(_ payload: Slice<UnsafeMutableRawBufferPointer>) -> Step {
    guard !payload.isEmpty else { return .close(code: 1005) }
    guard payload.count >= 2 else {
      return .violation(code: 1002, reason: "a close code has two bytes")
    }
    let code = payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    guard isSpoken(code) else {
      return .violation(code: 1002, reason: "the close code \(code) must not be sent")
    }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      return .violation(code: 1007, reason: "a close reason must be UTF-8")
    }
    return .close(code: code)
  }

  /// Whether a code may occur in a frame: below 3000, registered codes except the three that are
  /// never sent.
  private static func isSpoken(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// Reads a big-endian number; 0 if it is incomplete.
  private static func number(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ start: Int,
    _ count: Int,
    of rest: Int
  ) -> UInt64 {
    guard rest >= 2 + count else { return 0 }
    return bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func unmask(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ payload: Range<Int>,
    mask: Int
  ) {
    let key = (bytes[mask], bytes[mask + 1], bytes[mask + 2], bytes[mask + 3])
    guard key != (0, 0, 0, 0) else { return }
    for (index, place) in payload.enumerated() {
      switch index & 3 {
      case 0: bytes[place] ^= key.0
      case 1: bytes[place] ^= key.1
      case 2: bytes[place] ^= key.2
      default: bytes[place] ^= key.3
      }
    }
  }
}
