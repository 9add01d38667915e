import Foundation
import Motion
import Recording
import Scene
import Testing

@Suite("A transcript")
struct TranscriptTests {
  private static func library(_ books: Int) -> LibraryOutline {
    LibraryOutline(collections: [
      CollectionOutline(
        id: "c",
        books: (0..<books).map {
          BookOutline(id: "b\($0)", pageCount: 12, pageSize: Size(width: 362, height: 568))
        }
      )
    ])
  }

  private static let facts = LogHeader.Facts(
    title: "Emma \"in bed\"",
    book: "b0",
    recorded: 1_735_689_600.25
  )

  private static func log(_ lines: [LogLine], of facts: LogHeader.Facts? = facts) -> Data {
    let header = LogHeader(library: library(2), room: facts)
    return Data(([header.text] + lines.map(\.text)).map { $0 + "\n" }.joined().utf8)
  }

  private static let places = [BookPlace(book: "b0", spread: 2)]

  /// A room's recording that starts at 100.1, in the middle of a session.
  private static let lines = [
    LogLine(time: 40, room: "R", event: .opened(places: places, library: library(1))),
    LogLine(time: 40, room: "R", event: .input(.go(book: "b0", opens: true, page: nil))),
    LogLine(time: 100.1, room: "R", event: .began),
    LogLine(time: 101.3, room: "R", event: .input(.key(.arrowRight))),
    LogLine(time: 101.3, room: "R", event: .frame), LogLine(time: 101.55, room: "R", event: .frame),
    LogLine(time: 101.4, room: "R", event: .library(library(2))),
    LogLine(time: 101.65, room: "R", event: .frame),
    LogLine(time: 130.2, room: "R", event: .ended),
  ]

  private static let events = [
    Transcript.Event(time: 40, action: .open(places, library(1))),
    Transcript.Event(time: 40, action: .input(.go(book: "b0", opens: true, page: nil))),
    Transcript.Event(time: 101.3, action: .input(.key(.arrowRight))),
    Transcript.Event(time: 101.4, action: .library(library(2))),
  ]

  @Test("contains the events from the beginning of the recording to its end")
  func events() throws {
    let transcript = try LogReader.transcript(of: Self.log(Self.lines))
    #expect(transcript.title == Self.facts.title && transcript.book == "b0")
    #expect(transcript.outline == Self.library(2))
    #expect(transcript.events == Self.events)
    #expect(transcript.beginning == 100.1 && transcript.length == 130.2 - 100.1)
    #expect(transcript.position(of: transcript.events[0]) == 40 - 100.1)
    let summary = try LogSummary(of: Self.log(Self.lines))
    #expect(summary.facts == Self.facts && summary.seconds == 130.2 - 100.1)
  }

  @Test("without an end, lasts until the last frame that was sent ahead")
  func missingEnd() throws {
    let log = Self.log(Self.lines.dropLast())
    #expect(try LogReader.transcript(of: log).length == 101.65 - 100.1)
    #expect(try LogSummary(of: log).seconds == 101.65 - 100.1)
    let empty = try LogReader.transcript(of: Self.log([]))
    #expect(empty.events.isEmpty && empty.length == 0)
    #expect(try LogSummary(of: Self.log([])).seconds == 0)
  }

