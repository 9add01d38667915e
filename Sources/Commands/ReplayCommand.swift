internal import Foundation
internal import Recording
internal import Scene
internal import Staging

/// `lectern replay`: prints the frames of a recording.
enum ReplayCommand {
  static let definition = Command(
    "replay",
    "FILE [options]",
    summary: "print the frames of a recording again",
    text: """
      Prints the frames of a recorded session, one JSON line a frame, each with its room. FILE was
      written by `lectern serve --record FILE`, or is a room's recording in the data folder. If the
      server was killed, its last lines may be missing; what is whole is played.

      Each line is an object: "t", seconds of the server's clock; "frame", which counts the room's
      frames from 0 and is not the number of the frame on the wire; "room"; "screen", one of
      collections, shelf and book; "settled"; and "elements", those that are visible, each with its
      "kind" (collection, cover or page), its "index" from 0, the 16 entries of its "matrix" as in
      CSS matrix3d(), "opacity" and "shade" from 0 to 1, and "z", its paint order.
      """,
    groups: [
      OptionGroup([
        Option("--room", "NAME", "that room alone", isSetting: false),
        Option(
          "--from",
          "SECONDS",
          "frames from there on, counted from where a room's recording begins",
          isSetting: false
        ), Option("--to", "SECONDS", "frames up to there", isSetting: false), .help,
      ])
    ],
    takesFiles: true
  ) { words throws(CommandError) in try run(words) }

  /// The selection of frames to print.
  struct Wanted {
    /// The only room to print; nil for all rooms.
    var room: String?
    /// The range of the frames, in seconds from the beginning of their room's recording.
    var positions = -Double.infinity...Double.infinity
  }

  static func run(_ words: [String]) throws(CommandError) {
    if Arguments.askForHelp(words) { return try Console.write(definition.help) }
    var arguments = Arguments(words)
    let wanted = try wanted(&arguments)
    let path = try arguments.operand("the recording's file name")
    try arguments.finish()
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .failed("\(path) cannot be read; is the name right, and may you read it?")
    }
    let recording: LogReader.Recording
    do { recording = try LogReader.recording(of: data) } catch { throw .usage("\(path), \(error)") }
    if let room = wanted.room { try check(room, isIn: recording, path: path) }
    var output = LineOutput()
    try frames(of: recording, wanted: wanted) { line throws(CommandError) in
      try output.add(line)
    }
    try output.finish()
  }

  private static func wanted(_ arguments: inout Arguments) throws(CommandError) -> Wanted {
    let room = try arguments.value("--room")
    let from = try arguments.number("--from", in: 0...1e9) ?? -.infinity
    let to = try arguments.number("--to", in: 0...1e9) ?? Double.infinity
    guard from <= to else {
      throw .usage("--from is \(JSON.number(from)), but must not be after --to, \(JSON.number(to))")
    }
    return Wanted(room: room, positions: from...to)
  }

  private static func check(
    _ room: String,
    isIn recording: LogReader.Recording,
    path: String
  ) throws(CommandError) {
    let rooms = Set(recording.lines.map { $0.room ?? "" })
    guard !rooms.contains(room) else { return }
    let known = rooms.sorted().map { JSON.string($0) }.joined(separator: ", ")
    throw .usage(
      "--room is \(JSON.string(room)), but \(path) "
        + (known.isEmpty ? "tells of no room" : "tells of \(known)")
    )
  }

  /// Replays a recording and prints its frames, until printing fails.
  static func frames<Failure: Error>(
    of recording: LogReader.Recording,
    wanted: Wanted = Wanted(),
    print: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try replay(recording, wanted: wanted) { shown throws(Failure) in
      try print(
        FrameLine.text(
          of: shown.frame,
          number: shown.number,
          time: shown.time,
          room: shown.room,
          index: shown.library.index(of:)
        )
      )
    }
  }

  /// A frame that a room was shown.
  struct ShownFrame {
    let room: String?
    /// The number of the frame since the room was opened; frames that are not selected count, too.
    let number: Int
    /// The time of the frame, in seconds of the recorded clock.
    let time: Double
    let frame: Frame
    /// The library that the frame shows.
    let library: LibraryLayout
  }

  /// Replays a recording, frame by frame as they were sent, including frames that were sent ahead
  /// and then cancelled.
  static func replay<Failure: Error>(
    _ recording: LogReader.Recording,
    wanted: Wanted = Wanted(),
    show: (ShownFrame) throws(Failure) -> Void
  ) throws(Failure) {
    let library = recording.header.library
    var rooms: [String: ReplayedRoom] = [:]
    for line in recording.lines {
      let name = line.room ?? ""
      if let room = wanted.room, room != name { continue }
      var room =
        rooms.removeValue(forKey: name)
        ?? ReplayedRoom(header: recording.header, beginning: line.time)
      if let number = room.apply(line, of: library),
        wanted.positions.contains(line.time - room.beginning)
      {
        let frame = room.stage.frame(at: line.time)
        try show(
          ShownFrame(
            room: line.room,
            number: number,
            time: line.time,
            frame: frame,
            library: room.stage.library
          )
        )
      }
      rooms[name] = room
    }
  }
}

/// A room while its recording is replayed.
private struct ReplayedRoom {
  var stage: Stage
  /// The beginning of its recording, in seconds of the recorded clock.
  var beginning: Double
  private var frameCount = 0

  init(header: LogHeader, beginning: Double) {
    stage = Stage(library: header.library, dragRule: header.dragRule)
    self.beginning = beginning
  }

  /// Applies a line.
  /// - Returns: The number of the frame that the line shows; nil if it shows none.
  mutating func apply(_ line: LogLine, of library: LibraryOutline) -> Int? {
    switch line.event {
    case .opened(let bookmarks, let other):
      // This is a new room with the name of an earlier one; its frames are counted from 0 again.
      stage = Stage(library: other ?? library, dragRule: stage.dragRule)
      stage.restore(bookmarks: bookmarks)
      frameCount = 0
    case .library(let library): stage.replace(library: LibraryLayout(library), at: line.time)
    case .input(let input): stage.apply(input, at: line.time)
    case .began: beginning = line.time
    case .ended: break
    case .frame:
      frameCount += 1
      return frameCount - 1
    }
    return nil
  }
}
