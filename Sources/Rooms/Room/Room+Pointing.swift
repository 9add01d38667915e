internal import Fabric
internal import Motion
internal import Scene
internal import Staging
internal import Wire

/// Shows where members point, and the hand of the member that moves the book, to all members of the
/// same session.
extension Room {
  /// Shows where a member points, on the paper; nil if it no longer points.
  mutating func point(at place: Point?, from id: MemberID, in turn: inout Turn) {
    guard let place else {
      if announced.pointers[id]?.kind == .laser { hidePointer(of: id, in: &turn) }
      return
    }
    guard let person = person(id), Offers(in: self).mayPoint(person),
      announced.pointers.claimMove(of: id, at: turn.now),
      let event = reading(id, { PointerEvent(laserOf: id, at: place, in: $0, now: turn.now) })
    else { return }
    announced.pointers.show(event, of: id, on: stream(of: id), in: &turn)
  }

  /// Hides the lights of people that may no longer point.
  mutating func hideForbiddenPointers(in turn: inout Turn) {
    let offers = Offers(in: self)
    for id in announced.pointers.ids where announced.pointers[id]?.kind == .laser {
      guard let person = person(id), !offers.mayPoint(person) else { continue }
      hidePointer(of: id, in: &turn)
    }
  }

  /// Shows the finger that moves the shared book.
  mutating func showHand(of id: MemberID, in turn: inout Turn) {
    guard roster.count > 1, announced.pointers[id]?.kind != .laser, !wanderers.contains(id) else {
      return
    }
    guard shared.holder == id, shared.stage.isDriven,
      let place = shared.watchers.finger(of: id),
      let inStage = shared.watchers.stagePoint(place, of: id, at: turn.now)
    else { return hidePointer(of: id, in: &turn) }
    guard announced.pointers.claimMove(of: id, at: turn.now) else { return }
    let event = PointerEvent(
      member: id.rawValue,
      kind: .hand,
      time: max(turn.now, shared.stream.time),
      x: inStage.x,
      y: inStage.y
    )
    announced.pointers.show(event, of: id, on: shared.stream.id, in: &turn)
  }

  /// Hides a member's pointer from those who see it.
  mutating func hidePointer(of id: MemberID, in turn: inout Turn) {
    announced.pointers.hide(id, on: stream(of: id), in: &turn)
  }

  /// Sends a member that joins the shared session the pointers of the others.
  func tellPointers(to id: MemberID, in turn: inout Turn) {
    guard !wanderers.contains(id) else { return }
    announced.pointers.send(to: id, ofAll: { !wanderers.contains($0) }, in: &turn)
  }

  /// The stream of the session that a member sees.
  private func stream(of id: MemberID) -> StreamID {
    wanderers[id]?.session.stream.id ?? shared.stream.id
  }
}
