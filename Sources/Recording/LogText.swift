internal import Foundation

/// The lines of a log, located in its bytes without copying them in advance.
///
/// The writer of a log can be killed in the middle of a line. Therefore a last line that has no
/// line break and is not a JSON object is ignored.
struct LogText {
  private let data: Data
  private let mayBeTorn: Bool

  init(_ data: Data, mayBeTorn: Bool = true) { (self.data, self.mayBeTorn) = (data, mayBeTorn) }

  /// The position of one line in the log.
  struct Line {
    /// The range in bytes, without the line break.
    let range: Range<Int>
    /// The number of the line, from 1; 0 if it is unknown.
    let number: Int
  }

  /// Returns the text of a line.
  func text(of line: Line) -> String { String(decoding: bytes(line.range), as: UTF8.self) }

  /// Returns all lines, in order.
  func lines() -> [Line] {
    var lines: [Line] = []
    var start = 0
    while start < data.count {
      let end = lineBreak(from: start) ?? data.count
      lines.append(Line(range: start..<end, number: lines.count + 1))
      start = end + 1
    }
    if let last = lines.last, isTorn(last) { lines.removeLast() }
    return lines
  }

  /// Returns the line that begins at a position; nil after the last line.
  func line(from start: Int, number: Int) -> Line? {
    guard start < data.count else { return nil }
    let line = Line(range: start..<(lineBreak(from: start) ?? data.count), number: number)
    return isTorn(line) ? nil : line
  }

  /// Returns the last lines after a position, last line first; their numbers are unknown and 0.
  func lastLines(_ count: Int, after first: Int) -> [Line] {
    var lines: [Line] = []
    var end = data.count
    while end > first, lines.count < count {
      let start = data.withUnsafeBytes { bytes in
        bytes[first..<end].lastIndex(of: Self.lineFeed).map { $0 + 1 } ?? first
      }
      let line = Line(range: start..<end, number: 0)
      if start < end, !isTorn(line) { lines.append(line) }
      end = start - 1
    }
    return lines
  }

  /// Returns the text between a prefix and a suffix of a line; nil if the line lacks one of them.
  func middle(of line: Line, after prefix: [UInt8], before suffix: [UInt8]) -> Substring? {
    let bytes = bytes(line.range)
    guard bytes.count >= prefix.count + suffix.count, bytes.starts(with: prefix),
      bytes.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    return String(
      decoding: bytes.dropFirst(prefix.count).dropLast(suffix.count),
      as: UTF8.self
    )[...]
  }

  private static let lineFeed = UInt8(ascii: "\n")

  private func bytes(_ range: Range<Int>) -> Data {
    data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
  }

  private func lineBreak(from start: Int) -> Int? {
    data.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(Self.lineFeed), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func isTorn(_ line: Line) -> Bool {
    guard mayBeTorn, line.range.upperBound == data.count, !line.range.isEmpty else { return false }
    return (try? JSONSerialization.jsonObject(with: bytes(line.range))) == nil
  }
}
