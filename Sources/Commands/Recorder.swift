internal import Dispatch
internal import Foundation
internal import Recording
internal import Scene

/// Writes a recording, off the service thread.
final class Recorder: Sendable {
  private let queue = DispatchQueue(label: "lectern.recorder")
  private let file: FileHandle

  /// Starts a recording, replacing a file of that name.
  init(path: String, library: LibraryOutline) throws(CommandError) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else {
      throw .failed("--record is \"\(path)\", but that file cannot be written")
    }
    self.file = file
    append(LogHeader(library: library).text)
  }

  func write(_ line: LogLine) { append(line.text) }

  private func append(_ text: String) {
    queue.async { [file] in
      do {
        try file.write(contentsOf: Data((text + "\n").utf8))
      } catch {
        Console.error("lectern: the recording lost a line: \(error.localizedDescription)")
      }
    }
  }

  /// Waits until everything is written.
  func finish() { queue.sync { try? file.close() } }
}
