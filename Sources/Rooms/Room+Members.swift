internal import Geometry
internal import Scene
internal import Staging
public import Wire

/// Who comes, what they say, who goes.
extension Room {
  /// The most members a room takes.
  public static let membersMax = 1024

  /// Takes in a member that has said hello: it gets a welcome and stands where all stand.
  public mutating func join(
    _ id: MemberID,
    hello: Hello,
    now: Double,
    into effects: inout Effects
  ) {
    // The first frame goes to nobody: the member learns of it as a later one would.
    if encoder.lastNumber == nil {
      introduceUpcoming(at: now, into: &effects)
      emit(at: now, now: now, into: &effects)
    }
    let member = Member(id: id, hello: hello)
    members.append(member)
    let welcome = Welcome(room: name, memberID: id.rawValue, serverTime: now)
    effects.send(to: id) { ServerMessage.welcome(welcome).encode(into: &$0) }
    catchUp(member, withElements: true, into: &effects)
  }

  /// Lets a member go; what it held is let go too.
  public mutating func leave(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id) else { return }
    let given = takeFingers(ofMemberAt: index)
    members.remove(at: index)
    obey(given, from: id, at: now, now: now, into: &effects)
  }

  /// A member refused a message: it is left out until it takes messages again.
  public mutating func refused(_ id: MemberID, introduction: Bool) {
    guard let index = index(of: id) else { return }
    members[index].isBehind = true
    if introduction { members[index].lacksElements = true }
  }

  /// A member takes messages again: it catches up at once.
  public mutating func becameWritable(_ id: MemberID, into effects: inout Effects) {
    guard let index = index(of: id), members[index].isBehind else { return }
    members[index].isBehind = false
    guard members[index].isVisible else { return }
    // Not the elements again and again: on a slow line nothing else would ever get through.
    catchUp(members[index], withElements: members[index].lacksElements, into: &effects)
    members[index].lacksElements = false
  }

  /// Hears a message of a member, when it came.
  public mutating func receive(
    _ message: ClientMessage,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id) else { return }
    switch message {
    case .hello, .ready, .jump, .go, .arrange, .lay, .zoomStep: break
    case .pointers(let pointers): hear(pointers, fromMemberAt: index, now: now, into: &effects)
    case .wheel(let dx, let dy, _, let ctrl):
      obey([.wheel(dx: dx, dy: dy, ctrl: ctrl)], from: id, at: now, now: now, into: &effects)
    case .key(let key): obey([.key(key)], from: id, at: now, now: now, into: &effects)
    case .viewport(let viewport, let reducesMotion):
      members[index].viewport = viewport
      members[index].reducesMotion = reducesMotion
      // A hidden window gets its camera when it is seen again.
      guard members[index].isVisible else { return }
      let camera = members[index].camera.transform
      effects.send(to: id) { ServerMessage.camera(WireMatrix(camera)).encode(into: &$0) }
    case .clock(let clientTime):
      effects.send(to: id) {
        ServerMessage.clock(clientTime: clientTime, serverTime: now).encode(into: &$0)
      }
    case .zoom(let phase, let scale, let place):
      let focus = members[index].camera.stagePoint(place)
      switch phase {
      case .began: members[index].isZooming = mayAct(id)
      case .changed: break
      case .ended, .cancelled: members[index].isZooming = false
      }
      obey(
        [.pinch(phase, scale: scale, focus)],
        from: id,
        at: now,
        now: now,
        into: &effects
      )
    case .visibility(let isVisible):
      see(isVisible, memberAt: index, now: now, into: &effects)
    }
  }

  private mutating func see(
    _ isVisible: Bool,
    memberAt index: Int,
    now: Double,
    into effects: inout Effects
  ) {
    members[index].isVisible = isVisible
    if isVisible {
      members[index].lacksElements = false
      return catchUp(members[index], withElements: true, into: &effects)
    }
    let given = takeFingers(ofMemberAt: index)
    obey(given, from: members[index].id, at: now, now: now, into: &effects)
  }

  /// Takes the fingers of a member that can no longer lift them itself.
  private mutating func takeFingers(ofMemberAt index: Int) -> [Input] {
    let camera = members[index].camera
    var given = members[index].recognizer.cancelAll(camera: camera)
    if members[index].isZooming {
      members[index].isZooming = false
      given.append(.pinch(.cancelled, scale: 1, Point(x: 0, y: 0)))
    }
    return given
  }

  private mutating func hear(
    _ pointers: Pointers,
    fromMemberAt index: Int,
    now: Double,
    into effects: inout Effects
  ) {
    let id = members[index].id
    var changed = false
    for sample in pointers.samples {
      // A sample older than the last input is taken as just after it: time never goes back.
      let time = min(max(now - sample.ageSeconds, lastInputTime), now)
      let inputs = members[index].recognizer.hear(
        sample.id,
        sample.phase,
        at: Point(x: sample.x, y: sample.y),
        time: time,
        isMoving: !stage.isSettled(at: time),
        camera: members[index].camera
      )
      // What a member does while another presents is heard, so that its fingers are known when
      // they lift, and has no effect.
      if mayAct(id), apply(inputs, from: id, at: time, into: &effects) { changed = true }
    }
    guard mayAct(id) else { return }
    answer(changed: changed, target: pointers.target, now: now, into: &effects)
  }

  /// Applies inputs that came with no pointer.
  private mutating func obey(
    _ inputs: [Input],
    from id: MemberID,
    at time: Double,
    now: Double,
    into effects: inout Effects
  ) {
    guard !inputs.isEmpty, mayAct(id) else { return }
    let changed = apply(inputs, from: id, at: time, into: &effects)
    answer(changed: changed, target: now, now: now, into: &effects)
  }

  /// Applies inputs and makes who changed something the presenter.
  private mutating func apply(
    _ inputs: [Input],
    from id: MemberID,
    at time: Double,
    into effects: inout Effects
  ) -> Bool {
    var changed = false
    for input in inputs where apply(input, at: time, into: &effects) { changed = true }
    if changed { presenter = id }
    return changed
  }

  /// Anybody may turn; whoever holds a gesture is the presenter until it settles.
  private func mayAct(_ id: MemberID) -> Bool { presenter == nil || presenter == id }
}
