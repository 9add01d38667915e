internal import Fabric
internal import Scene

/// The rules for which member gets the book.
extension Leadership {
  /// Returns the member that gets the book when nobody keeps it: the host that has been here
  /// longest, else such a co-presenter, else the member that asked first, else, where the book is
  /// passed, the member that has been here longest.
  func heir(besides leaver: MemberID? = nil) -> MemberID? {
    eldest(.host, besides: leaver) ?? eldest(.present, besides: leaver) ?? firstAsking
      ?? (policy == .passTheBook ? eldest(.follow, besides: leaver) : nil)
  }

  /// The present member that asked first; nil if there is none.
  var firstAsking: MemberID? { asking.first { isPresent($0) } }

  /// Returns the member that has been here longest of those that are present in the shared book and
  /// have at least a given grant.
  private func eldest(_ grant: Grant, besides leaver: MemberID? = nil) -> MemberID? {
    people.lazy.filter { $1.attends && $1.grant >= grant && $0 != leaver }
      .min { $0.value.arrival < $1.value.arrival }?.key
  }

  /// Gives the book to a member that is present, or to nobody, and ends the offer.
  ///
  /// The book counts as handed if its presenter or a host wanted this.
  mutating func pass(to id: MemberID?, isHanded: Bool = false) {
    guard id != presenter else { return }
    let isGiven = isHanded && holdsByRight
    presenter = id
    offered = nil
    asking.removeAll { $0 == id }
    let isGuest = id.flatMap { people[$0] }?.isEntitled == false
    isLent = isGuest && (isGiven || eldest(.present) != nil)
  }

  /// Applies the rules to a member that is new or has a new grant.
  ///
  /// Where the host leads, an entitled member gets the book if nobody has it, or if the presenter
  /// is not entitled and the book was not lent to it; a presenter that is no longer entitled gives
  /// the book to the host.
  mutating func regrade(_ id: MemberID) {
    guard let person = people[id] else { return }
    if id == presenter {
      if person.isEntitled { isLent = false }
      yieldToEntitled()
    } else if policy == .hostLeads, person.isEntitled, person.attends, !holdsByRight {
      pass(to: id)
    }
  }

  /// Where the host leads, takes the book from a presenter that is neither entitled nor was lent
  /// it, if an entitled member is present.
  mutating func yieldToEntitled() {
    guard policy == .hostLeads, presenter != nil, !holdsByRight else { return }
    if let id = eldest(.host) ?? eldest(.present) { pass(to: id) }
  }

  /// Whether the presenter is entitled, or was lent the book.
  private var holdsByRight: Bool {
    guard let presenter else { return false }
    return isLent || people[presenter]?.isEntitled == true
  }

  /// Gives the book, if nobody has it, to a member that is alone, or to the member that asked
  /// first.
  mutating func normalize() {
    guard presenter == nil, presentCount > 0 else { return }
    let attending = people.lazy.filter { $1.attends }.map(\.key).prefix(2)
    if attending.count == 1 {
      pass(to: attending.first)
    } else if presentCount == 1 {
      pass(to: people.first { $1.isPresent }?.key)
    } else if let id = firstAsking {
      pass(to: id)
    }
  }
}
