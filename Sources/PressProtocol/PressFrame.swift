package import Bytes

/// The framing of messages: a little-endian length of four bytes, then the message.
package enum PressFrame {
  /// The number of bytes before a message.
  package static let headerBytes = 4

  /// The maximum length of a message in bytes: 256 MiB.
  package static let lengthMax = 256 << 20

  /// Reads the length of the message after a header.
  /// - Parameter header: At least ``headerBytes`` bytes; further bytes are ignored.
  /// - Returns: The length in bytes, from 1 to ``lengthMax``.
  /// - Throws: What is wrong with the header.
  package static func length(
    _ header: some RandomAccessCollection<UInt8>
  ) throws(ByteError) -> Int {
    guard header.count >= headerBytes else {
      throw .truncated(field: "length", offset: 0, needed: headerBytes, available: header.count)
    }
    let length = header.prefix(headerBytes).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length > 0 else { throw .empty }
    guard length <= lengthMax else { throw .tooLong(bytes: length, limit: lengthMax) }
    return length
  }

  /// Puts a header and a type before the fields of a message.
  /// - Precondition: The message has at most ``lengthMax`` bytes.
  static func framed(
    _ type: UInt8,
    _ write: (inout PressCoder) throws(ByteError) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0, type]
    PressCoder.append(to: &bytes, write)
    let length = bytes.count - headerBytes
    precondition(length <= lengthMax)
    for index in 0..<headerBytes { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return bytes
  }
}

/// Collects the bytes of a pipe and returns complete messages.
package struct PressFrameBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The position of the first byte that was not returned yet.
  private var start = 0

  /// Creates an empty buffer.
  package init() {}

  /// Whether no part of a message is buffered.
  package var isEmpty: Bool { start == bytes.count }

  /// Appends bytes that were read.
  package mutating func append(_ new: some Collection<UInt8>) {
    // Returned bytes are dropped once they are most of the buffer, so that on average each byte
    // moves at most once.
    if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Removes the next message, without its header.
  /// - Parameter lengthMax: The maximum length of a message by its type, which is its first byte.
  ///   It is called as soon as that byte has arrived, so that a message that is too long is not
  ///   buffered.
  /// - Returns: `nil` if the message is incomplete.
  /// - Throws: ``ByteError/tooLong(bytes:limit:)`` if the message is too long.
  package mutating func next(
    lengthMax: (UInt8) -> Int = { _ in PressFrame.lengthMax }
  ) throws(ByteError) -> [UInt8]? {
    let begin = start + PressFrame.headerBytes
    guard bytes.count >= begin else { return nil }
    let length = try PressFrame.length(bytes[start...])
    guard bytes.count > begin else { return nil }
    let limit = lengthMax(bytes[begin])
    guard length <= limit else { throw .tooLong(bytes: length, limit: limit) }
    let end = begin + length
    guard bytes.count >= end else { return nil }
    let message = Array(bytes[begin..<end])
    start = end
    // Frees the memory of a large message.
    if isEmpty, bytes.capacity > Self.keptCapacity { (bytes, start) = ([], 0) }
    return message
  }

  private static let keptCapacity = 1 << 20
}
