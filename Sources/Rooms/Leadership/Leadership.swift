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
  var deadline: Double? {
    presenter.flatMap { people[$0]?.lostAt }.map { $0 + Self.graceSeconds }
  }

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
  func mayAsk(_ id: MemberID) -> Bool {
    policy != .anyoneTurns && id != presenter && isPresent(id)
  }

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
