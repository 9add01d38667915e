internal import Fabric
internal import Scene
internal import Wire

/// What the members of a room may do, to each other and about the book, and what they are asked.
struct Offers {
  private let leadership: Leadership
  private let roster: Roster
  private let wanderers: Wanderers
  private let settings: RoomSettings
  private let isPlayback, isShared, isInTransition: Bool

  /// Takes what it depends on from a room.
  init(in room: borrowing Room) {
    (leadership, roster, wanderers) = (room.leadership, room.roster, room.wanderers)
    settings = room.settings
    (isPlayback, isShared) = (room.shared.isPlayback, room.isShared)
    isInTransition = room.transition != nil
  }

  /// Returns the state of a person, as it is sent to all members.
  /// - Parameters:
  ///   - person: The person.
  ///   - isHidden: Whether the person is here and its page is hidden.
  ///   - lags: Whether the person sees frames later than the others.
  /// - Returns: The state.
  func event(of person: Person, isHidden: Bool, lags: Bool) -> PersonEvent {
    let id = person.id
    var state: PersonEvent.State = []
    if person.grant == .host { state.insert(.isHost) }
    if person.isRaised { state.insert(.isRaised) }
    if leadership.asking.contains(id) { state.insert(.asks) }
    if leadership.offered == id { state.insert(.isOffered) }
    if !person.isHere {
      state.insert(.isAway)
    } else if isHidden {
      state.insert(.isHidden)
    }
    if lags { state.insert(.lags) }
    if wanderers.choosing.contains(id) { state.insert(.isChoosing) }
    if roster.isAgain(person) { state.insert(.isAgain) }
    let role = wanderers.contains(id) ? .wanderer : leadership.role(of: id)
    var event = PersonEvent(
      id: id.rawValue,
      role: role,
      state: state,
      colour: person.colour,
      name: person.name
    )
    event.acts = acts(on: person, as: role)
    return event
  }

  /// Returns the role of a member, its rights and its offers.
  func role(of person: Person) -> RoleEvent {
    let id = person.id
    let role = wanderers.contains(id) ? .wanderer : leadership.role(of: id)
    var event = RoleEvent(number: person.role.number, role: role, rights: rights(of: person))
    event.acts = acts(by: person)
    event.bookAct = bookAct(of: person)
    event.prompt = prompt(of: person)
    return event
  }

  private func rights(of person: Person) -> RoleEvent.Rights {
    let (id, isHost) = (person.id, person.grant == .host)
    let presents = leadership.presenter == id
    var rights: RoleEvent.Rights = isHost ? [.isHost, .mayShare] : []
    if !isPlayback, !isInTransition, leadership.mayTurn(id) { rights.insert(.mayTurn) }
    if !presents, settings.mayWander || isHost { rights.insert(.mayWander) }
    if wanderers[id]?.catchUpLimit != nil { rights.insert(.catchesUp) }
    if isHost || (settings.sharesShelf && settings.mayWander) { rights.insert(.mayLeaveBook) }
    if presents, !isPlayback, settings.policy != .anyoneTurns, roster.count > 1 {
      rights.insert(.mayLayDown)
    }
    if mayPoint(person) { rights.insert(.mayPoint) }
    if maySteer(person) { rights.insert(.mayPlay) }
    return rights
  }

  /// Whether a person may point: where the host leads, followers raise a hand instead.
  func mayPoint(_ person: Person) -> Bool {
    settings.policy != .hostLeads || person.grant >= .present || leadership.presenter == person.id
  }

  /// Whether a person may control a recording that is played.
  func maySteer(_ person: Person) -> Bool {
    leadership.mayTurn(person.id) || person.grant == .host
  }

  /// Returns what may be done to a member by those who have the right to.
  private func acts(on person: Person, as role: Role) -> MemberActs {
    let id = person.id
    var acts: MemberActs = []
    if leadership.presenter != id, leadership.offered != id, person.isHere { acts.insert(.offer) }
    if person.isRaised { acts.insert(.lower) }
    guard person.grant != .host else { return acts }
    if role != .copresenter { acts.insert(.lead) }
    if role != .follower { acts.insert(.follow) }
    return acts.union(.remove)
  }

  /// Returns what a member has the right to do to others.
  private func acts(by person: Person) -> MemberActs {
    guard !isPlayback else { return [] }
    var acts: MemberActs = leadership.mayOffer(person.id) ? .offer : []
    guard person.grant == .host else { return acts }
    if settings.policy != .anyoneTurns { acts.formUnion([.lead, .follow]) }
    return acts.union([.lower, .remove])
  }

  /// Returns what a member may do about the book.
  private func bookAct(of person: Person) -> RoleEvent.BookAct {
    let id = person.id
    guard roster.count > 1, !isPlayback else { return .none }
    if let own = wanderers[id] { return own.catchUpLimit == nil ? .catchUp : .none }
    if leadership.presenter == id { return .none }
    if leadership.mayTake(id) {
      return person.grant == .host && leadership.presenter != nil ? .takeBack : .take
    }
    if leadership.asking.contains(id) { return .withdraw }
    return leadership.mayAsk(id) ? .ask : .none
  }

  /// Returns what a member is asked to decide, or told about the others.
  private func prompt(of person: Person) -> Prompt {
    let id = person.id
    guard !isPlayback else { return Prompt() }
    if leadership.offered == id { return Prompt(.offered) }
    if leadership.mayOffer(id), leadership.presenter == id || leadership.presenter == nil,
      let asker = leadership.asking.first(where: { $0 != id })
    {
      return Prompt(.asked, member: asker.rawValue)
    }
    guard let own = wanderers[id] else {
      let hosts = wanderers.choosing.filter { $0 != id && isHere($0) }
      return hosts.min().map { Prompt(.choosing, member: $0.rawValue) } ?? Prompt()
    }
    if own.catchUpLimit != nil { return Prompt() }
    return Prompt(person.grant == .host && isShared ? .outside : .wandered)
  }

  /// Returns who turns the pages; where anyone may, the presenter does only while it holds them.
  func turner(isDriven: Bool) -> RoomEvent.Turner {
    guard roster.count > 1, !isPlayback else { return .none }
    let presenter = leadership.presenter
    if settings.policy == .anyoneTurns, presenter == nil || !isDriven { return .anyone }
    guard let presenter else { return .nobody }
    if wanderers.choosing.contains(presenter) { return .choosing }
    return leadership.isPresenterAway || !isHere(presenter) ? .away : .presenter
  }

  private func isHere(_ id: MemberID) -> Bool {
    roster.index(of: id).map { roster[$0].isHere } == true
  }
}
