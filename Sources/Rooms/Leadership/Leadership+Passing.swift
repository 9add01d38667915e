internal import Fabric
internal import Scene

/// Where the book goes.
extension Leadership {
  /// The member that gets the book when nobody keeps it: the host that is here for longest, else
  /// such a co-presenter, else the first to ask, else, where the book is passed, the member that is
  /// here for longest.
  func heir(besides leaver: MemberID? = nil) -> MemberID? {
    eldest(.host, besides: leaver) ?? eldest(.present, besides: leaver) ?? firstAsking
      ?? (policy == .passTheBook ? eldest(.follow, besides: leaver) : nil)
  }

  /// The first to ask of those present.
  var firstAsking: MemberID? { asking.first { isPresent($0) } }

  /// The member with at least a grant that is here for longest, of those present in the shared
  /// book.
  private func eldest(_ grant: Grant, besides leaver: MemberID? = nil) -> MemberID? {
    people.lazy.filter { $1.attends && $1.grant >= grant && $0 != leaver }
      .min { $0.value.arrival < $1.value.arrival }?.key
  }

  /// Gives the book to a member that is present, or to nobody; what was offered no longer is.
  ///
  /// It is handed if its presenter, or a host, wanted this.
  mutating func pass(to id: MemberID?, isHanded: Bool = false) {
    guard id != presenter else { return }
    let isGiven = isHanded && holdsByRight
    presenter = id
    offered = nil
    asking.removeAll { $0 == id }
    let isGuest = id.flatMap { people[$0] }?.isEntitled == false
    isLent = isGuest && (isGiven || eldest(.present) != nil)
  }

  /// Draws the conclusions from a member's grant, which is new, or the member is.
  ///
  /// Where the host leads, an entitled member gets the book that nobody has, and the book of a
  /// presenter that is not entitled and was not lent it; a presenter that is no longer entitled
  /// gives it to the host.
  mutating func regrade(_ id: MemberID) {
    guard let person = people[id] else { return }
    if id == presenter {
      if person.isEntitled { isLent = false }
      yieldToEntitled()
    } else if policy == .hostLeads, person.isEntitled, person.attends, !holdsByRight {
      pass(to: id)
    }
  }

  /// Where the host leads, takes the book from a presenter that neither is entitled nor was lent
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

  /// Gives the book that nobody has to a member that is alone, or to the first to ask.
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
