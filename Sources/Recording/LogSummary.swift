public import Foundation

/// What a room's recording is, told from its beginning and its end alone.
public struct LogSummary: Equatable, Sendable {
  /// What its header says.
  public var facts: LogHeader.RoomFacts
  /// How long it is, in seconds.
  public var seconds: Double

  /// Reads a summary.
  ///
  /// Of a file that is mapped and not read, few pages are touched, however long it is.
  /// - Throws: ``RecordingError`` when it is not a room's recording.
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

  /// Frames are written ahead of their time, so that of a recording without its end one of so many
  /// last lines is the latest.
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
      // A frame was seen, and the scene is not.
      if line.event == .frame { break }
    }
    return first
  }
}
