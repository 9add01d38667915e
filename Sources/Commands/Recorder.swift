internal import Dispatch
internal import Foundation
internal import Glibc
internal import Recording
internal import Rooms
internal import Scene
internal import Telemetry

/// Writes the recording of the whole server, off the service thread.
final class Recorder: Sendable {
  private let queue = DispatchQueue(label: "lectern.recorder")
  private let file: FileHandle
  private let log: Log

  /// The number of recordings with one name.
  private static let most = 10_000

  /// Starts a recording, under a name with a number if there is one of that name.
  init(path: String, library: LibraryOutline, log: Log) throws(CommandError) {
    let (file, name) = try Self.created(path)
    self.file = file
    self.log = log
    log.info(.recordingStarted, "All rooms are recorded.", ["file": .text(name)])
    append(LogHeader(library: library).text)
  }

  /// Creates the file of a recording, such as `log.ndjson` or else `log-2.ndjson`, and opens what
  /// is no regular file, such as a pipe.
  private static func created(_ path: String) throws(CommandError) -> (FileHandle, String) {
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG || facts.st_size == 0 {
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw unwritable(path) }
      return (FileHandle(fileDescriptor: file, closeOnDealloc: true), path)
    }
    let url = URL(fileURLWithPath: path)
    let ending = url.pathExtension.isEmpty ? "" : "." + url.pathExtension
    for number in 1..<Self.most {
      let name = number == 1 ? path : path.dropLast(ending.count) + "-\(number)" + ending
      let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      if file >= 0 { return (FileHandle(fileDescriptor: file, closeOnDealloc: true), name) }
      guard errno == EEXIST else { break }
    }
    throw unwritable(path)
  }

  /// Returns the failure for the last error of the system.
  private static func unwritable(_ path: String) -> CommandError {
    let reason = String(cString: strerror(errno))
    return .failed("--record is \"\(path)\", but that file cannot be written: \(reason)")
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
    case .noteOpening(let bookmarks, let library, let room, let time):
      self.init(time: time, room: room, event: .opened(bookmarks: bookmarks, library: library))
    case .noteLibrary(let library, let room, let time):
      self.init(time: time, room: room, event: .library(library))
    case .noteInput(let input, let room, let time):
      self.init(time: time, room: room, event: .input(input))
    case .noteFrame(let room, let time): self.init(time: time, room: room, event: .frame)
    default: return nil
    }
  }
}
