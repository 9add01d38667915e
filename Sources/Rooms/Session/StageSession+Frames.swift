internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// What members are sent: the frames that result from inputs and from motion without input, the
/// elements in them, and the caption.
extension StageSession {
  /// Sends the frames that result from inputs: one while a finger drives, a flight otherwise.
  /// - Parameters:
  ///   - changed: Whether the inputs changed the stage.
  ///   - target: The time for which the holder requests the frame, or now.
  ///   - turn: The time, and what is to be done.
  mutating func answer(changed: Bool, target: Double, in turn: inout Turn) {
    if changed {
      pacing.isAtRest = false
      // Motion that nobody sees ends as soon as it begins: where it ends is all that is shown.
      if settlesBeforeInput(at: max(turn.now, lastInputTime)) { land(at: turn.now, in: &turn) }
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
    if pacing.endsMotion(at: turn.now, lastFrame: stream.time, isDriven: stage.isDriven) {
      stream.rest()
    }
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
    let start = max(stream.time + Pacing.flownStep, turn.now)
    let frames = stage.flight(from: start, until: turn.now + Pacing.flownAhead)
    if frames.last?.frame.isSettled == true { pacing.isAtRest = true }
    send(frames, in: &turn)
  }

  /// Sends frames ahead of their time.
  mutating func send(_ frames: [TimedFrame], in turn: inout Turn) {
    guard let first = frames.first else { return }
    pacing.noteMotion(at: turn.now)
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
    if !stage.isDriven { pacing.noteMotion(at: turn.now) }
    let isSnapshot = stream.recalls(at: time, now: turn.now)
    if let played {
      stream.frame = played.frame(at: time, on: stage)
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
    played.map { $0.frame(at: time, on: stage) } ?? stage.frame(at: time)
  }

  // MARK: Elements and the caption

  /// Returns what an element shows; blank paper if the library does not contain it.
  func element(for key: ElementKey) -> Element { selection.shown.element(for: key, on: stage) }

  /// Introduces the elements that a frame shows for the first time.
  mutating func introduce(missingIn frame: Frame, in turn: inout Turn) {
    introduce(stream.unknown(in: frame), in: &turn)
  }

  /// Introduces the pages that may become visible next, so that their images are decoded in time.
  mutating func introduceUpcoming(at time: Double, in turn: inout Turn) {
    introduce(stage.upcoming(at: time).filter { !stream.knows($0) }, in: &turn)
  }

  /// Introduces again the elements that look different in another state of the library.
  mutating func refreshElements(in turn: inout Turn) {
    introduce(stream.outdated(in: selection.shown, on: stage), in: &turn)
  }

  private mutating func introduce(_ keys: [ElementKey], in turn: inout Turn) {
    guard !keys.isEmpty else { return }
    if stream.isFull {
      // Those that are neither shown, nor on their way to members, nor among the next visible.
      let wanted = stream.visible.union(stage.upcoming(at: stream.time))
      retire(in: &turn) { wanted.contains($0) }
    }
    stream.introduce(keys.map { element(for: $0) }, into: &turn.effects.messages)
  }

  /// Retires elements that the library does not contain, once they are no longer shown: a member
  /// that joins later must not learn of them.
  mutating func retireMissing(in turn: inout Turn) {
    let library = selection.shown.layout
    guard stream.introduced.contains(where: { !library.has($0) }) else { return }
    retire(in: &turn) { library.has($0) }
  }

  private mutating func retire(in turn: inout Turn, keeping isWanted: (ElementKey) -> Bool) {
    stream.retire(keeping: isWanted, into: &turn.effects.messages)
    let stream = stream
    images.retire { stream.key(of: $0) != nil }
  }

  /// Sends the caption when it changes, and introduces the pages that may become visible next.
  mutating func updateCaption(at time: Double, in turn: inout Turn) {
    let key = CaptionKey(stage, selection.arrangement, at: time)
    if captions.open(stage.openBook), let book = captions.openBook, !book.isEmpty {
      turn.effects.list.append(.bookOpened(book: book, room: room))
    }
    guard key != captions.key else { return }
    if key.screen == .collections, captions.key?.screen == .shelf, !isPlayback {
      selection.openList(at: time)
    }
    introduceUpcoming(at: time, in: &turn)
    var caption = key.caption(of: selection.shown)
    caption.spread = spreadIDs
    captions.update(caption, for: key)
    // A page that knows which pages it shows can tell what a step back is, as long as the caption
    // is that of a book.
    if stage.openBook == nil { tellCaption(in: &turn) }
    for index in members.indices { tellFraming(memberAt: index, in: &turn) }
    if stage.openBook != nil { tellCaption(in: &turn) }
  }

  // MARK: Members that prefer reduced motion

  /// Shows members that prefer reduced motion where everything comes to rest, unless they have
  /// received that already.
  ///
  /// While a finger holds something, the final state is not known: they receive nothing until it is
  /// released.
  mutating func cut(at now: Double, in turn: inout Turn) {
    guard watchers.reducedCount > 0 else { return }
    let isHeld = playback?.stage.isDriven ?? stage.isDriven
    guard !isHeld else { return }
    publishStill(at: now, in: &turn)
  }

  /// Whether the present motion ends before the next input: all members see only where it ends, so
  /// what they do is meant for what they see then.
  func settlesBeforeInput(at time: Double) -> Bool {
    watchers.allReduceMotion && !stage.isDriven && !stage.isSettled(at: time)
  }

  /// Moves everything to where it comes to rest; a book that is then open is laid flat if it has to
  /// be.
  private mutating func land(at time: Double, in turn: inout Turn) {
    // The windows arrive with the leaf on the page that it lands on.
    for index in members.indices { watchers[index].view.zoom.land() }
    lastInputTime = max(lastInputTime, time)
    let wasOpen = stage.staysOpen
    note(.settle, in: &turn)
    guard !wasOpen, stage.staysOpen else { return }
    layOpened(at: lastInputTime, in: &turn)
    note(.settle, in: &turn)
  }

  /// Ends the motion that a member does not see: what it does next is meant for what it sees.
  ///
  /// Where others see the motion, only the member that began it ends it.
  mutating func endUnseenMotion(ofMemberAt index: Int, at time: Double, in turn: inout Turn) {
    guard members[index].reducesMotion else { return }
    let isOwn = holder == members[index].id && !stage.isDriven && !stage.isSettled(at: time)
    if isOwn || settlesBeforeInput(at: time) {
      land(at: time, in: &turn)
      answer(changed: true, target: turn.now, in: &turn)
    }
    watchers[index].view.zoom.land()
  }

  private mutating func publishStill(at now: Double, in turn: inout Turn) {
    let frame =
      playback.map { $0.stage.frameAtRest(after: $0.stageTime(at: now)) }
      ?? stage.frameAtRest(after: max(now, lastInputTime))
    introduce(missingIn: frame, in: &turn)
    stream.publishStill(frame, at: now, into: &turn.effects.messages)
  }

  /// Sends a member frames or stills, as it prefers; the gateway shows it the latest at once.
  mutating func setReducesMotion(
    _ reducesMotion: Bool,
    ofMemberAt index: Int,
    in turn: inout Turn
  ) {
    watchers.setReducesMotion(reducesMotion, at: index)
    guard stream.isStarted else { return }
    // Also while a finger holds something: a member that joins then has to see where it would land.
    if reducesMotion { publishStill(at: turn.now, in: &turn) }
    turn.effects.messages.append(.setReducesMotion(reducesMotion, of: members[index].id))
  }
}
