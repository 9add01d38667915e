internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Members that prefer reduced motion: they receive the final picture as soon as it is known, and
/// nothing of the way there.
extension StageSession {
  /// Returns the frame in which nothing moves any more: what flies has landed, and what is held is
  /// where it would land if it were released without any effect.
  func restingFrame(at now: Double) -> Frame {
    var later = playback?.stage ?? stage
    let time = playback?.stageTime(at: now) ?? max(now, lastInputTime)
    if later.isDriven {
      later.apply(.pan(.cancelled, Point(x: 0, y: 0)), at: time)
      later.apply(.pinch(.cancelled, scale: 1, Point(x: 0, y: 0)), at: time)
    }
    // By then, a leaf that waits for images and a sequence of several moves have ended, too.
    later.advance(to: time + Stage.standingSeconds)
    return later.frame(at: time + Stage.standingSeconds)
  }

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
    memberCount > 0 && watchers.reducedCount == memberCount && !stage.isDriven
      && !stage.isSettled(at: time)
  }

  /// Ends the motion that nobody sees as soon as it begins: where it ends is all that is shown.
  mutating func endMotionThatNobodySees(in turn: inout Turn) {
    guard settlesBeforeInput(at: max(turn.now, lastInputTime)) else { return }
    land(at: turn.now, in: &turn)
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
    let frame = restingFrame(at: now)
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

  /// Whether a member prefers reduced motion.
  func reducesMotion(_ id: MemberID) -> Bool {
    index(of: id).map { members[$0].reducesMotion } ?? false
  }
}
