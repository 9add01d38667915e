internal import Fabric
internal import Scene

extension Leadership {
  /// Adds a member that joins, or one that rejoins.
  ///
  /// A member that rejoins within ``graceSeconds`` keeps its seniority; later it becomes the member
  /// that has been here for the shortest time.
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

  /// Records that a member's connection is lost; the member may rejoin.
  ///
  /// An offer to the member ends; its request for the book stays.
  mutating func lose(_ id: MemberID, at now: Double) {
    advance(to: now)
    guard isPresent(id) else { return }
    people[id]?.lostAt = now
    presentCount -= 1
    if offered == id { offered = nil }
    normalize()
  }

  /// Removes a member for good: nobody waits for it.
  mutating func leave(_ id: MemberID, at now: Double) {
    advance(to: now)
    guard let person = people.removeValue(forKey: id) else { return }
    if person.isPresent { presentCount -= 1 }
    if offered == id { offered = nil }
    asking.removeAll { $0 == id }
    if presenter == id { pass(to: heir()) }
    normalize()
  }

  /// Changes a member's grant.
  ///
  /// Where the host leads, a presenter that is no longer entitled loses the book to the host that
  /// has been here longest, or else to such a co-presenter. A member that becomes entitled gets the
  /// book from a presenter that only had it because no entitled member was present.
  mutating func setGrant(_ grant: Grant, of id: MemberID, at now: Double) {
    advance(to: now)
    guard let person = people[id], person.grant != grant else { return }
    people[id]?.grant = grant
    if id == presenter || !person.isEntitled { regrade(id) }
    normalize()
  }

  /// Changes the rules.
  ///
  /// An offer ends; where anyone turns, requests end too. The presenter stays if it may present
  /// under the new rules; otherwise a host or co-presenter gets the book. A loan under the previous
  /// rules does not count. If nobody has the book, the heir gets it, except where anyone turns.
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

  /// Handles a touch of the shared book: where anyone turns, the member becomes presenter, unless
  /// another member holds something.
  mutating func touch(by id: MemberID, isHeld: Bool, at now: Double) {
    advance(to: now)
    guard policy == .anyoneTurns, !isHeld, isPresent(id) else { return }
    pass(to: id)
  }

  /// Records that a member leaves the shared book, or is back in it.
  ///
  /// A presenter outside keeps the book; where anyone turns, nobody has it then. A member that is
  /// back is treated like a member that joins: where the host leads, an entitled one gets the book
  /// if nobody has it, or if the presenter only has it because no entitled member was present.
  mutating func setOut(_ isOut: Bool, of id: MemberID, at now: Double) {
    advance(to: now)
    guard let person = people[id], person.isOut != isOut else { return }
    people[id]?.isOut = isOut
    if isOut, id == presenter, policy == .anyoneTurns { pass(to: nil) }
    if !isOut { regrade(id) }
    normalize()
  }

  /// Makes a host that brings everybody along the presenter.
  mutating func lead(_ id: MemberID, at now: Double) {
    advance(to: now)
    if isPresent(id) { pass(to: id) }
  }

  /// Advances the time: the heir gets the book when the presenter has been away for too long.
  mutating func advance(to now: Double) {
    guard let deadline, deadline <= now else { return }
    pass(to: heir())
    normalize()
  }
}
