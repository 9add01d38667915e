internal import Scene
internal import Staging
internal import Wire

/// How frames go out.
extension StageSession {
  /// How far ahead of now flown frames are sent, in seconds: longer than a network hiccup, short
  /// enough that a recall wastes little.
  static let flownAhead = 0.25
  /// How often more of them are sent, in seconds.
  static let flownEvery = 0.1
  /// How many frames a flight sets off with: a narrow line would take long for all that are sent
  /// ahead, and the first of them are due at once.
  static let flownFirst = 4
  /// From one flown frame to the next, in seconds.
  static let flownStep = 1.0 / 60
  /// How far ahead a holder may ask for a frame, in seconds.
  static let drivenAheadMax = 0.1
  /// A holder that asks for no frames, while something flies beside its finger, gets them at
  /// this distance, in seconds.
  static let drivenFallback = 0.05
  /// How long flown frames are remembered for who comes late, in seconds: longer than any delay.
  static let flownKept = 0.3
  /// The least time between two driven frames, in seconds.
  static let drivenStep = 1.0 / Double(WireLimits.pointerMessagesPerSecond)
  /// The most copies of driven frames a second, to all members of a room together.
  static let drivenCopies = 60_000.0
  /// The most changes of what flies a second, times the members that they are sent to.
  static let answeredCopies = 10_000.0

  /// The least time between two driven frames, in seconds: longer in a room of hundreds.
  private var drivenStep: Double {
    max(Self.drivenStep, Double(members.count) / Self.drivenCopies)
  }

  /// The least time between two changes of what flies, in seconds: however many inputs come at
  /// once, as after a line that hung, they are answered together.
  private var answerStep: Double {
    max(Self.drivenStep, Double(members.count) / Self.answeredCopies)
  }

  /// Sends what follows from inputs: one frame while a finger drives, a flight otherwise.
  /// - Parameters:
  ///   - changed: Whether the inputs changed the stage.
  ///   - target: The instant that the holder wants to see, or now.
  ///   - now: When, in seconds.
  ///   - effects: Takes what is to be sent.
  mutating func answer(
    changed: Bool,
    target: Double,
    now: Double,
    into effects: inout Effects
  ) {
    if changed {
      isAtRest = false
      updateCaption(at: now, into: &effects)
      updateZooms(at: now, into: &effects)
    }
    if stage.isDriven {
      guard changed || stage.isFlying(at: now) else { return scheduleWake(now: now) }
      if now - lastDrivenTime < drivenStep, !wasSentAhead(of: now) {
        owesFrame = true
      } else {
        drive(target: target, now: now, into: &effects)
      }
    } else if changed {
      if now - lastAnswerTime < answerStep {
        owesAnswer = true
      } else {
        redirect(now: now, into: &effects)
      }
    }
    scheduleWake(now: now)
  }

  /// Recalls what was sent ahead, which is no longer so, and sends what is.
  private mutating func redirect(now: Double, into effects: inout Effects) {
    owesAnswer = false
    lastAnswerTime = now
    if wasSentAhead(of: now) { emit(at: now, now: now, into: &effects) }
    fly(now: now, into: &effects)
  }

  /// Continues what goes on by itself: flights, deadlines, a holder that has gone quiet.
  mutating func wake(now: Double, into effects: inout Effects) {
    if let wake = cameraWake, wake <= now { flyCameras(now: now, into: &effects) }
    let isDue = stageWake.map { $0 <= now } ?? false
    guard isDue || selection.isWaiting else { return }
    let before = stage
    if playback == nil { advanceStage(to: now) }
    // What happens by itself was foreseen in the frames sent ahead, if any were.
    if before != stage {
      updateCaption(at: now, into: &effects)
      updateZooms(at: now, into: &effects)
    }
    if refreshLibrary(now: now, into: &effects) { return }
    guard isDue else { return }
    stageWake = nil
    if playback != nil { return flyPlayback(now: now, into: &effects) }
    if !stage.isDriven {
      owesAnswer ? redirect(now: now, into: &effects) : fly(now: now, into: &effects)
    } else if owesFrame || stage.isFlying(at: now) {
      drive(target: now, now: now, into: &effects)
    }
    scheduleWake(now: now)
  }

  /// Sends the frame for the holder's next vsync.
  private mutating func drive(target: Double, now: Double, into effects: inout Effects) {
    (owesFrame, owesAnswer) = (false, false)
    lastDrivenTime = now
    let time = min(max(target, now), now + Self.drivenAheadMax)
    emit(at: wasSentAhead(of: now) ? time : max(time, frameTime), now: now, into: &effects)
  }

  func wasSentAhead(of now: Double) -> Bool { flownTime > now }

  mutating func scheduleWake(now: Double) {
    if stage.isDriven {
      let fallback = stage.isFlying(at: now) ? now + Self.drivenFallback : .infinity
      let owed = owesFrame ? lastDrivenTime + drivenStep : .infinity
      let next = min(stage.deadline ?? .infinity, min(fallback, owed))
      stageWake = next.isFinite ? next : nil
    } else {
      if isAtRest, holder != nil, frameTime <= now { control.release() }
      let flight = isAtRest ? (holder == nil ? .infinity : frameTime) : now + Self.flownEvery
      let owed = owesAnswer ? lastAnswerTime + answerStep : .infinity
      let next = min(min(flight, owed), stage.deadline ?? .infinity)
      stageWake = next.isFinite ? next : nil
    }
  }

