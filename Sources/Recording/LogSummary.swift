public import Foundation

/// The summary of a room's recording, from its beginning and its end only.
public struct LogSummary: Equatable, Sendable {
  /// The facts in its header.
  public var facts: LogHeader.RoomFacts
  /// Its length in seconds.
  public var seconds: Double

  /// Reads a summary.
  ///
  /// If the file is memory-mapped, this reads few of its pages, however long it is.
  /// - Throws: ``RecordingError`` if it is not a room's recording.
  public init(of data: Data) throws(RecordingError) {
    let text = LogText(data)
    guard let head = text.line(from: 0, number: 1) else {
      throw RecordingError(line: 1, reason: "the recording is empty")
    }
    guard let facts = try LogHeader(text: text.text(of: head)).room else {
      throw RecordingError(line: 1, reason: "a recording of all rooms, not of one")
    }
    self.facts = facts
    seconds = 0
    guard let beginning = try Self.beginning(of: text, after: head) else { return }
    var end = beginning
    for place in text.lastLines(Self.framesAheadMax, after: head.range.upperBound + 1) {
      guard let line = try LogReader.read(place, of: text) else { continue }
      end = max(end, line.time)
      if line.event == .ended {
        end = line.time
        break
      }
    }
    seconds = max(0, end - beginning)
  }

  /// Frames are written ahead of their time.
  ///
  /// In a recording without an end, the latest time is therefore among this many last lines.
  private static let framesAheadMax = 64

  private static func beginning(
    of text: LogText,
    after head: LogText.Line
  ) throws(RecordingError) -> Double? {
    var first: Double?
    var start = head.range.upperBound + 1
    var number = 2
    while let place = text.line(from: start, number: number) {
      (start, number) = (place.range.upperBound + 1, number + 1)
      guard let line = try LogReader.read(place, of: text) else { continue }
      if line.event == .began { return line.time }
      first = first ?? line.time
      // Frames were shown; the lines before "began" were not.
      if line.event == .frame { break }
    }
    return first
  }
}
