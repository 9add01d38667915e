internal import Fabric
internal import Scene
internal import Wire

/// What members are offered to do, and what they are asked.
extension Room {
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
  func acts(by person: Person, with rights: RoleEvent.Rights) -> MemberActs {
    guard !shared.isPlayback else { return [] }
    var acts: MemberActs = []
    if rights.contains(.mayGive) { acts.insert(.offer) }
    if rights.contains(.isHost) { acts.formUnion([.lower, .remove]) }
    if rights.contains(.mayGrant) { acts.formUnion([.lead, .follow]) }
    return acts
  }

  /// Returns what a member may do about the book.
  func bookAct(of person: Person) -> RoleEvent.BookAct {
    let id = person.id
    guard roster.count > 1, !shared.isPlayback else { return .none }
    if let own = wanderers[id] { return own.catchUpLimit == nil ? .catchUp : .none }
    if leadership.presenter == id { return .none }
    if leadership.mayTake(id) {
      return person.grant == .host && leadership.presenter != nil ? .takeBack : .take
    }
    if leadership.asking.contains(id) { return .withdraw }
    return leadership.mayAsk(id) ? .ask : .none
  }

  /// Returns what a member is asked to decide, or told about the others.
  func prompt(of person: Person) -> Prompt {
    let id = person.id
    guard !shared.isPlayback else { return Prompt() }
    if leadership.offered == id { return Prompt(.offered) }
    if leadership.mayOffer(id), leadership.presenter == id || leadership.presenter == nil,
      let asker = leadership.asking.first(where: { $0 != id })
    {
      return Prompt(.asked, member: asker.rawValue)
    }
    guard let own = wanderers[id] else {
      let hosts = wanderers.choosing.filter { $0 != id && self.person($0)?.isHere == true }
      return hosts.min().map { Prompt(.choosing, member: $0.rawValue) } ?? Prompt()
    }
    if own.catchUpLimit != nil { return Prompt() }
    return Prompt(person.grant == .host && isShared ? .outside : .wandered)
  }
}
