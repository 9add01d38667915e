internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// Members that prefer reduced motion: they get what is seen when all rests, as soon as that is
/// known, and nothing of the way there.
extension StageSession {
  /// What is seen when nothing moves any more: what flies where it lands, what is held where it
  /// would land if it were let go with nothing done.
  func restingFrame(at now: Double) -> Frame {
    var later = playback?.stage ?? stage
    let time = playback?.stageTime(at: now) ?? max(now, lastInputTime)
    if later.isDriven {
      later.apply(.pan(.cancelled, Point(x: 0, y: 0)), at: time)
      later.apply(.pinch(.cancelled, scale: 1, Point(x: 0, y: 0)), at: time)
    }
    // A leaf that waits for images and a way of several moves have ended by then, too.
    later.advance(to: time + Stage.standingSeconds)
    return later.frame(at: time + Stage.standingSeconds)
  }

  /// Shows those that prefer no motion where all goes, if that is another picture than the last.
  ///
  /// While a finger holds something nobody knows where that is: they get nothing until it is let
  /// go.
  mutating func cut(at now: Double, into effects: inout Effects) {
    let isHeld = playback?.stage.isDriven ?? stage.isDriven
    guard !isHeld, members.contains(where: \.reducesMotion) else { return }
    let frame = restingFrame(at: now)
    guard frame != lastCut else { return }
    introduce(missingIn: frame, into: &effects)
    var own = encoder
    own.rebase(on: frame, number: frameNumber, time: now)
    let start = effects.bytes.count
    own.snapshotOfLast(into: &effects.bytes)
    let first = effects.recipients.count
    for member in members where member.reducesMotion && member.isVisible && !member.isBehind {
      effects.recipients.append(member.id)
    }
    lastCut = frame
    guard effects.recipients.count > first else {
      return effects.bytes.removeLast(effects.bytes.count - start)
    }
    effects.list.append(
      .broadcast(
        message: start..<effects.bytes.count,
        recipients: first..<effects.recipients.count,
        introduction: false
      )
    )
  }

  /// Whether a member prefers reduced motion.
  func reducesMotion(_ id: MemberID) -> Bool {
    index(of: id).map { members[$0].reducesMotion } ?? false
  }

  /// Takes a member's wish for reduced motion; another than before has its effect at once.
  mutating func reduceMotion(
    _ reducesMotion: Bool,
    ofMemberAt index: Int,
    now: Double,
    into effects: inout Effects
  ) {
    guard members[index].reducesMotion != reducesMotion else { return }
    members[index].view.reducesMotion = reducesMotion
    members[index].owesFrame = false
    guard members[index].isVisible, !members[index].isBehind, encoder.lastNumber != nil else {
      return
    }
    catchUp(members[index], withElements: false, now: now, into: &effects)
  }
}