  @Test("ignores an incomplete line at the end of a file")
  func incompleteEnd() throws {
    let whole = Self.log(Self.lines)
    let header = try #require(whole.firstIndex(of: UInt8(ascii: "\n")))
    for count in header...whole.count {
      let transcript = try LogReader.transcript(of: whole.prefix(count))
      // A line is complete with its last brace, even without a line break.
      let lines = whole.prefix(count).split(separator: UInt8(ascii: "\n")).dropFirst()
        .filter {
          $0.last == UInt8(ascii: "}") && (try? JSONSerialization.jsonObject(with: $0)) != nil
        }
      let inputs = try lines.compactMap {
        try LogLine(text: String(decoding: $0, as: UTF8.self), number: 0)
      }
      .filter { ![.frame, .began, .ended].contains($0.event) }
      #expect(transcript.events == Array(Self.events.prefix(inputs.count)), "\(count) bytes")
      #expect(try LogReader.recording(of: whole.prefix(count)).lines.count == lines.count)
      #expect(try LogSummary(of: whole.prefix(count)).seconds == transcript.length)
    }
    // A crash of the machine may leave zeros.
    let zeros = whole + Data(count: 300)
    #expect(try LogReader.transcript(of: zeros).events == Self.events)
    #expect(try LogSummary(of: zeros).seconds == 130.2 - 100.1)
    // An error in the middle is not an incomplete end.
    #expect(throws: RecordingError.self) {
      try LogReader.transcript(of: whole.prefix(whole.count / 2) + Data("\n".utf8) + whole)
    }
  }

  @Test("contains one room of a recording with several")
  func severalRooms() throws {
    let lines = [
      LogLine(time: 1, room: "A \"a\"", event: .input(.key(.enter))),
      LogLine(time: 1.5, room: "A \"a\"", event: .frame),
      LogLine(time: 2, room: "B", event: .input(.key(.home))),
      LogLine(time: 3, room: "A \"a\"", event: .input(.key(.end))),
      LogLine(time: 9, room: "B", event: .frame),
    ]
    let log = Self.log(lines, of: nil)
    let one = try LogReader.transcript(of: log, room: "A \"a\"")
    #expect(one.events.map(\.time) == [1, 3] && one.beginning == 1 && one.length == 2)
    let other = try LogReader.transcript(of: log, room: "B")
    #expect(other.events.map(\.action) == [.input(.key(.home))] && other.length == 7)
    #expect(other.title.isEmpty && other.book.isEmpty)
    let several = #expect(throws: RecordingError.self) { try LogReader.transcript(of: log) }
    #expect(several?.line == 4 && several?.reason.contains("choose one") == true)
    let none = #expect(throws: RecordingError.self) {
      try LogReader.transcript(of: log, room: "C")
    }
    #expect(none?.reason.contains(#"no room "C"; it has "A \"a\"", "B""#) == true)
    #expect(throws: RecordingError.self) { try LogSummary(of: log) }
    // Lines written by hand have no room, or contain spaces.
    let text =
      LogHeader(library: Self.library(1)).text + "\n"
      + #"{"t":1, "input":"key", "key":"Enter"}"# + "\n" + #"{ "t": 4, "event": "frame" }"#
    let plain = try LogReader.transcript(of: Data(text.utf8))
    #expect(plain.events.count == 1 && plain.length == 3)
  }

  @Test("is rejected if its times decrease")
  func decreasingTimes() {
    let lines = [5.0, 4].map { LogLine(time: $0, room: "R", event: .input(.key(.enter))) }
    let error = #expect(throws: RecordingError.self) {
      try LogReader.transcript(of: Self.log(lines))
    }
    #expect(error?.line == 3 && error?.reason.contains("must not decrease") == true)
  }

  @Test("begins with a header that describes it")
  func header() throws {
    let header = LogHeader(library: Self.library(2), room: Self.facts)
    #expect(try LogHeader(text: header.text) == header)
    let plain = LogHeader(library: Self.library(1))
    #expect(try LogHeader(text: plain.text) == plain)
    for bad in [#""recorded":"now""#, #""recorded":5,"title":7"#, #""recorded":5,"title":"""#] {
      #expect(throws: RecordingError.self) {
        try LogHeader(text: "{\"lectern\":1,\(bad),\"library\":[]}")
      }
    }
    for rule in DragRule.allCases {
      let header = LogHeader(library: Self.library(1), dragRule: rule)
      #expect(try LogHeader(text: header.text) == header)
      let text = header.text + "\n" + Self.lines.map(\.text).joined(separator: "\n")
      #expect(try LogReader.transcript(of: Data(text.utf8)).dragRule == rule)
    }
    // Older recordings do not say how fingers turned leaves.
    #expect(try LogHeader(text: #"{"lectern":1,"library":[]}"#).dragRule == .scroll)
    for bad in [#""push""#, "7", "null"] {
      let error = #expect(throws: RecordingError.self) {
        try LogHeader(text: "{\"lectern\":1,\"drag\":\(bad),\"library\":[]}")
      }
      #expect(error?.reason.contains("must be \"covers\", \"paper\" or \"scroll\"") == true)
    }
    for event in [LogLine.Event.began, .ended] {
      let line = LogLine(time: 0.1 + 0.2, room: "R", event: event)
      #expect(try LogLine(text: line.text, number: 1) == line)
    }
  }
}
