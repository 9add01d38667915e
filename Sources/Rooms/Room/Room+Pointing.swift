internal import Fabric
internal import Motion
internal import Rates
internal import Scene
internal import Staging
internal import Wire

/// Shows where members point, and the hand of the member that moves the book, to all members of the
/// same session.
extension Room {
  /// Shows where a member points, on the paper; nil if it no longer points.
  mutating func point(at place: Point?, from id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id) else { return }
    guard let place else {
      if roster[index].pointer?.kind == .laser { hidePointer(of: id, in: &turn) }
      return
    }
    guard mayPoint(roster[index]), roster[index].pointerBucket.take(at: turn.now) else { return }
    let event = reading(id) { $0.laser(at: place, of: id, now: turn.now) }
    if let event { tell(event, of: id, in: &turn) }
  }

  /// Whether a person may point: where the host leads, followers raise a hand instead.
  func mayPoint(_ person: Person) -> Bool {
    settings.policy != .hostLeads || person.grant >= .present || leadership.presenter == person.id
  }

  /// Hides the lights of people that may no longer point.
  mutating func hideForbiddenPointers(in turn: inout Turn) {
    guard !roster.pointing.isEmpty else { return }
    for id in roster.pointing.sorted() {
      guard let person = person(id), person.pointer?.kind == .laser, !mayPoint(person)
      else { continue }
      hidePointer(of: id, in: &turn)
    }
  }

  /// Shows the finger that moves the shared book.
  mutating func showHand(of id: MemberID, in turn: inout Turn) {
    guard roster.count > 1, let index = roster.index(of: id), roster[index].pointer?.kind != .laser,
      !wanderers.contains(id)
    else { return }
    guard shared.holder == id, shared.stage.isDriven, let place = shared.finger(of: id),
      let inStage = shared.stagePoint(place, of: id, at: turn.now)
    else {
      if roster[index].pointer?.kind == .hand { hidePointer(of: id, in: &turn) }
      return
    }
    guard roster[index].pointerBucket.take(at: turn.now) else { return }
    let event = PointerEvent(
      member: id.rawValue,
      kind: .hand,
      time: max(turn.now, shared.stream.time),
      x: inStage.x,
      y: inStage.y
    )
    tell(event, of: id, in: &turn)
  }

  mutating func hidePointer(of id: MemberID, in turn: inout Turn) {
    guard let index = roster.index(of: id), roster[index].pointer != nil else { return }
    tell(PointerEvent(member: id.rawValue, kind: .gone, time: turn.now), of: id, in: &turn)
  }

  /// Sends a member that joins the shared session the pointers of the others: a finger that holds
  /// still would not be sent again.
  func tellPointers(to id: MemberID, in turn: inout Turn) {
    guard !wanderers.contains(id), !roster.pointing.isEmpty else { return }
    for other in roster.pointing.sorted() where other != id && !wanderers.contains(other) {
      guard let event = person(other)?.pointer else { continue }
      turn.effects.send(to: id) { ServerMessage.pointer(event).encode(into: &$0) }
    }
  }

  /// Hides the others' pointers from a member that leaves the shared session.
  func tellNoPointers(to id: MemberID, in turn: inout Turn) {
    guard !roster.pointing.isEmpty else { return }
    for other in roster.pointing.sorted() where other != id {
      let event = PointerEvent(member: other.rawValue, kind: .gone, time: turn.now)
      turn.effects.send(to: id) { ServerMessage.pointer(event).encode(into: &$0) }
    }
  }

  private mutating func tell(_ event: PointerEvent, of id: MemberID, in turn: inout Turn) {
    if let index = roster.index(of: id) {
      roster.setPointer(event.kind == .gone ? nil : event, at: index)
    }
    let stream = wanderers[id]?.session.stream.id ?? shared.stream.id
    turn.effects.messages.publish(.pointer(of: id), on: stream) {
      ServerMessage.pointer(event).encode(into: &$0)
    }
  }
}

extension StageSession {
  /// Returns the point of the stage that a member sees at a place of its window, in CSS pixels.
  func stagePoint(_ place: Point, of id: MemberID, at time: Double) -> Point? {
    index(of: id).map { members[$0].view.stagePoint(place, at: time) }
  }

  /// Returns the light of a member that points at a place of its window; nil if it is not here.
  func laser(at place: Point, of id: MemberID, now: Double) -> PointerEvent? {
    guard let inStage = stagePoint(place, of: id, at: now) else { return nil }
    let spot = frame(at: now).spot(at: inStage) {
      (stage.size(of: $0), selection.shown.side(of: $0))
    }
    var event = PointerEvent(member: id.rawValue, kind: .laser, time: now)
    event.element = spot.element.flatMap { stream.knows($0) ? $0.number : nil }
    let isOnElement = event.element != nil
    (event.x, event.y) = isOnElement ? (spot.x, spot.y) : (inStage.x, inStage.y)
    return event
  }

  /// Returns where a member's first finger is, in CSS pixels of its window.
  func finger(of id: MemberID) -> Point? { index(of: id).flatMap { members[$0].view.finger } }
}
