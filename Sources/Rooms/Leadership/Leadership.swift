internal import Fabric
internal import Scene

/// The member that has the book, the members that ask for it, and the member that it is offered to.
///
/// At most one member presents. This value handles what happens to the members and what they do
/// about the book; it knows neither stages nor connections. A member is *present* while its
/// connection is open, *away* while it may rejoin, and *entitled* if its grant is `present` or
/// `host`. <doc:Roles> contains the complete tables for each policy; in short:
///
/// | state | the presenter is lost | grace is over, or it is gone | it rejoins |
/// | --- | --- | --- | --- |
/// | somebody presents | the book waits 10 s | the book goes to the heir | is still presenter |
/// | the presenter is away | | the book goes to the heir | presents again |
/// | nobody presents | | | the first to ask gets it, or a member that is alone |
///
/// The caller passes the time in, in seconds of the room's clock; it never decreases. Each event
/// first advances to its own time, so that a late call has the same result as a punctual one.
struct Leadership: Equatable, Sendable {
  /// How long the book waits for a presenter whose connection is lost, in seconds.
  static let graceSeconds = 10.0

  /// The rules.
  var policy: Policy
  /// The member that has the book, present or away for less than ``graceSeconds``; nil if nobody
  /// has it.
  var presenter: MemberID?
  /// The member that the book is offered to; it is present and does not have the book.
  var offered: MemberID?
  /// The members that ask for the book, in the order in which they asked; some may be away.
  var asking: [MemberID] = []

  /// Whether a presenter that is not entitled got the book from an entitled member, or while one
  /// was present.
  ///
  /// It then keeps the book when an entitled member joins. Otherwise it only has the book because
  /// no entitled member was there to lead.
  var isLent = false
  var people: [MemberID: Attendee] = [:]
  /// How many of `people` are present.
  var presentCount = 0
  private var arrivals: UInt64 = 0

  /// A member that is present or away.
  struct Attendee: Equatable, Sendable {
    var grant: Grant
    /// Smaller for a member that has been here for longer; unique.
    var arrival: UInt64
    /// When the connection was lost; nil while it is open.
    var lostAt: Double?
    /// Whether the member reads outside the shared book; it then gets the book only if it wants to.
    var isOut = false

    var isEntitled: Bool { grant >= .present }
    var isPresent: Bool { lostAt == nil }
    var attends: Bool { isPresent && !isOut }
  }

  /// Creates a leadership without members.
  init(policy: Policy) { self.policy = policy }

  /// When ``advance(to:)`` will have something to do: the end of the presenter's grace period.
  var deadline: Double? { presenter.flatMap { people[$0]?.lostAt }.map { $0 + Self.graceSeconds } }

  /// Whether the presenter's connection is lost and the book waits.
  var isPresenterAway: Bool { deadline != nil }

  /// Returns the grant of a member; nil if the member is not here.
  func grant(of id: MemberID) -> Grant? { people[id]?.grant }

  /// Returns the role of a member: presenter, co-presenter (it may take the book), or follower.
  ///
  /// Only the room knows whether a member wanders.
  func role(of id: MemberID) -> Role {
    guard id != presenter else { return .presenter }
    guard let grant = people[id]?.grant else { return .follower }
    return grant >= takingGrant ? .copresenter : .follower
  }

  /// Whether a member may move the shared book, while nobody else holds it.
  func mayTurn(_ id: MemberID) -> Bool {
    isPresent(id) && (policy == .anyoneTurns || id == presenter)
  }

  /// Whether a member may take the book without asking.
  func mayTake(_ id: MemberID) -> Bool {
    guard policy != .anyoneTurns, id != presenter, isPresent(id) else { return false }
    guard let person = people[id] else { return false }
    return person.grant >= takingGrant || (presenter == nil && person.isEntitled)
  }

  /// Whether a member may ask for the book, and withdraw its request.
  func mayAsk(_ id: MemberID) -> Bool { policy != .anyoneTurns && id != presenter && isPresent(id) }

