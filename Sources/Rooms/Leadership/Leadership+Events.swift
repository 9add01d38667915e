internal import Fabric
internal import Scene

extension Leadership {
  /// A member joins, or one that was away comes back.
  ///
  /// A member that comes back within ``graceSeconds`` keeps its place among those that are here for
  /// longest; later it is the last of them.
  mutating func come(_ id: MemberID, grant: Grant, at now: Double) {
    advance(to: now)
    let known = people[id]
    let isEarly = known.map { now < ($0.lostAt ?? .infinity) + Self.graceSeconds } ?? false
    let arrival = if let known, isEarly { known.arrival } else { nextArrival() }
    people[id] = Attendee(grant: grant, arrival: arrival, isOut: known?.isOut ?? false)
    if known?.isPresent != true { presentCount += 1 }
    regrade(id)
    normalize()
  }

  /// A member's connection is lost; it may come back.
  ///
  /// What was offered to it no longer is; what it asks for it still does.
  mutating func lose(_ id: MemberID, at now: Double) {
    advance(to: now)
    guard isPresent(id) else { return }
    people[id]?.lostAt = now
    presentCount -= 1
    if offered == id { offered = nil }
    normalize()
  }

  /// A member goes for good: nobody waits for it.
  mutating func leave(_ id: MemberID, at now: Double) {
    advance(to: now)
    guard let person = people.removeValue(forKey: id) else { return }
    if person.isPresent { presentCount -= 1 }
    if offered == id { offered = nil }
    asking.removeAll { $0 == id }
    if presenter == id { pass(to: heir()) }
    normalize()
  }

  /// A member is allowed more, or less.
  ///
  /// Where the host leads, a presenter that no longer may hands the book to the longest-connected
  /// host, or else co-presenter; and who now may gets it from one that only had it for want of
  /// another.
  mutating func setGrant(_ grant: Grant, of id: MemberID, at now: Double) {
    advance(to: now)
    guard let person = people[id], person.grant != grant else { return }
    people[id]?.grant = grant
    if id == presenter || !person.isEntitled { regrade(id) }
    normalize()
  }

  /// The rules change.
  ///
  /// An offer ends, askings where they mean nothing. The presenter stays if it may present under
  /// the new rules, else it is the host; what was lent under others does not count. What nobody
  /// had goes to the heir.
  mutating func setPolicy(_ policy: Policy, at now: Double) {
    advance(to: now)
    guard policy != self.policy else { return }
    self.policy = policy
    isLent = false
    offered = nil
    if policy == .anyoneTurns { asking.removeAll() }
    yieldToEntitled()
    if presenter == nil, policy != .anyoneTurns { pass(to: heir()) }
    normalize()
  }

  /// A member touches the shared book: where anyone turns, it presents from now on, unless
  /// somebody else holds something of it.
  mutating func touch(by id: MemberID, isHeld: Bool, at now: Double) {
    advance(to: now)
    guard policy == .anyoneTurns, !isHeld, isPresent(id) else { return }
    pass(to: id)
  }

  /// A member leaves the shared book, or is back in it.
  ///
  /// A presenter outside keeps the book; where anyone turns it is nobody's then. One that comes
  /// back is as one that comes: where the host leads it gets what nobody has, or has for want of
  /// another.
  mutating func setOut(_ isOut: Bool, of id: MemberID, at now: Double) {
    advance(to: now)
    guard let person = people[id], person.isOut != isOut else { return }
    people[id]?.isOut = isOut
    if isOut, id == presenter, policy == .anyoneTurns { pass(to: nil) }
    if !isOut { regrade(id) }
    normalize()
  }

  /// A host brings all along, and leads them.
  mutating func lead(_ id: MemberID, at now: Double) {
    advance(to: now)
    if isPresent(id) { pass(to: id) }
  }

  /// Lets time pass: the book goes on when its presenter has been away for too long.
  mutating func advance(to now: Double) {
    guard let deadline, deadline <= now else { return }
    pass(to: heir())
    normalize()
  }
}
