internal import Fabric

/// The positions of members in an array, so that a member is found without a search.
struct MemberPlaces: Sendable {
  private var places: [MemberID: Int] = [:]

  /// The position of a member; nil if it is not in the array.
  subscript(id: MemberID) -> Int? { places[id] }

  /// Records that a member was added at the end of the array.
  mutating func append(_ id: MemberID) { places[id] = places.count }

  /// Records that a member was removed from the array.
  ///
  /// The cost is proportional to the number of members behind it.
  /// - Parameters:
  ///   - id: The member.
  ///   - later: The members behind it, each of which has moved by one position.
  mutating func remove(_ id: MemberID, before later: some Sequence<MemberID>) {
    guard places.removeValue(forKey: id) != nil else { return }
    for other in later { places[other, default: 1] -= 1 }
  }
}
