package import Foundation

/// The summary of a room's recording, which is read only from the beginning and the end of the
/// recording.
package struct LogSummary: Equatable, Sendable {
  /// The facts in the header.
  package var facts: LogHeader.Facts
  /// The length of the recording, in seconds.
  package var seconds: Double

  /// Creates a summary of a recording.
  ///
  /// If the file is memory-mapped, this reads few of its pages, regardless of its length.
  /// - Throws: ``RecordingError`` if the log is not the recording of one room.
  package init(of data: Data) throws(RecordingError) {
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

  /// The number of last lines that contain the latest time of a recording without an end.
  ///
  /// The latest time need not be in the last line, because frames are written ahead of their time.
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
      // A frame was shown, and the lines before "began" were not, so there is no "began" after it.
      if line.event == .frame { break }
    }
    return first
  }
}
