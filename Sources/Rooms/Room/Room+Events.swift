internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The state of the room and of its members, as it is sent to them.
///
/// A page need not know the rules: a member's current rights are sent with its role.
extension Room {
  /// The state of the room.
  var roomEvent: RoomEvent {
    var state: RoomEvent.State = []
    if isShared { state.insert(.isShared) }
    if recording.isRecorded { state.insert(.isRecorded) }
    if shared.isPlayback { state.insert(.isPlayback) }
    // A reader that is alone does not need this, and it would cost a message at each touch.
    if roster.count > 1, shared.stage.isDriven { state.insert(.isHeld) }
    if leadership.isPresenterAway { state.insert(.isPresenterAway) }
    return RoomEvent(
      settings: settings,
      state: state,
      presenter: leadership.presenter?.rawValue ?? 0,
      delay: roster.count > 1 ? timing.delay.value : 0
    )
  }

  /// Returns the state of a person, as it is sent to all members.
  func personEvent(of person: Person) -> PersonEvent {
    let id = person.id
    var state: PersonEvent.State = []
    if person.grant == .host { state.insert(.isHost) }
    if person.isRaised { state.insert(.isRaised) }
    if leadership.asking.contains(id) { state.insert(.asks) }
    if leadership.offered == id { state.insert(.isOffered) }
    if !person.isHere {
      state.insert(.isAway)
    } else if wanderers[id]?.session.isHidden(id) ?? shared.isHidden(id) {
      state.insert(.isHidden)
    }
    if timing.delay.lags(id) { state.insert(.lags) }
    if wanderers.choosing.contains(id) { state.insert(.isChoosing) }
    if roster.isAgain(person) { state.insert(.isAgain) }
    let role = wanderers.contains(id) ? .wanderer : leadership.role(of: id)
    return PersonEvent(
      id: id.rawValue,
      role: role,
      state: state,
      acts: acts(on: person, as: role),
      colour: person.colour,
      name: person.name
    )
  }

  /// Returns the role and the rights of a person, as they are sent to that person.
  func roleEvent(of person: Person) -> RoleEvent {
    let id = person.id
    var rights: RoleEvent.Rights = []
    if !shared.isPlayback, passage == nil, leadership.mayTurn(id) { rights.insert(.mayTurn) }
    if person.grant == .host { rights.formUnion([.isHost, .mayShare]) }
    if leadership.mayTake(id) { rights.insert(.mayTake) }
    if leadership.mayAsk(id) { rights.insert(.mayAsk) }
    if leadership.presenter != id, settings.mayWander || person.grant == .host {
      rights.insert(.mayWander)
    }
    if leadership.offered == id { rights.insert(.isOffered) }
    if wanderers[id]?.catchUpLimit != nil { rights.insert(.catchesUp) }
    rights.formUnion(presentRights(of: person))
    let role = wanderers.contains(id) ? .wanderer : leadership.role(of: id)
    return RoleEvent(
      number: person.role.number,
      role: role,
      rights: rights,
      acts: acts(by: person, with: rights),
      bookAct: bookAct(of: person),
      prompt: prompt(of: person)
    )
  }

  /// Returns the rights that depend on the room's policy, its book and its recording.
  private func presentRights(of person: Person) -> RoleEvent.Rights {
    let id = person.id
    let isHost = person.grant == .host
    var rights: RoleEvent.Rights = []
    if mayPoint(person) { rights.insert(.mayPoint) }
    if maySteer(id) { rights.insert(.mayPlay) }
    if isHost || (settings.sharesShelf && settings.mayWander) { rights.insert(.mayLeaveBook) }
    guard !shared.isPlayback else { return rights }
    if leadership.mayOffer(id) { rights.insert(.mayGive) }
    if isHost, settings.policy != .anyoneTurns { rights.insert(.mayGrant) }
    if settings.policy != .anyoneTurns, leadership.presenter == id, roster.count > 1 {
      rights.insert(.mayLayDown)
    }
    return rights
  }

  /// Whether a member may control a recording that is played.
  func maySteer(_ id: MemberID) -> Bool {
    leadership.mayTurn(id) || person(id)?.grant == .host
  }
}
