package import Foundation
package import Scene

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
  static func read(_ place: LogText.Line, of text: LogText) throws(RecordingError) -> LogLine? {
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

extension LogReader {
  /// Returns the events of one room of a recording.
  ///
  /// Reading takes about ten microseconds per line, so read long recordings on a worker thread.
  /// - Parameters:
  ///   - data: The log; an incomplete last line is ignored.
  ///   - room: The room; nil if the log has only one.
  /// - Returns: The events, ordered by time.
  /// - Throws: ``RecordingError`` for the first line that cannot be decoded, or if the room is
  ///   missing or ambiguous.
  package static func transcript(
    of data: Data,
    room: String? = nil
  ) throws(RecordingError) -> Transcript {
    let text = LogText(data)
    let places = text.lines()
    let header = try LogHeader(text: places.first.map(text.text) ?? "")
    var gathering = Gathering(room: room)
    for place in places.dropFirst() where !gathering.isOver {
      if let time = gathering.frameTime(of: place, in: text) {
        gathering.noteFrame(at: time)
      } else if let line = try read(place, of: text) {
        try gathering.receive(line, number: place.number)
      }
    }
    return try gathering.transcript(header: header)
  }

  /// Collects the events of one room from its lines.
  private struct Gathering {
    private let wanted: String?
    /// The name of the room, once its first line is read.
    private var room: String?
    private var others: Set<String> = []
    private var events: [Transcript.Event] = []
    private var order = TimeOrder()
    private var first: Double?
    private var began: Double?
    private var ended: Double?
    private var last = -Double.infinity
    private var frameEnd: [UInt8] = []

    init(room: String?) { wanted = room }

    var isOver: Bool { ended != nil }

    /// Returns the time of a frame line of this room if the line is written exactly as ``LogLine``
    /// writes it.
    ///
    /// Most lines are frame lines, and this avoids decoding them fully.
    func frameTime(of place: LogText.Line, in text: LogText) -> Double? {
      guard !frameEnd.isEmpty else { return nil }
      return text.middle(of: place, after: Self.frameStart, before: frameEnd)
        .flatMap { Double($0) }.flatMap { abs($0) <= LogFields.secondsMax ? $0 : nil }
    }

    private static let frameStart = Array("{\"t\":".utf8)

    mutating func noteFrame(at time: Double) { last = max(last, time) }

    mutating func receive(_ line: LogLine, number: Int) throws(RecordingError) {
      guard try isWanted(line, number: number) else { return }
      if line.event != .frame { try order.check(line, number: number) }
      last = max(last, line.time)
      switch line.event {
      case .opened(let bookmarks, let library): note(.open(bookmarks, library), at: line.time)
      case .library(let library): note(.library(library), at: line.time)
      case .input(let input): note(.input(input), at: line.time)
      case .frame: break
      case .began: began = began ?? line.time
      case .ended: ended = line.time
      }
    }

    private mutating func note(_ action: Transcript.Event.Action, at time: Double) {
      events.append(Transcript.Event(time: time, action: action))
    }

    private mutating func isWanted(_ line: LogLine, number: Int) throws(RecordingError) -> Bool {
      let name = line.room ?? ""
      if let room, name == room { return true }
      if room == nil, wanted == nil || wanted == name {
        room = name
        first = line.time
        if line.room != nil {
          frameEnd = Array(",\"room\":\(JSON.string(name)),\"event\":\"frame\"}".utf8)
        }
        return true
      }
      others.insert(name)
      guard wanted == nil, let room else { return false }
      throw RecordingError(
        line: number,
        reason: "a second room, \(JSON.string(name)) after \(JSON.string(room)); choose one of them"
      )
    }

    func transcript(header: LogHeader) throws(RecordingError) -> Transcript {
      if let wanted, room == nil, !others.isEmpty || !wanted.isEmpty {
        let known = others.sorted().map { JSON.string($0) }.joined(separator: ", ")
        throw RecordingError(
          line: 1,
          reason: "the recording has no room \(JSON.string(wanted)); "
            + (known.isEmpty ? "it is empty" : "it has \(known)")
        )
      }
      let beginning = began ?? first ?? 0
      let end = ended ?? last
      return Transcript(
        title: header.room?.title ?? "",
        book: header.room?.book ?? "",
        outline: header.library,
        dragRule: header.dragRule,
        events: events,
        length: max(0, end - beginning),
        beginning: beginning
      )
    }
  }
}
