/// Takes the frames of a client apart and judges them as RFC 6455, section 5, says.
///
/// A value that knows no socket: it is handed bytes, unmasks them where they lie and tells what
/// they are. libwebsockets does not tell whether a frame was masked, and answers pings as fast as
/// they come.
struct FrameReader {
  /// What the next bytes are.
  enum Step: Equatable {
    /// A frame that has not come whole.
    case more
    /// A whole message, in one frame: where it lies.
    case message(Range<Int>)
    /// A whole message, in several frames.
    case assembled([UInt8])
    /// A part of a message that goes on.
    case part(count: Int)
    /// A message of text, in one frame or begun by one.
    case text
    /// A ping, and where what is to be said back lies.
    case ping(Range<Int>)
    case pong
    /// A goodbye, with its code; 1005 if it has none.
    case close(code: UInt16)
    /// Nothing that follows can be understood: why, and the code to say so with.
    case violation(code: UInt16, reason: String)
  }

  /// The longest header: two bytes, eight of a length and four of a mask.
  static let headerMax = 14

  /// The most bytes of one message, in however many frames it comes.
  let limit: Int
  private var parts: [UInt8] = []
  private var isInside = false

  init(limit: Int) { self.limit = limit }

  /// Takes the next frame.
  /// - Parameters:
  ///   - bytes: What has come and was not taken yet; what is taken is unmasked in place.
  ///   - start: Where the frame begins; afterwards where the next one does.
  /// - Returns: What it is.
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
      return .violation(code: 1002, reason: "a length is written in as few bytes as hold it")
    }
    // A control frame is no part of the message that it comes in the middle of.
    guard opcode.isControl || length <= UInt64(limit - parts.count) else {
      return .violation(code: 1009, reason: "a message has at most \(limit) bytes")
    }
    let payload = start + headerCount..<start + headerCount + Int(length)
    guard bytes.count >= payload.upperBound else { return .more }
    Self.unmask(bytes, payload, mask: start + headerCount - 4)
    start = payload.upperBound
    return take(opcode, isLast: first & 0x80 != 0, payload, of: bytes)
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

  /// What is wrong with the first two bytes.
  private func fault(_ first: UInt8, _ second: UInt8, _ opcode: Opcode?) -> Step? {
    let reason: String? =
      switch opcode {
      case _ where first & 0x70 != 0: "a reserved bit is set, and no extension was agreed on"
      case nil: "an unknown opcode"
      case _ where second & 0x80 == 0: "a frame of a client is masked"
      case .close, .ping, .pong:
        first & 0x80 == 0
          ? "a control frame comes whole"
          : second & 0x7f > 125 ? "a control frame has at most 125 bytes" : nil
      case .continuation: isInside ? nil : "there is no message that goes on"
      case .text, .binary: isInside ? "the message before has not ended" : nil
      }
    return reason.map { .violation(code: 1002, reason: $0) }
  }

  private mutating func take(
    _ opcode: Opcode,
    isLast: Bool,
    _ payload: Range<Int>,
    of bytes: UnsafeMutableRawBufferPointer
  ) -> Step {
    switch opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return Self.goodbye(bytes[payload])
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

  /// Judges a goodbye: RFC 6455, sections 5.5.1 and 7.4.
  private static func goodbye(_ payload: Slice<UnsafeMutableRawBufferPointer>) -> Step {
    guard !payload.isEmpty else { return .close(code: 1005) }
    guard payload.count >= 2 else {
      return .violation(code: 1002, reason: "a code has two bytes")
    }
    let code = payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    guard isSpoken(code) else {
      return .violation(code: 1002, reason: "the code \(code) is not to be sent")
    }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else {
      return .violation(code: 1007, reason: "a reason is UTF-8")
    }
    return .close(code: code)
  }

  /// Whether a code may stand in a frame: of those below 3000 the ones that are registered, without
  /// the three that only tell of a frame that never came.
  private static func isSpoken(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// A number of so many bytes, the highest first; 0 if they have not come.
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
