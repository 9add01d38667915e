internal import Fabric
internal import Scene
internal import Wire

/// What a member may do at the moment, so that its page need not know the rules.
extension Room {
  /// The rights that depend on the room's policy, its book and its recording.
  func presentRights(of person: Person) -> RoleEvent.Rights {
    let id = person.id
    let isHost = person.grant == .host
    var rights: RoleEvent.Rights = []
    if mayPoint(person) { rights.insert(.mayPoint) }
    if maySteer(id) { rights.insert(.mayPlay) }
    if isHost || (settings.sharesShelf && settings.mayWander) { rights.insert(.mayLeaveBook) }
    guard shared.playback == nil else { return rights }
    if leadership.mayOffer(id) { rights.insert(.mayGive) }
    if isHost, settings.policy != .anyoneTurns { rights.insert(.mayGrant) }
    if settings.policy != .anyoneTurns, leadership.presenter == id, people.count > 1 {
      rights.insert(.mayLayDown)
    }
    return rights
  }

  /// Whether a member may lead a recording that is played.
  func maySteer(_ id: MemberID) -> Bool {
    leadership.mayTurn(id) || person(id)?.grant == .host
  }
}
