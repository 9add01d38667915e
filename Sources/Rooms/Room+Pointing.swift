internal import Fabric
internal import Geometry
internal import Scene
internal import Staging
internal import Wire

/// Where members point, and the hand of who holds the book: seen by all who look at the same.
extension Room {
  /// Shows where a member points, on the paper; nil no longer points.
  mutating func point(
    at place: Point?,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id) else { return }
    guard let place else {
      if people[index].pointer?.kind == .laser { hidePointer(of: id, now: now, into: &effects) }
      return
    }
    guard mayPoint(people[index]), people[index].pointerBucket.take(at: now) else { return }
    let session = session(of: id)
    guard let inStage = session.stagePoint(place, of: id, at: now) else { return }
    let frame = session.frame(at: now)
    let spot = frame.spot(at: inStage) { key in
      (session.stage.size(of: key), StageSession.side(of: key))
    }
    var news = PointerEvent(member: id.rawValue, kind: .laser, time: now)
    news.element = spot.element.flatMap { session.stream.knows($0) ? $0.number : nil }
    let isOnElement = news.element != nil
    (news.x, news.y) = isOnElement ? (spot.x, spot.y) : (inStage.x, inStage.y)
    tell(news, of: id, into: &effects)
  }

  /// In a room that one leads, those who only follow raise a hand and do not point.
  func mayPoint(_ person: Person) -> Bool {
    settings.policy != .hostLeads || person.grant >= .present || leadership.presenter == person.id
  }

  /// Takes away the lights of those who may not point any more.
  mutating func hideForbiddenLights(now: Double, into effects: inout Effects) {
    for person in people where person.pointer?.kind == .laser && !mayPoint(person) {
      hidePointer(of: person.id, now: now, into: &effects)
    }
  }

  /// Shows the finger that moves the shared book.
  mutating func showHand(of id: MemberID, now: Double, into effects: inout Effects) {
    guard people.count > 1, let index = index(of: id), people[index].pointer?.kind != .laser,
      wanderings[id] == nil
    else { return }
    guard shared.holder == id, shared.stage.isDriven, let place = shared.finger(of: id),
      let inStage = shared.stagePoint(place, of: id, at: now)
    else {
      if people[index].pointer?.kind == .hand { hidePointer(of: id, now: now, into: &effects) }
      return
    }
    guard people[index].pointerBucket.take(at: now) else { return }
    let news = PointerEvent(
      member: id.rawValue,
      kind: .hand,
      time: max(now, shared.stream.time),
      x: inStage.x,
      y: inStage.y
    )
    tell(news, of: id, into: &effects)
  }

  mutating func hidePointer(of id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id), people[index].pointer != nil else { return }
    tell(PointerEvent(member: id.rawValue, kind: .gone, time: now), of: id, into: &effects)
  }

  /// Tells one who comes where others point who look at the same: a finger that holds still would
  /// not be told again.
  func tellPointers(to id: MemberID, into effects: inout Effects) {
    guard wanderings[id] == nil else { return }
    for person in people where person.id != id && wanderings[person.id] == nil {
      guard let news = person.pointer else { continue }
      effects.send(to: id) { ServerMessage.pointer(news).encode(into: &$0) }
    }
  }

  /// Tells one who goes where others do not look that it sees their fingers no more.
  func tellNoPointers(to id: MemberID, now: Double, into effects: inout Effects) {
    for person in people where person.id != id && person.pointer != nil {
      let news = PointerEvent(member: person.id.rawValue, kind: .gone, time: now)
      effects.send(to: id) { ServerMessage.pointer(news).encode(into: &$0) }
    }
  }

  private mutating func tell(
    _ news: PointerEvent,
    of id: MemberID,
    into effects: inout Effects
  ) {
    if let index = index(of: id) { people[index].pointer = news.kind == .gone ? nil : news }
    let stream = session(of: id).stream.id
    effects.messages.publish(.pointer(of: id), on: stream) {
      ServerMessage.pointer(news).encode(into: &$0)
    }
  }
}

extension StageSession {
  /// The point of the stage that a member sees at a place of its window, in CSS pixels.
  func stagePoint(_ place: Point, of id: MemberID, at time: Double) -> Point? {
    index(of: id).map { members[$0].view.stagePoint(place, at: time) }
  }

  /// Where a member's first finger is, in CSS pixels of its window.
  func finger(of id: MemberID) -> Point? { index(of: id).flatMap { members[$0].view.finger } }
}
