internal import Scene
internal import Staging
internal import Wire

/// Who comes late, missed something, or gets few frames.
extension StageSession {
  /// Sends one member everything it needs to stand where all stand; a flight of its lens ends.
  ///
  /// While frames that were sent ahead are still to be seen, it gets the one that the others see
  /// now and all that follow, so that it sees what they see from the first moment on.
  mutating func catchUp(
    _ member: Member,
    withElements: Bool,
    now: Double,
    into effects: inout Effects
  ) {
    effects.send(to: member.id) {
      ServerMessage.camera(WireMatrix(member.view.camera.transform)).encode(into: &$0)
    }
    effects.send(to: member.id) { ServerMessage.caption(caption).encode(into: &$0) }
    var own = encoder
    var later: [TimedFrame] = []
    if member.reducesMotion {
      let frame = restingFrame(at: now)
      introduce(missingIn: frame, into: &effects)
      own = encoder
      own.rebase(on: frame, number: frameNumber, time: now)
      // It may be another than the others have: the next is told to all of them.
      lastCut = nil
    } else {
      later = rebase(&own, at: now - delay, now: now)
    }
    if withElements {
      for message in own.elementsMessages { effects.send(to: member.id) { $0 += message } }
    }
    effects.send(to: member.id) { own.snapshotOfLast(into: &$0) }
    guard !later.isEmpty else { return }
    guard member.frameGap == nil else { return owe(member.id, now: now) }
    var rest = later[...]
    while !rest.isEmpty {
      let number = frameNumber &- UInt32(truncatingIfNeeded: rest.count) &+ 1
      var count = 0
      effects.send(to: member.id) { count = own.batch(of: rest, firstNumber: number, into: &$0) }
      rest = rest.dropFirst(count)
    }
  }

  /// Remembers that one who gets few frames has not seen the last.
  private mutating func owe(_ id: MemberID, now: Double) {
    guard let index = index(of: id), let gap = members[index].frameGap else { return }
    members[index].owesFrame = true
    members[index].nextFrameTime = now + gap
    thinnedWake = min(thinnedWake ?? .infinity, now + gap)
  }

  /// Takes a copy of the encoder back to the frame of the present flight that is seen at a time.
  /// - Returns: The frames of the flight after it; none if nothing was sent ahead.
  private func rebase(_ own: inout FrameEncoder, at time: Double, now: Double) -> [TimedFrame] {
    guard flownTime > now, !flown.isEmpty else { return [] }
    let seen = flown.lastIndex { $0.time <= time } ?? 0
    let number = frameNumber &- UInt32(truncatingIfNeeded: flown.count - 1 - seen)
    own.rebase(on: flown[seen].frame, number: number, time: flown[seen].time)
    return Array(flown[(seen + 1)...])
  }

  /// Sends the frame for now to those that get few and whose time has come.
  mutating func serveThinned(now: Double, into effects: inout Effects) {
    thinnedWake = nil
    var due: [Int] = []
    for index in members.indices where members[index].owesFrame {
      guard members[index].frameGap != nil, members[index].isVisible, !members[index].isBehind
      else { continue }
      if members[index].nextFrameTime <= now { due.append(index) }
    }
    if !due.isEmpty { sendThinned(to: due, now: now, into: &effects) }
    for index in members.indices where members[index].owesFrame {
      guard members[index].frameGap != nil, members[index].isVisible, !members[index].isBehind
      else { continue }
      thinnedWake = min(thinnedWake ?? .infinity, members[index].nextFrameTime)
    }
  }

  private mutating func sendThinned(
    to due: [Int],
    now: Double,
    into effects: inout Effects
  ) {
    var own = encoder
    _ = rebase(&own, at: now, now: now)
    // What is the last of all so far is not sent again; the next frame is owed anew.
    let isLast = own.lastNumber == frameNumber
    let start = effects.bytes.count
    own.snapshotOfLast(into: &effects.bytes)
    let first = effects.recipients.count
    for index in due {
      effects.recipients.append(members[index].id)
      members[index].owesFrame = !isLast
      members[index].nextFrameTime = now + (members[index].frameGap ?? 0)
    }
    effects.list.append(
      .broadcast(
        message: start..<effects.bytes.count,
        recipients: first..<effects.recipients.count,
        introduction: false
      )
    )
  }

  /// Gives a member few frames from now on, at a distance in seconds.
  mutating func thin(_ id: MemberID, to gap: Double) {
    if let index = index(of: id) { members[index].frameGap = gap }
  }

  /// Gives a member all frames, or few.
  mutating func setFrameGap(
    _ gap: Double?,
    of id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id), members[index].frameGap != gap else { return }
    let hadFew = members[index].frameGap != nil
    members[index].frameGap = gap
    if gap == nil, hadFew, members[index].isVisible, !members[index].isBehind {
      catchUp(members[index], withElements: false, now: now, into: &effects)
    }
    members[index].owesFrame = members[index].owesFrame && gap != nil
  }

  /// The frame at an instant, of the stage or of the recording that is played.
  func frame(at time: Double) -> Frame {
    playback.map { playedFrame($0, at: time) } ?? stage.frame(at: time)
  }
}

/// When the last frames were for, by their numbers.
struct FrameTimes: Sendable {
  private static let count = 512
  private var times = [Double](repeating: -.infinity, count: count)
  private var newest: UInt32 = 0

  mutating func note(_ number: UInt32, _ time: Double) {
    times[Int(number) % Self.count] = time
    newest = number
  }

  /// The time of a frame; nil for one that is not remembered.
  func time(of number: UInt32) -> Double? {
    guard newest &- number < UInt32(Self.count) else { return nil }
    let time = times[Int(number) % Self.count]
    return time.isFinite ? time : nil
  }
}