  /// Whether a member may offer the book to others, and reject the requests of others.
  func mayOffer(_ id: MemberID) -> Bool {
    guard policy != .anyoneTurns, isPresent(id) else { return false }
    return id == presenter || people[id]?.grant == .host
  }

  /// Whether a member's connection is open.
  func isPresent(_ id: MemberID) -> Bool { people[id]?.isPresent == true }

  /// The least grant that allows a member to take the book from another member.
  private var takingGrant: Grant { policy == .passTheBook ? .host : .present }

  /// Returns a number larger than all before.
  mutating func nextArrival() -> UInt64 {
    arrivals += 1
    return arrivals
  }
}

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

/// The rules for which member gets the book.
extension Leadership {
  /// Returns the member that gets the book when nobody keeps it: the host that has been here
  /// longest, else such a co-presenter, else the member that asked first, else, where the book is
  /// passed, the member that has been here longest.
  func heir(besides leaver: MemberID? = nil) -> MemberID? {
    eldest(.host, besides: leaver) ?? eldest(.present, besides: leaver) ?? firstAsking
      ?? (policy == .passTheBook ? eldest(.follow, besides: leaver) : nil)
  }

  /// The present member that asked first; nil if there is none.
  var firstAsking: MemberID? { asking.first { isPresent($0) } }

  /// Returns the member that has been here longest of those that are present in the shared book and
  /// have at least a given grant.
  private func eldest(_ grant: Grant, besides leaver: MemberID? = nil) -> MemberID? {
    people.lazy.filter { $1.attends && $1.grant >= grant && $0 != leaver }
      .min { $0.value.arrival < $1.value.arrival }?.key
  }

  /// Gives the book to a member that is present, or to nobody, and ends the offer.
  ///
  /// The book counts as handed if its presenter or a host wanted this.
  mutating func pass(to id: MemberID?, isHanded: Bool = false) {
    guard id != presenter else { return }
    let isGiven = isHanded && holdsByRight
    presenter = id
    offered = nil
    asking.removeAll { $0 == id }
    let isGuest = id.flatMap { people[$0] }?.isEntitled == false
    isLent = isGuest && (isGiven || eldest(.present) != nil)
  }

  /// Applies the rules to a member that is new or has a new grant.
  ///
  /// Where the host leads, an entitled member gets the book if nobody has it, or if the presenter
  /// is not entitled and the book was not lent to it; a presenter that is no longer entitled gives
  /// the book to the host.
  mutating func regrade(_ id: MemberID) {
    guard let person = people[id] else { return }
    if id == presenter {
      if person.isEntitled { isLent = false }
      yieldToEntitled()
    } else if policy == .hostLeads, person.isEntitled, person.attends, !holdsByRight {
      pass(to: id)
    }
  }

  /// Where the host leads, takes the book from a presenter that is neither entitled nor was lent
  /// it, if an entitled member is present.
  mutating func yieldToEntitled() {
    guard policy == .hostLeads, presenter != nil, !holdsByRight else { return }
    if let id = eldest(.host) ?? eldest(.present) { pass(to: id) }
  }

  /// Whether the presenter is entitled, or was lent the book.
  private var holdsByRight: Bool {
    guard let presenter else { return false }
    return isLent || people[presenter]?.isEntitled == true
  }

  /// Gives the book, if nobody has it, to a member that is alone, or to the member that asked
  /// first.
  mutating func normalize() {
    guard presenter == nil, presentCount > 0 else { return }
    let attending = people.lazy.filter { $1.attends }.map(\.key).prefix(2)
    if attending.count == 1 {
      pass(to: attending.first)
    } else if presentCount == 1 {
      pass(to: people.first { $1.isPresent }?.key)
    } else if let id = firstAsking {
      pass(to: id)
    }
  }
}

extension Handover {
  /// Whether it can give the book to its sender.
  var takesBook: Bool {
    switch self {
    case .take, .accept, .ask: true
    case .withdraw, .offer, .decline, .refuse, .layDown: false
    }
  }
}
