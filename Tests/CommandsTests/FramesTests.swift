import Foundation
import Recording
import Scene
import Testing

@testable import Commands
@testable import Server

@Suite("lectern frames")
struct FramesTests {
  private let tap = #"{"t":0.5,"input":"tap","x":0,"y":0}"#

  @Test("by default it prints a list of one collection for 3 seconds at 60 Hz")
  func defaults() throws {
    let frames = try printedFrames([], "")
    #expect(frames.count == 181 && frames.map(\.frame) == Array(0...180))
    #expect(frames.allSatisfy { $0.settled && $0.screen == "collections" })
    #expect(frames[100].elements.map(\.kind) == ["collection"] && frames[7].t == 7.0 / 60)
  }

  @Test(
    "the last frame is the last whole one before the end",
    arguments: [
      (["--until", "0"], 1), (["--until", "0.29", "--rate", "100"], 30),
      (["--until", "1", "--rate", "0.3"], 1), (["--until=0.99", "--rate=10"], 10),
    ]
  )
  func lastFrame(words: [String], count: Int) throws {
    #expect(try frameLines(words, "").count == count)
  }

  @Test("the shelf and the closed book stand at their documented places")
  func standing() throws {
    let frames = try printedFrames(["--start", "shelf", "--until", "1.6", "--rate", "10"], tap)
    let first = frames[0]
    #expect(
      first.element("cover", 0)?.matrix == [0.7, 0, 0, 0, 0, 0.7, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    )
    #expect(first.element("cover", 1)?.matrix[12] == 281.5)
    // The tap at 0.5 is in the frame of 0.5, which shows the closed book.
    let closed = try #require(frames[5].element("page", 0))
    let pose = [0.7, 0, 0, 0, 0, 0.7, 0, 0, 0, 0, 1, -0.0005, -126.7, 0, 0, 1]
    for (value, expected) in zip(closed.matrix, pose) { #expect(abs(value - expected) < 1e-12) }
    #expect(frames[5].screen == "book" && !frames[5].settled)
    #expect(frames[4].settled && frames[15].settled && !frames[14].settled)
    #expect(frames[15].elements.map(\.kind).allSatisfy { $0 == "page" })
  }

  @Test("a motion is sampled at exactly the time since it began")
  func sampling() throws {
    let words = ["--start", "shelf", "--until", "1", "--rate", "60"]
    let frames = try printedFrames(words, #"{"t":0.123,"input":"tap","x":0,"y":0}"#)
    let shifted = try printedFrames(
      ["--start", "shelf", "--until", "1", "--rate", "1000"],
      #"{"t":0.023,"input":"tap","x":0,"y":0}"#
    )
    // Frame 30 is 0.377 s after the first tap, frame 400 after the second one.
    let (a, b) = (frames[30].elements, shifted[400].elements)
    #expect(a.count == b.count && !a.isEmpty)
    for (one, other) in zip(a, b) {
      for (x, y) in zip(one.matrix, other.matrix) { #expect(abs(x - y) < 1e-10) }
    }
  }

  @Test("an input a billionth of a second after a frame is part of it, and a later one of the next")
  func inputTimes() throws {
    let words = ["--start", "shelf", "--until", "1", "--rate", "10"]
    for (t, frame) in [("0.3", 3), ("0.3000000009", 3), ("0.30000001", 4), ("0", 0)] {
      let log = #"{"t":\#(t),"input":"key","key":"Enter"}"#
      let frames = try printedFrames(words, log)
      #expect(frames.firstIndex { $0.screen == "book" } == frame, "\(t)")
    }
  }

  @Test("options describe the library")
  func options() throws {
    let words = [
      "--pages", "7", "--page-size", "300x470", "--books", "3", "--collections", "4", "--start",
      "shelf", "--until", "0",
    ]
    let options = try FramesCommand.options(words)
    #expect(options.library.collections.count == 4 && options.start == .shelf)
    #expect(options.library.collections.allSatisfy { $0.books.count == 3 })
    #expect(options.library.collections[3].books[2].pageCount == 7)
    let pitch = try printedFrames(words, "")[0].element("cover", 1)?.matrix[12]
    #expect(abs((pitch ?? 0) - (0.75 * 300 * 568.0 / 470 + 10)) < 1e-9)
    #expect(try printedFrames(words, "")[0].elements.count == 3)
  }

  @Test("every book has the paper stock that is named, and is board if none is")
  func stocks() throws {
    for (words, stock) in [
      ([], PaperStock.board), (["--stock", "paper"], .paper), (["--stock=card"], .card),
      (["--stock", "board"], .board),
    ] {
      let library = try FramesCommand.options(words).library
      #expect(library.collections.flatMap(\.books).allSatisfy { $0.stock == stock })
    }
  }

  @Test(
    "an invalid option is named in one line, and the exit code is 2",
    arguments: [
      (["--pages", "0"], "--pages is \"0\""), (["--pages"], "--pages needs a value"),
      (["--pages", "x"], "--pages is \"x\""), (["--books", "-1"], "--books is \"-1\""),
      (["--collections", "0"], "--collections is \"0\""),
      (["--stock", "felt"], "--stock is \"felt\", but must be paper, card or board"),
      (["--start", "moon"], "--start is \"moon\""),
      (["--drag", "push"], "--drag is \"push\", but must be covers, paper or scroll"),
      (["--page-size", "3"], "--page-size is \"3\""), (["--page-size", "0x5"], "--page-size"),
      (["--page-size", "nanx5"], "--page-size"), (["--rate", "0"], "--rate is \"0\""),
      (["--rate", "nan"], "--rate is \"nan\""), (["--until", "-1"], "--until is \"-1\""),
      (["--until", "inf"], "--until is \"inf\""), (["--bogus"], "\"--bogus\" is not an option"),
      (["extra"], "\"extra\" is not expected"),
    ]
  )
  func invalidOptions(words: [String], text: String) {
    let error = #expect(throws: CommandError.self) { try FramesCommand.options(words) }
    #expect(error?.exitCode == 2)
    #expect(error?.description.contains(text) == true)
    #expect(error?.description.contains("\n") == false)
    #expect(LecternCommand.run(["frames"] + words) == 2)
  }

  @Test("unknown keys are ignored, and an invalid line is named")
  func invalidLines() throws {
    let words = ["--until", "0.2", "--rate", "10"]
    let log = #"{"t":0,"input":"key","key":"a"}"# + "\n" + #"{"t":0.1,"input":"key","key":"Shift"}"#
    #expect(try frameLines(words, log) == frameLines(words, ""))
    let error = #expect(throws: RecordingError.self) { try frameLines(words, tap + "\nhello\n") }
    #expect(error?.line == 2)
  }

  @Test("a finger bends a leaf, and a leaf that scrolls stays rigid")
  func drags() throws {
    let log = (0...20).map { step in
      let phase = step == 0 ? "began" : "changed"
      let x = 250 - 15 * step
      return #"{"t":0.\#(10 + step),"input":"pan","phase":"\#(phase)","x":\#(x),"y":0}"#
    }.joined(separator: "\n")
    let words = ["--start", "book", "--until", "0.3", "--stock", "paper"]
    func strips(_ words: [String]) throws -> Int {
      try #require(printedFrames(words, log).last).elements.count { ($0.part ?? 0) >= 16 }
    }
    #expect(try strips(words) == ElementPart.stripCount)
    #expect(try frameLines(words, log) == frameLines(words + ["--drag", "paper"], log))
    #expect(try strips(words + ["--drag", "scroll"]) == 0)
    #expect(try strips(["--start", "book", "--until", "0.3"]) == 0)
  }

  @Test("the wildest finger prints finite numbers")
  func wildFinger() throws {
    let log = """
      {"t":0,"input":"pan","phase":"began","x":1e308,"y":-1e308}
      {"t":0.1,"input":"pan","phase":"changed","x":-1e308,"y":1e308}
      {"t":0.2,"input":"pan","phase":"ended","x":-1e308,"y":0}
      {"t":0.3,"input":"pinch","phase":"began","scale":1e-300,"x":0,"y":0}
      {"t":0.4,"input":"pinch","phase":"changed","scale":1e300,"x":0,"y":0}
      {"t":0.5,"input":"pinch","phase":"ended","scale":1e300,"x":0,"y":0}
      {"t":0.6,"input":"wheel","dx":1e308,"dy":-1e308,"ctrl":true}
      {"t":0.9,"input":"wheel","dx":1e308,"dy":-1e308}
      """
    for start in ["collections", "shelf", "book"] {
      let frames = try printedFrames(["--start", start, "--until", "8", "--collections", "6"], log)
      #expect(frames.last?.settled == true)
    }
  }
}
