package import Foundation

/// Functions that read whole logs.
package enum LogReader {
  /// The content of a recording.
  package struct Recording: Sendable {
    /// The header, with the outline of the library.
    package var header: LogHeader
    /// The openings, inputs and frames, in the order in which they were written.
    package var lines: [LogLine]
  }

  /// Returns the lines of a log without a header; empty lines and unused keys are skipped.
  /// - Throws: ``RecordingError`` for the first line that cannot be decoded or goes back in time.
  package static func lines(of data: Data) throws(RecordingError) -> [LogLine] {
    var order = TimeOrder()
    var lines: [LogLine] = []
    let text = LogText(data, mayBeTorn: false)
    for place in text.lines() {
      guard let line = try read(place, of: text) else { continue }
      try order.check(line, number: place.number)
      lines.append(line)
    }
    return lines
  }

  /// Returns the header and the lines of a recording.
  ///
  /// An incomplete last line is ignored.
  /// - Throws: ``RecordingError`` for the first line that cannot be decoded.
  package static func recording(of data: Data) throws(RecordingError) -> Recording {
    let text = LogText(data)
    let places = text.lines()
    let header = try LogHeader(text: places.first.map(text.text) ?? "")
    var order = TimeOrder()
    var lines: [LogLine] = []
    for place in places.dropFirst() {
      guard let line = try read(place, of: text) else { continue }
      // Frames are written ahead of their time, so only the other lines are in order of time.
      if line.event != .frame { try order.check(line, number: place.number) }
      lines.append(line)
    }
    return Recording(header: header, lines: lines)
  }

  /// Returns a decoded line; nil for an empty line and for an unused key.
  static func read(
    _ place: LogText.Line,
    of text: LogText
  ) throws(RecordingError) -> LogLine? {
    let line = text.text(of: place)
    if line.allSatisfy(\.isWhitespace) { return nil }
    return try LogLine(text: line, number: place.number)
  }
}

/// A check that the times of each room do not decrease.
struct TimeOrder {
  private var latest: [String: Double] = [:]

  /// Checks the next line, and throws an error if it goes back in time.
  mutating func check(_ line: LogLine, number: Int) throws(RecordingError) {
    let before = latest[line.room ?? ""] ?? -.infinity
    guard line.time >= before else {
      throw RecordingError(
        line: number,
        reason: "\"t\" is \(JSON.number(line.time)), but an earlier line has "
          + "\(JSON.number(before)); times must not decrease"
      )
    }
    latest[line.room ?? ""] = line.time
  }
}
