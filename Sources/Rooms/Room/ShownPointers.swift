internal import Fabric
internal import Motion
internal import Rates
internal import Scene
internal import Staging
internal import Wire

/// The pointers that the members of a room show each other: lights, and the hand that moves the
/// book.
struct ShownPointers: Sendable {
  /// The pointers that the others see now.
  private var shown: [MemberID: PointerEvent] = [:]
  /// Of a pointer, at most 30 places are shown in any second.
  private var buckets: [MemberID: TokenBucket] = [:]

  /// The pointer of a member; nil if none is visible.
  subscript(id: MemberID) -> PointerEvent? { shown.isEmpty ? nil : shown[id] }

  /// The members whose pointers are visible, in the order in which they joined.
  var ids: [MemberID] { shown.isEmpty ? [] : shown.keys.sorted() }

  /// Claims one of the places that may be shown of a member's pointer.
  /// - Returns: Whether there is one.
  mutating func claimMove(of id: MemberID, at now: Double) -> Bool {
    buckets[id, default: TokenBucket(rate: 28, burst: 2)].take(at: now)
  }

  /// Shows a pointer to all members that watch a stream.
  mutating func show(
    _ event: PointerEvent,
    of id: MemberID,
    on stream: StreamID,
    in turn: inout Turn
  ) {
    shown[id] = event
    publish(event, of: id, on: stream, in: &turn)
  }

  /// Hides a member's pointer from all members that watch a stream, if it is visible.
  mutating func hide(_ id: MemberID, on stream: StreamID, in turn: inout Turn) {
    guard forget(id) else { return }
    publish(.gone(id, at: turn.now), of: id, on: stream, in: &turn)
  }

  /// Forgets a member's pointer, which nobody sees.
  /// - Returns: Whether it was visible.
  @discardableResult
  mutating func forget(_ id: MemberID) -> Bool {
    !shown.isEmpty && shown.removeValue(forKey: id) != nil
  }

  /// Removes a member that has left for good.
  mutating func remove(_ id: MemberID) {
    forget(id)
    if !buckets.isEmpty { buckets[id] = nil }
  }

  /// Sends a member the pointers of others: a finger that holds still would not be sent again.
  func send(to id: MemberID, ofAll isWanted: (MemberID) -> Bool, in turn: inout Turn) {
    for other in ids where other != id && isWanted(other) {
      guard let event = shown[other] else { continue }
      turn.effects.send(to: id) { ServerMessage.pointer(event).encode(into: &$0) }
    }
  }

  /// Hides the others' pointers from a member.
  func hideAll(from id: MemberID, in turn: inout Turn) {
    for other in ids where other != id {
      let event = PointerEvent.gone(other, at: turn.now)
      turn.effects.send(to: id) { ServerMessage.pointer(event).encode(into: &$0) }
    }
  }

  private func publish(
    _ event: PointerEvent,
    of id: MemberID,
    on stream: StreamID,
    in turn: inout Turn
  ) {
    turn.effects.messages.publish(.pointer(of: id), on: stream) {
      ServerMessage.pointer(event).encode(into: &$0)
    }
  }
}

extension PointerEvent {
  /// The light of a member that points at a place of its window; nil if it does not watch.
  init?(laserOf id: MemberID, at place: Point, in session: StageSession, now: Double) {
    guard let inStage = session.watchers.stagePoint(place, of: id, at: now) else { return nil }
    let stage = session.stage
    let spot = session.frame(at: now).spot(at: inStage) {
      (stage.size(of: $0), session.selection.shown.side(of: $0))
    }
    self.init(member: id.rawValue, kind: .laser, time: now)
    element = spot.element.flatMap { session.stream.knows($0) ? $0.number : nil }
    (x, y) = element != nil ? (spot.x, spot.y) : (inStage.x, inStage.y)
  }

  /// The news that a member no longer points.
  fileprivate static func gone(_ id: MemberID, at now: Double) -> PointerEvent {
    PointerEvent(member: id.rawValue, kind: .gone, time: now)
  }
}
