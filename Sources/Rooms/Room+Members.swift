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
    _ id: MemberID, hello: Hello, now: Double, into effects: inout Effects
  ) {
    let member = Member(id: id, hello: hello)
    members.append(member)
    if encoder.lastNumber == nil {
      introduceUpcoming(at: now, into: &effects)
      emit(at: now, now: now, into: &effects)
      effects.list.removeAll { if case .broadcast = $0 { true } else { false } }
    }
    let welcome = Welcome(room: name, memberID: id.rawValue, serverTime: now)
    effects.send(to: id) { ServerMessage.welcome(welcome).encode(into: &$0) }
    catchUp(member, into: &effects)
  }

  /// Lets a member go; what it held is let go too.
  public mutating func leave(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id) else { return }
    let given = takeFingers(ofMemberAt: index)
    members.remove(at: index)
    obey(given, from: id, at: now, now: now, into: &effects)
  }

  /// A member refused a message: it is left out until it takes messages again.
  public mutating func refused(_ id: MemberID) {
    guard let index = index(of: id) else { return }
    members[index].isBehind = true
  }

  /// A member takes messages again: it catches up at once.
  public mutating func becameWritable(_ id: MemberID, into effects: inout Effects) {
    guard let index = index(of: id), members[index].isBehind else { return }
    members[index].isBehind = false
    if members[index].isVisible { catchUp(members[index], into: &effects) }
  }

  /// Hears a message of a member.
  /// - Parameter now: When it came, in seconds.
  public mutating func receive(
    _ message: ClientMessage, from id: MemberID, now: Double, into effects: inout Effects
  ) {
    guard let index = index(of: id) else { return }
    switch message {
    case .hello: break
    case .pointers(let pointers): hear(pointers, fromMemberAt: index, now: now, into: &effects)
    case .wheel(let dx, let dy, _, let ctrl):
      obey([.wheel(dx: dx, dy: dy, ctrl: ctrl)], from: id, at: now, now: now, into: &effects)
    case .key(let key): obey([.key(key)], from: id, at: now, now: now, into: &effects)
    case .viewport(let viewport, let reducesMotion):
      members[index].viewport = viewport
      members[index].reducesMotion = reducesMotion
      let camera = members[index].camera.transform
      effects.send(to: id) { ServerMessage.camera(WireMatrix(camera)).encode(into: &$0) }
    case .clock(let clientTime):
      effects.send(to: id) {
        ServerMessage.clock(clientTime: clientTime, serverTime: now).encode(into: &$0)
      }
    case .zoom(let phase, let scale, let place):
      let focus = members[index].camera.stagePoint(place)
      members[index].isZooming = phase == .began || phase == .changed
      obey(
        [.pinch(phase, scale: scale, focus)], from: id, at: now, now: now, into: &effects)
    case .visibility(let isVisible):
      see(isVisible, memberAt: index, now: now, into: &effects)
    }
  }

  private mutating func see(
    _ isVisible: Bool, memberAt index: Int, now: Double, into effects: inout Effects
  ) {
    members[index].isVisible = isVisible
    if isVisible { return catchUp(members[index], into: &effects) }
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
    _ pointers: Pointers, fromMemberAt index: Int, now: Double, into effects: inout Effects
  ) {
    let id = members[index].id
    guard mayAct(id) else { return }
    var changed = false
    for sample in pointers.samples {
      // A sample older than the last input is taken as just after it: time never goes back.
      let time = min(max(now - sample.ageSeconds, lastInputTime), now)
      let inputs = members[index].recognizer.hear(
        sample.id, sample.phase, at: Point(x: sample.x, y: sample.y), time: time,
        isMoving: !stage.isSettled(at: time), camera: members[index].camera)
      for input in inputs {
        presenter = id
        if apply(input, at: time, into: &effects) { changed = true }
      }
    }
    answer(changed: changed, target: pointers.target, now: now, into: &effects)
  }

  /// Applies inputs that came with no pointer.
  private mutating func obey(
    _ inputs: [Input], from id: MemberID, at time: Double, now: Double,
    into effects: inout Effects
  ) {
    guard !inputs.isEmpty, mayAct(id) else { return }
    var changed = false
    for input in inputs {
      presenter = id
      if apply(input, at: time, into: &effects) { changed = true }
    }
    answer(changed: changed, target: now, now: now, into: &effects)
  }

  /// Anybody may turn; whoever holds a gesture is the presenter until it settles.
  private func mayAct(_ id: MemberID) -> Bool { presenter == nil || presenter == id }
}
