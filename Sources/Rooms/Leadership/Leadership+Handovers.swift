internal import Fabric
internal import Scene

extension Leadership {
  /// Handles what a member does to get the book or to hand it on.
  ///
  /// A request that is already fulfilled or no longer applies succeeds without any effect, because
  /// two members can decide at the same moment.
  /// - Returns: Whether the member may do that; if not, nothing has changed.
  mutating func handle(_ handover: Handover, from id: MemberID, at now: Double) -> Bool {
    advance(to: now)
    guard policy != .anyoneTurns, isPresent(id) else { return false }
    defer { normalize() }
    switch handover {
    case .ask: return ask(id)
    case .withdraw: return withdraw(id)
    case .offer(let other): return offer(to: MemberID(other), from: id)
    case .accept: return accept(id)
    case .decline: return decline(id)
    case .refuse(let other): return refuse(MemberID(other), from: id)
    case .take: return take(id)
    case .layDown: return layDown(id)
    }
  }

  private mutating func ask(_ id: MemberID) -> Bool {
    guard id != presenter, !asking.contains(id) else { return true }
    if presenter == nil || offered == id {
      pass(to: id, isHanded: offered == id)
    } else {
      asking.append(id)
    }
    return true
  }

  /// Withdraws a member's request; if it has none and may offer, withdraws the current offer.
  private mutating func withdraw(_ id: MemberID) -> Bool {
    if let place = asking.firstIndex(of: id) {
      asking.remove(at: place)
    } else if mayOffer(id) {
      offered = nil
    }
    return true
  }

  /// Offers the book to a member; a member that asks for it gets it at once.
  private mutating func offer(to other: MemberID, from id: MemberID) -> Bool {
    guard mayOffer(id), other != id, other != presenter, isPresent(other) else { return false }
    if asking.contains(other) {
      pass(to: other, isHanded: true)
    } else {
      offered = other
    }
    return true
  }

  private mutating func accept(_ id: MemberID) -> Bool {
    guard offered == id else { return false }
    pass(to: id, isHanded: true)
    return true
  }

  private mutating func decline(_ id: MemberID) -> Bool {
    if offered == id { offered = nil }
    return true
  }

  private mutating func refuse(_ other: MemberID, from id: MemberID) -> Bool {
    guard mayOffer(id) else { return false }
    asking.removeAll { $0 == other }
    return true
  }

  private mutating func take(_ id: MemberID) -> Bool {
    guard mayTake(id) || id == presenter else { return false }
    pass(to: id)
    return true
  }

  /// Gives the book to the member that would get it if the presenter left.
  ///
  /// Where the book is passed, the member that asked first comes before all others. A member that
  /// is alone keeps the book.
  private mutating func layDown(_ id: MemberID) -> Bool {
    guard id == presenter, presentCount > 1 else { return false }
    let first = policy == .passTheBook ? firstAsking : nil
    pass(to: first ?? heir(besides: id), isHanded: true)
    return true
  }
}
