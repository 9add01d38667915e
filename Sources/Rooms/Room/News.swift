internal import Fabric
internal import Notices
internal import Scene

/// What members are told once about what others have done.
struct News: Sendable {
  /// The member that arrives, or whose handover is carried out; to it, the effect is no news.
  var actor: MemberID?
  /// The last member that presented, with its name.
  private var holder: (id: MemberID, name: String)?

  /// Returns who is told what about a change of the leadership.
  mutating func since(
    _ before: LeadershipSummary,
    to leadership: Leadership,
    in roster: Roster
  ) -> [(member: MemberID, news: Notice)] {
    func person(_ id: MemberID) -> Person? { roster.index(of: id).map { roster[$0] } }
    let (actor, offered) = (actor, leadership.offered)
    self.actor = nil
    guard let presenter = leadership.presenter, let name = person(presenter)?.name
    else { return [] }
    var all: [(member: MemberID, news: Notice)] = []
    if let holder, holder.id != presenter, presenter != actor, person(holder.id)?.isHere != true {
      all.append((presenter, Notice(.holderLeft, ["name": holder.name])))
    }
    holder = (presenter, name)
    for id in before.asking
    where !leadership.asking.contains(id) && id != actor && id != presenter && id != offered {
      all.append((id, Notice(.keepsBook, ["name": name])))
    }
    if let id = before.offered, id != offered, id != presenter, presenter == before.presenter,
      presenter != actor, let name = person(id)?.name
    {
      all.append((presenter, Notice(.leavesBook, ["name": name])))
    }
    return all
  }

  /// Returns the members that learn that another one raises a hand: the presenter and the hosts.
  static func raised(
    _ isRaised: Bool,
    by raising: Person,
    to leadership: Leadership,
    in roster: Roster
  ) -> [(member: MemberID, news: Notice)] {
    guard isRaised, !raising.isRaised else { return [] }
    let those = roster.people.filter {
      $0.id != raising.id && ($0.id == leadership.presenter || $0.grant == .host)
    }
    return those.map { ($0.id, Notice(.raisesHand, ["name": raising.name])) }
  }
}
