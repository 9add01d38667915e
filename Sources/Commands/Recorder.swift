internal import Dispatch
internal import Foundation
internal import Recording
internal import Rooms
internal import Scene
internal import Telemetry

/// Writes the recording of the whole server, off the service thread.
final class Recorder: Sendable {
  private let queue = DispatchQueue(label: "lectern.recorder")
  private let file: FileHandle
  private let log: Log

  /// Starts a recording; replaces an existing file of that name.
  init(path: String, library: LibraryOutline, log: Log) throws(CommandError) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else {
      throw .failed("--record is \"\(path)\", but that file cannot be written")
    }
    self.file = file
    self.log = log
    append(LogHeader(library: library).text)
  }

  /// Writes an effect that belongs in a recording; ignores other effects.
  func write(_ effect: Effects.Effect) {
    if let line = LogLine(noting: effect) { append(line.text) }
  }

  private func append(_ text: String) {
    queue.async { [file, log] in
      do {
        try file.write(contentsOf: Data((text + "\n").utf8))
      } catch {
        log.error(
          .recordingFailed,
          "The recording of the whole server lost a line.",
          ["reason": .text(error.localizedDescription)],
          collapsing: "recording.whole"
        )
      }
    }
  }

  /// Waits until everything is written, and closes the file.
  func finish() { queue.sync { try? file.close() } }
}

extension LogLine {
  /// Creates the line of a recording for an effect; nil for effects that are not recorded.
  init?(noting effect: Effects.Effect) {
    switch effect {
    case .noteOpening(let places, let library, let room, let time):
      self.init(time: time, room: room, event: .opened(places: places, library: library))
    case .noteLibrary(let library, let room, let time):
      self.init(time: time, room: room, event: .library(library))
    case .noteInput(let input, let room, let time):
      self.init(time: time, room: room, event: .input(input))
    case .noteFrame(let room, let time): self.init(time: time, room: room, event: .frame)
    default: return nil
    }
  }
}
