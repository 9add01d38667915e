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
  ///   - now: The current time, in seconds.
  ///   - effects: Receives the messages to send.
  mutating func answer(
    changed: Bool,
    target: Double,
    now: Double,
    into effects: inout Effects
  ) {
    if changed {
      pacing.isAtRest = false
      endMotionThatNobodySees(now: now, into: &effects)
      updateCaption(at: now, into: &effects)
      updateZooms(at: now, into: &effects)
    }
    if stage.isDriven {
      guard changed || stage.isFlying(at: now) else { return scheduleWake(now: now) }
      let isRecall = stream.wasSentAhead(of: now)
      if pacing.mayDrive(at: now, members: members.count, isRecall: isRecall) {
        drive(target: target, now: now, into: &effects)
      }
    } else if changed, pacing.mayRedirect(at: now, members: members.count) {
      redirect(now: now, into: &effects)
    }
    scheduleWake(now: now)
  }

  /// Recalls frames that were sent ahead and are no longer right, and sends new ones.
  private mutating func redirect(now: Double, into effects: inout Effects) {
    pacing.noteRedirected(at: now)
    if stream.wasSentAhead(of: now) { emit(at: now, now: now, into: &effects) }
    fly(now: now, into: &effects)
  }

  /// Continues what happens without input: flights, deadlines, a holder that sends nothing.
  mutating func wake(now: Double, into effects: inout Effects) {
    if let wake = cameraWake, wake <= now { flyCameras(now: now, into: &effects) }
    freeAtRest(at: now)
    let isDue = pacing.wakeTime.map { $0 <= now } ?? false
    guard isDue || selection.isWaiting else { return }
    let before = stage
    let wasOpen = stage.staysOpen
    if !isPlayback { advanceStage(to: now) }
    if !wasOpen { layOpened(at: now, into: &effects) }
    // Frames that were sent ahead, if any, already show what happens without input.
    if before != stage {
      updateCaption(at: now, into: &effects)
      updateZooms(at: now, into: &effects)
    }
    if refreshLibrary(now: now, into: &effects) { return }
    guard isDue else { return }
    pacing.wakeTime = nil
    if isPlayback { return flyPlayback(now: now, into: &effects) }
    if !stage.isDriven {
      pacing.owesFlight ? redirect(now: now, into: &effects) : fly(now: now, into: &effects)
    } else if pacing.owesFrame || stage.isFlying(at: now) {
      drive(target: now, now: now, into: &effects)
    }
    scheduleWake(now: now)
  }

  /// Sends the frame for the holder's next vsync.
  private mutating func drive(target: Double, now: Double, into effects: inout Effects) {
    pacing.noteDriven(at: now, members: members.count)
    let time = min(max(target, now), now + Pacing.drivenAheadMax)
    let isRecall = stream.wasSentAhead(of: now)
    emit(at: isRecall ? time : max(time, stream.time), now: now, into: &effects)
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
  private mutating func fly(now: Double, into effects: inout Effects) {
    guard !pacing.isAtRest, !stage.isDriven else { return }
    pacing.noteFlown()
    var frames: [TimedFrame] = []
    var time = max(stream.time + Pacing.flownStep, now)
    while time <= now + Pacing.flownAhead {
      let frame = stage.frame(at: time)
      frames.append(TimedFrame(time: time, frame: frame))
      if frame.isSettled {
        pacing.isAtRest = true
        break
      }
      time += Pacing.flownStep
    }
    send(frames, now: now, into: &effects)
  }

  /// Sends frames ahead of their time.
  mutating func send(_ frames: [TimedFrame], now: Double, into effects: inout Effects) {
    guard let first = frames.first else { return }
    noteMotion(at: now)
    for timed in frames { introduce(missingIn: timed.frame, into: &effects) }
    var rest = frames
    if !stream.isStarted {
      stream.frame = first.frame
      stream.publishFrame(at: first.time, isSnapshot: true, into: &effects.messages)
      rest.removeFirst()
    }
    stream.publishFlight(rest, now: now, into: &effects.messages)
    if notes {
      for timed in frames { effects.list.append(.noteFrame(room: room, time: timed.time)) }
    }
    cut(at: min(now, stream.time), into: &effects)
  }

  /// Renders and sends one frame, as a snapshot if it recalls frames that were sent ahead, or a
  /// driven frame for a later time.
  mutating func emit(at time: Double, now: Double, into effects: inout Effects) {
    // While a finger drives, nothing rests; the flight after it is noted.
    if !stage.isDriven { noteMotion(at: now) }
    let isSnapshot = stream.recalls(at: time, now: now)
    if isPlayback, let playback {
      stream.frame = playedFrame(playback, at: time)
    } else {
      stage.render(at: time, into: &stream.frame)
    }
    pacing.isAtRest = stream.frame.isSettled
    introduce(missingIn: stream.frame, into: &effects)
    stream.publishFrame(at: time, isSnapshot: isSnapshot, into: &effects.messages)
    if notes { effects.list.append(.noteFrame(room: room, time: time)) }
    cut(at: now, into: &effects)
  }

  /// Whether a member drives and its next frame is postponed: its hand is shown with the frame.
  func owesFrame(to id: MemberID) -> Bool {
    holder == id && stage.isDriven && pacing.owesFrame
  }

  /// Returns the frame at a given time, of the stage or of the recording that is played.
  func frame(at time: Double) -> Frame {
    playback.map { playedFrame($0, at: time) } ?? stage.frame(at: time)
  }
}
