public import Foundation

/// Reads whole logs.
public enum LogReader {
  /// A recording: its library and what happened.
  public struct Recording: Sendable {
    /// The library it was made with.
    public var header: LogHeader
    /// Openings, inputs and frames in the order in which they were written.
    public var lines: [LogLine]
  }

  /// Reads a log without a header: empty lines and meaningless keys are left out.
  /// - Throws: ``RecordingError`` for the first line that cannot be read or goes back in time.
  public static func lines(of data: Data) throws(RecordingError) -> [LogLine] {
    try lines(of: texts(of: data), firstNumber: 1, ordersFrames: true)
  }

  /// Reads a recording: its header, then its lines.
  /// - Throws: ``RecordingError`` for the first line that cannot be read.
  public static func recording(of data: Data) throws(RecordingError) -> Recording {
    var texts = texts(of: data)
    let header = try LogHeader(text: texts.isEmpty ? "" : texts.removeFirst())
    // Frames are written ahead of their time, so only the rest keeps the order of time.
    let lines = try lines(of: texts, firstNumber: 2, ordersFrames: false)
    return Recording(header: header, lines: lines)
  }

  private static func texts(of data: Data) -> [Substring] {
    // A line feed after a carriage return is one character and not a line feed.
    String(decoding: data, as: UTF8.self).split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n"
    }
  }

  private static func lines(
    of texts: [Substring],
    firstNumber: Int,
    ordersFrames: Bool
  ) throws(RecordingError) -> [LogLine] {
    var lines: [LogLine] = []
    var latest: [String: Double] = [:]
    for (index, text) in texts.enumerated() where !text.allSatisfy(\.isWhitespace) {
      let number = firstNumber + index
      guard let line = try LogLine(text: text, number: number) else { continue }
      if ordersFrames || line.event != .frame {
        let before = latest[line.room ?? ""] ?? -.infinity
        guard line.time >= before else {
          throw RecordingError(
            line: number,
            reason: "\"t\" is \(JSON.number(line.time)), earlier than \(JSON.number(before)) "
              + "before it; times must not go back"
          )
        }
        latest[line.room ?? ""] = line.time
      }
      lines.append(line)
    }
    return lines
  }
}
