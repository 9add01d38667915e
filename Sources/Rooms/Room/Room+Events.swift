internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// The state of the room and of its members, as it is sent to them.
///
/// A page need not know the rules: a member's current rights are sent with its role.
extension Room {
  /// The state of the room.
  ///
  /// Mutating, so that it reads the shared session in place: it is read after each message.
  mutating func roomEvent() -> RoomEvent {
    let (isPlayback, isDriven) = readShared { ($0.isPlayback, $0.stage.isDriven) }
    var state = RoomEvent.State()
    if isShared { state.insert(.isShared) }
    if recording.isRecorded { state.insert(.isRecorded) }
    if isPlayback { state.insert(.isPlayback) }
    // A reader that is alone does not need this, and it would cost a message at each touch.
    if roster.count > 1, isDriven { state.insert(.isHeld) }
    return RoomEvent(
      settings: settings,
      state: state,
      presenter: leadership.presenter?.rawValue ?? 0,
      delay: roster.count > 1 ? timing.delay.value : 0,
      turner: Offers(in: self).turner(isDriven: isDriven)
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
    } else if wanderers[id]?.session.watchers.isHidden(id) ?? shared.watchers.isHidden(id) {
      state.insert(.isHidden)
    }
    if timing.delay.lags(id) { state.insert(.lags) }
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
    event.acts = Offers(in: self).acts(on: person, as: role)
    return event
  }

  /// Returns the role and the rights of a person, as they are sent to that person.
  func roleEvent(of person: Person) -> RoleEvent {
    var event = Offers(in: self).role(of: person)
    if mayPoint(person) { event.rights.insert(.mayPoint) }
    if maySteer(person.id) { event.rights.insert(.mayPlay) }
    return event
  }

  /// Whether a member may control a recording that is played.
  func maySteer(_ id: MemberID) -> Bool { leadership.mayTurn(id) || person(id)?.grant == .host }
}
