internal import Foundation
internal import Recording
internal import Scene
internal import Synchronization

/// Why a recording came to its end before anybody ended it.
enum RecordingStop: Error, Equatable, CustomStringConvertible {
  /// It is as long as one may be, in seconds.
  case tooLong(Double)
  /// It takes as much of the disk as one may, in bytes.
  case tooLarge(Int)
  /// The disk would not take it.
  case disk(String)

  /// What happened, as the end of a sentence.
  var description: String {
    switch self {
    case .tooLong(let seconds):
      "it is \(JSON.number(seconds / 3600)) hours long, and none is longer"
    case .tooLarge(let bytes): "it takes \(bytes >> 20) MiB, and none may take more"
    case .disk(let reason): "the disk did not take it: \(reason)"
    }
  }
}

/// The file of one room's recording while it is written.
///
/// Whoever has it uses it on one queue, except for making it.
final class RoomRecorder: Sendable {
  /// How long a recording may be.
  struct Limits: Equatable, Sendable {
    /// The longest, in seconds.
    var seconds = 6 * 3600.0
    /// The largest, in bytes.
    var bytes = 256 << 20
  }

  let id: String
  let room: String
  /// When it begins, in seconds of the rooms' clock.
  let beginning: Double

  private struct State {
    var file: FileHandle?
    var bytes = 0
    var last = -Double.infinity
    var hasBegun = false
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(id: String, room: String, beginning: Double, limits: Limits) {
    self.id = id
    self.room = room
    self.beginning = beginning
    self.limits = limits
  }

  /// Makes the file and writes its header.
  func open(in recordings: Recordings, header: LogHeader) throws(RecordingStop) {
    try state.withLock { state throws(RecordingStop) in
      do { state.file = try recordings.makeFile(for: id) } catch {
        throw .disk(error.localizedDescription)
      }
      try write(header.text, &state)
    }
  }

  /// Writes a line; one that is not written any more throws once, and the file is then closed.
  func append(_ line: LogLine) throws(RecordingStop) {
    try state.withLock { state throws(RecordingStop) in
      guard state.file != nil else { return }
      let limit = beginning + limits.seconds
      if line.event != .frame, line.time > limit {
        close(at: limit, &state)
        throw .tooLong(limits.seconds)
      }
      do throws(RecordingStop) {
        if line.time >= beginning { try begin(&state) }
        var line = line
        // Frames are noted ahead of their time; for the rest time never goes back, or nobody could
        // read the file.
        if line.event != .frame {
          line.time = max(line.time, state.last)
          state.last = line.time
        }
        try write(line.text, &state)
      } catch {
        close(at: min(line.time, limit), &state)
        throw error
      }
    }
  }

  /// Writes the end; nothing can be written after it.
  func end(at time: Double) {
    state.withLock { close(at: min(time, beginning + limits.seconds), &$0) }
  }

  private func begin(_ state: inout State) throws(RecordingStop) {
    guard !state.hasBegun else { return }
    state.hasBegun = true
    state.last = max(state.last, beginning)
    try write(LogLine(time: state.last, room: room, event: .began).text, &state)
  }

  private func close(at time: Double, _ state: inout State) {
    guard let file = state.file else { return }
    // What was promised to be left is left for these two lines, whatever else there is.
    state.bytes = min(state.bytes, limits.bytes - Self.endBytes)
    try? begin(&state)
    state.bytes = min(state.bytes, limits.bytes - Self.endBytes)
    let end = LogLine(time: max(time, state.last), room: room, event: .ended)
    try? write(end.text, &state, reserve: 0)
    try? file.close()
    state.file = nil
  }

  /// Left for the lines that begin and end a recording, which have a room's name in them.
  private static let endBytes = 1024

  private func write(
    _ text: String,
    _ state: inout State,
    reserve: Int = RoomRecorder.endBytes
  ) throws(RecordingStop) {
    let data = Data((text + "\n").utf8)
    guard state.bytes + data.count + reserve <= limits.bytes else {
      throw .tooLarge(limits.bytes)
    }
    do { try state.file?.write(contentsOf: data) } catch {
      throw .disk(error.localizedDescription)
    }
    state.bytes += data.count
  }
}
