/// The frames that messages travel in: a length of four bytes, little-endian, then the message.
public enum PressFrame {
  /// The bytes before a message.
  public static let headerBytes = 4

  /// The longest message in bytes: 256 MiB.
  public static let lengthMax = 256 << 20

  /// Reads the length of the message that follows a header.
  /// - Parameter header: At least ``headerBytes`` bytes; more are not looked at.
  /// - Returns: The length in bytes, from 1 to ``lengthMax``.
  /// - Throws: What is wrong with the header.
  public static func length(
    _ header: some RandomAccessCollection<UInt8>
  ) throws(PressProtocolError) -> Int {
    guard header.count >= headerBytes else {
      throw .truncated(field: "length", needed: headerBytes, available: header.count)
    }
    let length = header.prefix(headerBytes).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length > 0 else { throw .empty }
    guard length <= lengthMax else { throw .tooLong(bytes: length) }
    return length
  }

  /// Puts a header before a message.
  /// - Precondition: The message has no more than ``lengthMax`` bytes.
  static func framed(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    write(&bytes)
    let length = bytes.count - headerBytes
    precondition(length <= lengthMax)
    for index in 0..<headerBytes { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return bytes
  }
}

/// Collects the bytes of a pipe and hands out whole messages.
public struct PressFrameBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// Where the first byte lies that was not handed out.
  private var start = 0

  /// Creates an empty buffer.
  public init() {}

  /// Whether no part of a message waits here.
  public var isEmpty: Bool { start == bytes.count }

  /// Adds bytes that were read.
  public mutating func append(_ new: some Collection<UInt8>) {
    // What was handed out is dropped when it is most of the buffer, so that each byte moves once.
    if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Takes out the next message, without its header.
  /// - Parameter lengthMax: The longest message of a type, which is its first byte. Asked as soon
  ///   as that has come: no more is kept of a message that is too long.
  /// - Returns: `nil` if the rest of it has not come yet.
  /// - Throws: ``PressProtocolError/tooLong(bytes:)`` for one that is too long.
  public mutating func next(
    lengthMax: (UInt8) -> Int = { _ in PressFrame.lengthMax }
  ) throws(PressProtocolError) -> [UInt8]? {
    let begin = start + PressFrame.headerBytes
    guard bytes.count >= begin else { return nil }
    let length = try PressFrame.length(bytes[start...])
    guard bytes.count > begin else { return nil }
    guard length <= lengthMax(bytes[begin]) else { throw .tooLong(bytes: length) }
    let end = begin + length
    guard bytes.count >= end else { return nil }
    let message = Array(bytes[begin..<end])
    start = end
    // The room that a large message needed is given back.
    if isEmpty, bytes.capacity > Self.keptCapacity { (bytes, start) = ([], 0) }
    return message
  }

  private static let keptCapacity = 1 << 20
}
