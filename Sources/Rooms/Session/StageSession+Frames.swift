internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The frames that result from inputs, and from motion without input.
extension StageSession {
  /// Sends the frames that result from inputs: one while a finger drives, a flight otherwise.
  /// - Parameters:
  ///   - changed: Whether the inputs changed the stage.
  ///   - target: The time for which the holder requests the frame, or now.
  ///   - turn: The time, and what is to be done.
  mutating func answer(changed: Bool, target: Double, in turn: inout Turn) {
    if changed {
      pacing.isAtRest = false
      endMotionThatNobodySees(in: &turn)
      updateCaption(at: turn.now, in: &turn)
      updateZooms(in: &turn)
    }
    if stage.isDriven {
      guard changed || stage.isFlying(at: turn.now) else { return scheduleWake(now: turn.now) }
      let isRecall = stream.wasSentAhead(of: turn.now)
      if pacing.mayDrive(at: turn.now, members: members.count, isRecall: isRecall) {
        drive(target: target, in: &turn)
      }
    } else if changed, pacing.mayRedirect(at: turn.now, members: members.count) {
      redirect(in: &turn)
    }
    scheduleWake(now: turn.now)
  }

  /// Recalls frames that were sent ahead and are no longer right, and sends new ones.
  private mutating func redirect(in turn: inout Turn) {
    pacing.noteRedirected(at: turn.now)
    if stream.wasSentAhead(of: turn.now) { emit(at: turn.now, in: &turn) }
    fly(in: &turn)
  }

  /// Continues what happens without input: flights, deadlines, a holder that sends nothing.
  mutating func wake(in turn: inout Turn) {
    if let wake = watchers.cameraWake, wake <= turn.now { watchers.flyCameras(in: &turn) }
    freeAtRest(at: turn.now)
    let isDue = pacing.wakeTime.map { $0 <= turn.now } ?? false
    guard isDue || selection.isWaiting else { return }
    let before = stage
    let wasOpen = stage.staysOpen
    if !isPlayback { advanceStage(to: turn.now) }
    if !wasOpen { layOpened(at: turn.now, in: &turn) }
    // Frames that were sent ahead, if any, already show what happens without input.
    if before != stage {
      updateCaption(at: turn.now, in: &turn)
      updateZooms(in: &turn)
    }
    if refreshLibrary(in: &turn) { return }
    guard isDue else { return }
    pacing.wakeTime = nil
    if isPlayback { return flyPlayback(in: &turn) }
    if !stage.isDriven {
      pacing.owesFlight ? redirect(in: &turn) : fly(in: &turn)
    } else if pacing.owesFrame || stage.isFlying(at: turn.now) {
      drive(target: turn.now, in: &turn)
    }
    scheduleWake(now: turn.now)
  }

  /// Sends the frame for the holder's next vsync.
  private mutating func drive(target: Double, in turn: inout Turn) {
    pacing.noteDriven(at: turn.now, members: members.count)
    let time = min(max(target, turn.now), turn.now + Pacing.drivenAheadMax)
    let isRecall = stream.wasSentAhead(of: turn.now)
    emit(at: isRecall ? time : max(time, stream.time), in: &turn)
  }

  mutating func scheduleWake(now: Double) {
    let count = members.count
    if stage.isDriven {
      let isFlying = stage.isFlying(at: now)
      pacing.waitDriven(deadline: stage.deadline, isFlying: isFlying, members: count, now: now)
    } else {
      if pacing.isAtRest, holder != nil, stream.time <= now { control.release() }
      let arrival = holder == nil ? nil : stream.time
      pacing.waitFlying(deadline: stage.deadline, arrival: arrival, members: count, now: now)
    }
  }

  /// Sends the frames of a flight up to ``Pacing/flownAhead``, or up to the first one at rest.
  private mutating func fly(in turn: inout Turn) {
    guard !pacing.isAtRest, !stage.isDriven else { return }
    pacing.noteFlown()
    var frames: [TimedFrame] = []
    var time = max(stream.time + Pacing.flownStep, turn.now)
    while time <= turn.now + Pacing.flownAhead {
      let frame = stage.frame(at: time)
      frames.append(TimedFrame(time: time, frame: frame))
      if frame.isSettled {
        pacing.isAtRest = true
        break
      }
      time += Pacing.flownStep
    }
    send(frames, in: &turn)
  }

  /// Sends frames ahead of their time.
  mutating func send(_ frames: [TimedFrame], in turn: inout Turn) {
    guard let first = frames.first else { return }
    noteMotion(at: turn.now)
    for timed in frames { introduce(missingIn: timed.frame, in: &turn) }
    var rest = frames
    if !stream.isStarted {
      stream.frame = first.frame
      stream.publishFrame(at: first.time, isSnapshot: true, into: &turn.effects.messages)
      rest.removeFirst()
    }
    stream.publishFlight(rest, now: turn.now, into: &turn.effects.messages)
    if notes {
      for timed in frames { turn.effects.list.append(.noteFrame(room: room, time: timed.time)) }
    }
    cut(at: min(turn.now, stream.time), in: &turn)
  }

  /// Renders and sends one frame, as a snapshot if it recalls frames that were sent ahead, or a
  /// driven frame for a later time.
  mutating func emit(at time: Double, in turn: inout Turn) {
    // While a finger drives, nothing rests; the flight after it is noted.
    if !stage.isDriven { noteMotion(at: turn.now) }
    let isSnapshot = stream.recalls(at: time, now: turn.now)
    if isPlayback, let playback {
      stream.frame = playedFrame(playback, at: time)
    } else {
      stage.render(at: time, into: &stream.frame)
    }
    pacing.isAtRest = stream.frame.isSettled
    introduce(missingIn: stream.frame, in: &turn)
    stream.publishFrame(at: time, isSnapshot: isSnapshot, into: &turn.effects.messages)
    if notes { turn.effects.list.append(.noteFrame(room: room, time: time)) }
    cut(at: turn.now, in: &turn)
  }

  /// Whether a member drives and its next frame is postponed: its hand is shown with the frame.
  func owesFrame(to id: MemberID) -> Bool { holder == id && stage.isDriven && pacing.owesFrame }

  /// Returns the frame at a given time, of the stage or of the recording that is played.
  func frame(at time: Double) -> Frame {
    playback.map { playedFrame($0, at: time) } ?? stage.frame(at: time)
  }
}
