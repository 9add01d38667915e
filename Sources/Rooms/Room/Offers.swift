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

  /// Returns the role of a member, its rights without those to point and to play, and its offers.
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
    return rights
  }

  /// Returns what may be done to a member by those who have the right to.
  func acts(on person: Person, as role: Role) -> MemberActs {
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
