internal import Foundation
internal import Recording
internal import Scene
internal import Staging

/// `lectern replay`: a recorded reading, frame for frame.
enum ReplayCommand {
  static let help = """
    lectern replay FILE
    Prints the frames that a reading recorded by `lectern serve --record FILE` was shown, one JSON
    line a frame, each with its room.

    """

  static func run(_ words: [String]) throws(CommandError) {
    if words.contains("--help") { return Console.write(help) }
    var arguments = Arguments(words)
    let path = try arguments.operand("the recording's file name")
    try arguments.finish()
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .failed("\(path) cannot be read; is the name right, and may you read it?")
    }
    do {
      let recording = try LogReader.recording(of: data)
      var text = ""
      frames(of: recording) { text += $0 + "\n" }
      Console.write(text)
    } catch { throw .usage("\(path), \(error)") }
  }

  /// Plays a recording and prints its frames.
  static func frames(of recording: LogReader.Recording, print: (String) -> Void) {
    var stages: [String: Stage] = [:]
    var numbers: [String: Int] = [:]
    for line in recording.lines {
      let room = line.room ?? ""
      var stage = stages[room] ?? Stage(library: recording.header.library)
      switch line.event {
      case .opened(let places, let library):
        // Another room than the one before it of its name, which counts its frames anew.
        stage = Stage(library: library ?? recording.header.library)
        stage.restore(places: places)
        stages[room] = stage
        numbers[room] = nil
      case .library(let library):
        stage.replace(library: library, at: line.time)
        stages[room] = stage
      case .input(let input):
        stage.apply(input, at: line.time)
        stages[room] = stage
      case .frame:
        let number = numbers[room, default: 0]
        numbers[room] = number + 1
        print(
          FrameLine.text(
            of: stage.frame(at: line.time),
            number: number,
            time: line.time,
            room: line.room
          )
        )
      }
    }
  }
}