  /// Sends the frames of a flight up to ``flownAhead``, the last of them at rest.
  private mutating func fly(now: Double, into effects: inout Effects) {
    guard !isAtRest, !stage.isDriven else { return }
    owesFrame = false
    var times: [TimedFrame] = []
    var time = max(frameTime + Self.flownStep, now)
    while time <= now + Self.flownAhead {
      let frame = stage.frame(at: time)
      times.append(TimedFrame(time: time, frame: frame))
      if frame.isSettled {
        isAtRest = true
        break
      }
      time += Self.flownStep
    }
    guard !times.isEmpty else { return }
    flown.removeAll { $0.time < now - Self.flownKept }
    send(times, now: now, into: &effects)
  }

  /// Sends frames ahead of their time.
  mutating func send(_ frames: [TimedFrame], now: Double, into effects: inout Effects) {
    let count = wasSentAhead(of: now) ? frames.count : min(Self.flownFirst, frames.count)
    sendBatch(frames.prefix(count), now: now, into: &effects)
    sendBatch(frames.dropFirst(count), now: now, into: &effects)
  }

  private mutating func sendBatch(
    _ frames: ArraySlice<TimedFrame>,
    now: Double,
    into effects: inout Effects
  ) {
    guard !frames.isEmpty else { return }
    var frames = Array(frames)
    if encoder.lastNumber == nil {
      let first = frames.removeFirst()
      frame = first.frame
      emitCurrent(at: first.time, isSnapshot: true, now: now, into: &effects)
      if frames.isEmpty { return }
    }
    for timed in frames { introduce(missingIn: timed.frame, into: &effects) }
    var rest = frames[...]
    while !rest.isEmpty {
      var count = 0
      let number = frameNumber &+ UInt32(truncatingIfNeeded: frames.count - rest.count) &+ 1
      broadcast(into: &effects) { session, bytes in
        count = session.encoder.batch(of: rest, firstNumber: number, into: &bytes)
      }
      rest = rest.dropFirst(count)
    }
    for timed in frames {
      frameNumber &+= 1
      frameTime = timed.time
      flownTime = timed.time
      flown.append(timed)
      frameTimes.note(frameNumber, timed.time)
      frame = timed.frame
      if notes { effects.list.append(.noteFrame(room: room, time: timed.time)) }
    }
    cut(at: min(now, frameTime), into: &effects)
  }

  /// Renders and sends one frame; a snapshot if it recalls what was sent ahead, or a driven frame
  /// that is for later than this one.
  mutating func emit(at time: Double, now: Double, into effects: inout Effects) {
    let recalls = wasSentAhead(of: now) || time < frameTime || encoder.lastNumber == nil
    if let playback {
      frame = playedFrame(playback, at: time)
    } else {
      stage.render(at: time, into: &frame)
    }
    isAtRest = frame.isSettled
    flownTime = -.infinity
    if !flown.isEmpty { flown.removeAll(keepingCapacity: true) }
    emitCurrent(at: time, isSnapshot: recalls, now: now, into: &effects)
  }

  private mutating func emitCurrent(
    at time: Double,
    isSnapshot: Bool,
    now: Double,
    into effects: inout Effects
  ) {
    introduce(missingIn: frame, into: &effects)
    frameNumber &+= 1
    frameTime = time
    frameTimes.note(frameNumber, time)
    broadcast(into: &effects) { session, bytes in
      if isSnapshot {
        session.encoder.snapshot(
          of: session.frame,
          number: session.frameNumber,
          time: time,
          into: &bytes
        )
      } else {
        session.encoder.delta(
          of: session.frame,
          number: session.frameNumber,
          time: time,
          into: &bytes
        )
      }
    }
    if notes { effects.list.append(.noteFrame(room: room, time: time)) }
    cut(at: now, into: &effects)
  }

  /// Encodes once, for all that are watching and not behind; for nobody nothing is sent, but the
  /// encoder knows what it has encoded.
  mutating func broadcast(
    _ kind: BroadcastKind = .frame,
    into effects: inout Effects,
    _ write: (inout StageSession, inout [UInt8]) -> Void
  ) {
    let start = effects.bytes.count
    write(&self, &effects.bytes)
    let first = effects.recipients.count
    for index in members.indices {
      guard members[index].isVisible, !members[index].isBehind else {
        if kind == .introduction { members[index].lacksElements = true }
        continue
      }
      if kind == .frame, members[index].reducesMotion { continue }
      if kind == .frame, members[index].frameGap != nil {
        members[index].owesFrame = true
      } else {
        effects.recipients.append(members[index].id)
      }
    }
    guard effects.recipients.count > first else {
      effects.bytes.removeLast(effects.bytes.count - start)
      return
    }
    effects.list.append(
      .broadcast(
        message: start..<effects.bytes.count,
        recipients: first..<effects.recipients.count,
        introduction: kind == .introduction
      )
    )
  }
}

/// What a broadcast carries.
enum BroadcastKind: Equatable, Sendable {
  /// A frame: left out for those that get few.
  case frame
  /// Elements: who misses them does not know what frames name.
  case introduction
  /// A caption.
  case words
}
