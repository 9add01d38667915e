internal import Fabric

/// The members that watch a stage, in the order in which they began to.
struct Watchers: Sendable {
  private(set) var members: [Member] = []
  private var places = MemberPlaces()
  /// The number of members that prefer reduced motion.
  private(set) var reducedCount = 0

  /// The member at an index of ``members``, whose preference is changed with
  /// ``setReducesMotion(_:at:)``.
  subscript(index: Int) -> Member {
    _read { yield members[index] }
    _modify { yield &members[index] }
  }

  /// Returns the index of a member; nil if it does not watch.
  func index(of id: MemberID) -> Int? { places[id] }

  /// Adds a member behind all others.
  mutating func add(_ member: Member) {
    places.append(member.id)
    members.append(member)
    if member.reducesMotion { reducedCount += 1 }
  }

  /// Removes a member.
  mutating func remove(at index: Int) -> Member {
    let member = members.remove(at: index)
    places.remove(member.id, before: members[index...].lazy.map(\.id))
    if member.reducesMotion { reducedCount -= 1 }
    return member
  }

  /// Sets whether a member prefers reduced motion.
  mutating func setReducesMotion(_ reducesMotion: Bool, at index: Int) {
    if members[index].reducesMotion != reducesMotion { reducedCount += reducesMotion ? 1 : -1 }
    members[index].view.reducesMotion = reducesMotion
  }
}
