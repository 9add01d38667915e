internal import Dispatch
internal import Foundation
internal import Notices
internal import Recording
internal import Rooms
internal import Scene
internal import Synchronization
internal import Telemetry

/// Writes the effects of rooms that belong in recordings: into the recording of the whole server,
/// if there is one, and into those of single rooms.
///
/// The service thread reports what happens; a separate queue writes to the disk.
///
/// ```swift
/// recorders.begin(room: "EMMA", facts: facts, library: catalogue.outline, at: now)
/// recorders.write(effect)  // notes dated before `now` set the scene of this recording alone
/// recorders.end(room: "EMMA", at: later)
/// ```
final class RoomRecorders: Sendable {
  /// Called on any thread when a room's recording ends without a request.
  typealias StopHandler = @Sendable (_ room: String, _ reason: RecordingStop) -> Void

  private struct Running {
    let recorder: RoomRecorder
    /// Whether the scene is complete, so that no more effects are dated before the beginning.
    var isSceneSet = false
  }

  private let recordings: Recordings
  private let whole: Recorder?
  private let limits: RoomRecorder.Limits
  private let log: Log
  private let onStop: StopHandler
  private let queue = DispatchQueue(label: "lectern.recordings")
  private let running = Mutex<[String: Running]>([:])

  /// Creates a set without any recording of a room.
  /// - Parameters:
  ///   - recordings: The folder of the recordings.
  ///   - whole: The recording of the whole server; nil for none.
  ///   - limits: The limits of each recording.
  ///   - log: The log of recordings that begin, end or fail.
  ///   - onStop: Called when a recording ends without a request.
  init(
    recordings: Recordings,
    whole: Recorder? = nil,
    limits: RoomRecorder.Limits = RoomRecorder.Limits(),
    log: Log,
    onStop: @escaping StopHandler = { _, _ in }
  ) {
    self.recordings = recordings
    self.whole = whole
    self.limits = limits
    self.log = log
    self.onStop = onStop
  }

  /// Whether all rooms are recorded, including those without a recording of their own.
  var recordsAll: Bool { whole != nil }

  /// Whether a room is being recorded.
  func isRecording(_ room: String) -> Bool { running.withLock { $0[room] != nil } }

  /// Begins to record a room; does nothing if the room is being recorded already.
  /// - Parameters:
  ///   - room: The room's name.
  ///   - facts: The description of the recording.
  ///   - library: The shapes of the library that the room shows.
  ///   - time: The current time, in seconds of the rooms' clock.
  /// - Returns: The recording's id.
  @discardableResult
  func begin(
    room: String,
    facts: LogHeader.Facts,
    library: LibraryOutline,
    at time: Double
  ) -> String {
    if let id = running.withLock({ $0[room]?.recorder.id }) { return id }
    let id = Recordings.freshID(at: facts.recorded)
    let recorder = RoomRecorder(id: id, room: room, beginning: time, limits: limits)
    running.withLock { $0[room] = Running(recorder: recorder) }
    recordings.noteRunning(id)
    log.info(.recordingStarted, "A room is being recorded.", ["room": .text(room)])
    perform(recorder) { [recordings] recorder throws(RecordingStop) in
      try recorder.open(in: recordings, header: LogHeader(library: library, room: facts))
    }
    let end = time + limits.seconds
    queue.asyncAfter(deadline: .now() + limits.seconds) { [weak self] in self?.wake(now: end) }
    return id
  }

  /// Writes an effect that belongs in a recording; ignores other effects.
  func write(_ effect: Effects.Effect) {
    guard let line = LogLine(noting: effect) else { return }
    let (recorder, isScene) = recorder(of: line)
    if !isScene { whole?.write(effect) }
    guard let recorder else { return }
    perform(recorder) { recorder throws(RecordingStop) in try recorder.append(line) }
  }

  /// Ends a room's recording, if there is one.
  func end(room: String, at time: Double) {
    guard let recorder = running.withLock({ $0.removeValue(forKey: room)?.recorder }) else {
      return
    }
    let finish = recordings.noteEnding(recorder.id)
    log.info(
      .recordingFinished,
      "A recording was ended.",
      ["room": .text(room), "seconds": .seconds(time - recorder.beginning)]
    )
    queue.async {
      recorder.end(at: time)
      finish()
    }
  }

  /// Ends the recordings that have reached the maximum length.
  ///
  /// A timer calls this, so that a recording ends even if nothing happens in its room.
  func wake(now: Double) {
    let over = running.withLock { running in
      running.values.map(\.recorder).filter { $0.beginning + limits.seconds <= now }
    }
    for recorder in over {
      end(room: recorder.room, at: now)
      tell(recorder.room, .tooLong(limits.seconds))
    }
  }

  /// Ends all recordings and waits until everything is written.
  func finish(at time: Double) {
    for room in running.withLock({ Array($0.keys) }) { end(room: room, at: time) }
    flush()
  }

  /// Waits until everything that was reported so far is written.
  func flush() { queue.sync {} }

  /// Returns the recorder of a line's room, and whether the line belongs to that recording alone.
  private func recorder(of line: LogLine) -> (RoomRecorder?, isScene: Bool) {
    guard let room = line.room else { return (nil, false) }
    return running.withLock { running in
      guard let one = running[room] else { return (nil, false) }
      if line.time >= one.recorder.beginning { running[room]?.isSceneSet = true }
      return (one.recorder, line.time < one.recorder.beginning && !one.isSceneSet)
    }
  }

  private func perform(
    _ recorder: RoomRecorder,
    _ work: @escaping @Sendable (RoomRecorder) throws(RecordingStop) -> Void
  ) {
    queue.async { [self] in
      do throws(RecordingStop) { try work(recorder) } catch {
        recorder.end(at: recorder.beginning)
        recordings.noteFinished(recorder.id)
        let wasRunning = running.withLock { running in
          guard running[recorder.room]?.recorder === recorder else { return false }
          running[recorder.room] = nil
          return true
        }
        if wasRunning { tell(recorder.room, error) }
      }
    }
  }

  private func tell(_ room: String, _ reason: RecordingStop) {
    log.warning(
      .recordingFailed,
      "A recording has ended by itself.",
      ["room": .text(room), "reason": .text(reason.notice.message)]
    )
    onStop(room, reason)
  }
}
