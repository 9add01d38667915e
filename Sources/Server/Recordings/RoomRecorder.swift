internal import Foundation
internal import Notices
internal import Recording
internal import Scene
internal import Synchronization

/// The reason why a recording ended before anybody stopped it.
enum RecordingStop: Error, Equatable {
  /// The recording has reached the maximum length, in seconds.
  case tooLong(Double)
  /// The recording has reached the maximum size, in bytes.
  case tooLarge(Int)
  /// The disk rejected a write, for the given reason.
  case disk(String)

  /// What the hosts of the room are told.
  var notice: Notice {
    switch self {
    case .tooLong(let seconds): Notice(.recordingTooLong, ["hours": JSON.number(seconds / 3600)])
    case .tooLarge(let bytes): Notice(.recordingTooLarge, ["bytes": "\(bytes)"])
    case .disk(let reason): Notice(.recordingNotStored, ["reason": reason])
    }
  }
}

/// The file of one room's recording while it is written.
///
/// After its creation it is used on a single queue.
final class RoomRecorder: Sendable {
  /// The limits of a recording.
  struct Limits: Equatable, Sendable {
    /// The maximum length, in seconds.
    var seconds = 6 * 3600.0
    /// The maximum size, in bytes.
    var bytes = 256 << 20
  }

  let id: String
  let room: String
  /// The start of the recording, in seconds of the rooms' clock.
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

  /// Creates the file and writes its header.
  func open(in recordings: Recordings, header: LogHeader) throws(RecordingStop) {
    try state.withLock { state throws(RecordingStop) in
      do { state.file = try recordings.makeFile(for: id) } catch {
        throw .disk(error.localizedDescription)
      }
      try write(header.text, &state)
    }
  }

  /// Writes a line.
  ///
  /// The first line that cannot be written throws and closes the file; later lines are ignored.
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
        // Frames are noted ahead of their time. For other lines time must never go back, because
        // the file would be unreadable.
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

  /// Writes the end and closes the file; later lines are ignored.
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
    // These two lines may use the reserved bytes, whatever else was written.
    state.bytes = min(state.bytes, limits.bytes - Self.endBytes)
    try? begin(&state)
    state.bytes = min(state.bytes, limits.bytes - Self.endBytes)
    let end = LogLine(time: max(time, state.last), room: room, event: .ended)
    try? write(end.text, &state, reserve: 0)
    try? file.close()
    state.file = nil
  }

  /// The bytes reserved for the lines that begin and end a recording, which contain the room's
  /// name.
  private static let endBytes = 1024

  private func write(
    _ text: String,
    _ state: inout State,
    reserve: Int = RoomRecorder.endBytes
  ) throws(RecordingStop) {
    let data = Data((text + "\n").utf8)
    guard state.bytes + data.count + reserve <= limits.bytes else { throw .tooLarge(limits.bytes) }
    do { try state.file?.write(contentsOf: data) } catch {
      throw .disk(error.localizedDescription)
    }
    state.bytes += data.count
  }
}
