internal import Fabric
internal import Scene

/// The member that has the book, those that ask for it, and the one that gets it next.
///
/// Exactly one member presents or nobody does. This value hears what happens to the members and
/// what they do about the book, and draws the conclusions; it knows neither stages nor wires.
/// *Present* is a member whose connection stands, *away* one that may come back, *entitled* one
/// whose grant is `present` or `host`. The table is in full, policy by policy, in
/// <doc:Roles>:
///
/// | state | the presenter is lost | grace is over, or it goes for good | it returns |
/// | --- | --- | --- | --- |
/// | somebody presents | waits for it 10 s | the book goes to the heir | is presenter still |
/// | the presenter is away | | the book goes to the heir | presents again |
/// | nobody presents | | | the first to ask gets it, or a member that is alone |
///
/// Time is handed in, never goes back, and is in seconds of the room's clock. Each event first
/// lets the time come that it names, so that a late call has the same result as a punctual one.
struct Leadership: Equatable, Sendable {
  /// How long the book waits for a presenter whose connection is lost, in seconds.
  static let graceSeconds = 10.0

  /// The rules.
  var policy: Policy
  /// The member that has the book, present or away for less than ``graceSeconds``; nil: nobody.
  var presenter: MemberID?
  /// The member that the book is offered to: one that is present and does not have it.
  var offered: MemberID?
  /// The members that ask for the book, in the order of asking; some may be away.
  var asking: [MemberID] = []

  /// Whether a presenter that is not entitled got the book from one that was, or in front of one.
  ///
  /// It then keeps the book when an entitled member joins. Otherwise it only has the book because
  /// nobody else is there to lead.
  var isLent = false
  var people: [MemberID: Attendee] = [:]
  /// How many of `people` are present.
  var presentCount = 0
  private var arrivals: UInt64 = 0

  /// Someone present or away.
  struct Attendee: Equatable, Sendable {
    var grant: Grant
    /// Smaller for a member that has been here for longer; no two are the same.
    var arrival: UInt64
    /// When the connection was lost; nil while it stands.
    var lostAt: Double?
    /// Reads outside the shared book, and gets it only if it wants to.
    var isOut = false

    var isEntitled: Bool { grant >= .present }
    var isPresent: Bool { lostAt == nil }
    var attends: Bool { isPresent && !isOut }
  }

  /// Begins with nobody.
  init(policy: Policy) { self.policy = policy }

  /// When ``advance(to:)`` will have something to do: the end of the presenter's grace.
  var deadline: Double? {
    presenter.flatMap { people[$0]?.lostAt }.map { $0 + Self.graceSeconds }
  }

  /// The presenter's connection is lost, and the book waits.
  var isPresenterAway: Bool { deadline != nil }

  /// What a member's way in allows; nil for one that is not here.
  func grant(of id: MemberID) -> Grant? { people[id]?.grant }

  /// What a member is: the presenter, one that may take the book from it, or one that follows.
  ///
  /// Whether a member wanders is known to the room alone.
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

  /// Whether a member may ask for the book, and take its asking back.
  func mayAsk(_ id: MemberID) -> Bool {
    policy != .anyoneTurns && id != presenter && isPresent(id)
  }

  /// Whether a member may offer the book to others, and refuse it to those who ask.
  func mayOffer(_ id: MemberID) -> Bool {
    guard policy != .anyoneTurns, isPresent(id) else { return false }
    return id == presenter || people[id]?.grant == .host
  }

  /// Whether a member's connection stands.
  func isPresent(_ id: MemberID) -> Bool { people[id]?.isPresent == true }

  /// The least grant that takes the book from another member.
  private var takingGrant: Grant { policy == .passTheBook ? .host : .present }

  /// A number larger than all before.
  mutating func nextArrival() -> UInt64 {
    arrivals += 1
    return arrivals
  }
}
