import Foundation
import Recording
import Scene
import Staging
import Testing

@testable import Commands

@Suite("A short session")
struct ReplayTests {
  private static let log = """
    {"t":0.25,"input":"tap","x":0,"y":0}
    {"t":1.5,"input":"pan","phase":"began","x":200,"y":40}
    {"t":1.6,"input":"pan","phase":"changed","x":90,"y":44}
    {"t":1.7,"input":"pan","phase":"changed","x":-30,"y":47}
    {"t":1.8,"input":"pan","phase":"changed","x":-180,"y":50}
    {"t":1.85,"input":"pan","phase":"ended","x":-240,"y":50}
    {"t":3,"input":"key","key":"Escape"}
    """
  private static let words = [
    "--start", "shelf", "--pages", "14", "--books", "3", "--rate", "8", "--until", "4.25",
    "--drag", "scroll",
  ]

  @Test("opening, turning a leaf and closing look as recorded")
  func golden() throws {
    let lines = try frameLines(Self.words, Self.log).map(rounded)
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/short-reading.ndjson")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(
      String.init
    )
    #expect(lines.count == golden.count)
    for (line, expected) in zip(lines, golden) where line != expected {
      Issue.record("UPDATE_GOLDEN=1 rewrites the file; frame \(line)\nwas \(expected)")
    }
  }

  @Test("equal inputs print equal bytes")
  func determinism() throws {
    #expect(try frameLines(Self.words, Self.log) == frameLines(Self.words, Self.log))
  }

  @Test("a recording of the session replays the same frames", arguments: DragRule.allCases)
  func recording(dragRule: DragRule) throws {
    let words = Array(Self.words.dropLast()) + ["\(dragRule)"]
    let options = try FramesCommand.options(words)
    let inputs = try LogReader.lines(of: Data(Self.log.utf8))
    // The log that the server would write: each input and each frame that was sent, in that order.
    // The recording starts on the list, so the first key goes to the shelf.
    var all = [LogLine(time: -1, event: .input(.key(.enter)))]
    var rest = inputs[...]
    for number in 0...34 {
      let time = Double(number) / 8
      while let line = rest.first, line.time <= time {
        all.append(line)
        rest.removeFirst()
      }
      all.append(LogLine(time: time, event: .frame))
    }
    let header = LogHeader(library: options.library, dragRule: dragRule).text
    // A recording that does not say how fingers turn leaves is older than the other rule.
    #expect(header.contains(#""drag":"#) == (dragRule != .scroll))
    let text = ([header] + all.map(\.text)).joined(separator: "\n")
    let recording = try LogReader.recording(of: Data(text.utf8))
    var replayed: [String] = []
    ReplayCommand.frames(of: recording) { replayed.append($0) }
    #expect(try replayed == frameLines(words, Self.log))
  }

  @Test("rooms replay separately, each line with its room")
  func rooms() throws {
    let options = try FramesCommand.options(Self.words)
    let lines = [
      LogLine(time: 0, room: "a", event: .input(.key(.enter))),
      LogLine(time: 0.5, room: "b", event: .frame), LogLine(time: 0.5, room: "a", event: .frame),
      LogLine(time: 0.6, room: "a", event: .frame),
    ]
    let text = ([LogHeader(library: options.library).text] + lines.map(\.text))
      .joined(separator: "\n")
    var replayed: [String] = []
    ReplayCommand.frames(of: try LogReader.recording(of: Data(text.utf8))) { replayed.append($0) }
    #expect(replayed.count == 3)
    #expect(replayed[0].contains(#""frame":0,"room":"b","screen":"collections""#))
    #expect(replayed[1].contains(#""frame":0,"room":"a","screen":"shelf""#))
    #expect(replayed[2].contains(#""frame":1,"room":"a""#))
  }

  @Test("a room that opens again begins where its books were left")
  func reopened() throws {
    let options = try FramesCommand.options(Self.words)
    let keys: [Key] = [.enter, .enter, .arrowRight]
    var (text, expected) = (LogHeader(library: options.library).text, [String]())
    for (start, places) in [
      (0.0, []), (100, [Bookmark(book: "0/0", spread: 3)]),
      (200, [Bookmark(book: "0/0", spread: 1), Bookmark(book: "0/2", spread: 2)]),
    ] {
      var stage = Stage(library: options.library)
      stage.restore(bookmarks: places)
      var lines = [LogLine(time: start, room: "a", event: .opened(bookmarks: places))]
      for (index, key) in keys.enumerated() {
        lines.append(LogLine(time: start + Double(index), room: "a", event: .input(.key(key))))
        stage.apply(.key(key), at: start + Double(index))
      }
      lines.append(LogLine(time: start + 2.1, room: "a", event: .frame))
      let frame = stage.frame(at: start + 2.1)
      expected.append(
        FrameLine.text(
          of: frame,
          number: 0,
          time: start + 2.1,
          room: "a",
          index: stage.library.index(of:)
        )
      )
      text += lines.map { "\n" + $0.text }.joined()
    }
    var replayed: [String] = []
    ReplayCommand.frames(of: try LogReader.recording(of: Data(text.utf8))) { replayed.append($0) }
    #expect(replayed == expected)
    #expect(replayed.allSatisfy { $0.contains(#""screen":"book","settled":false"#) })
  }

  @Test("a missing file exits with 1, and a file that is no recording with 2")
  func exitCodes() throws {
    #expect(LecternCommand.run(["replay", "/nowhere/at/all"]) == 1)
    #expect(LecternCommand.run(["replay"]) == 2)
    let file = FileManager.default.temporaryDirectory.appending(path: "lectern-\(UUID()).ndjson")
    try Data("{}\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(LecternCommand.run(["replay", file.path]) == 2)
    #expect(LecternCommand.run(["turn"]) == 2 && LecternCommand.run([]) == 2)
  }
}
