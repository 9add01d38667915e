internal import Fabric
internal import Scene

/// Where the book goes.
extension Leadership {
  /// Who gets the book that nobody keeps: the host that is here for longest, else such a
  /// co-presenter, else who asked first, else, where the book is passed, who is here for longest.
  func heir(besides leaver: MemberID? = nil) -> MemberID? {
    eldest(.host, besides: leaver) ?? eldest(.present, besides: leaver) ?? firstAsking
      ?? (policy == .passTheBook ? eldest(.follow, besides: leaver) : nil)
  }

  /// Who asked first of those present.
  var firstAsking: MemberID? { asking.first { isPresent($0) } }

  /// Who is here for longest of those present, and in the shared book, with at least a grant.
  private func eldest(_ grant: Grant, besides leaver: MemberID? = nil) -> MemberID? {
    people.lazy.filter { $1.attends && $1.grant >= grant && $0 != leaver }
      .min { $0.value.arrival < $1.value.arrival }?.key
  }

  /// Gives the book to somebody present, or to nobody; what was offered no longer is.
  ///
  /// It is handed if who had it, or a host, wanted this.
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
  /// Where the host leads, whoever is entitled gets the book from nobody and from one that is not
  /// entitled and to whom nobody lent it; and a presenter that no longer is entitled gives it to
  /// the host.
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
  /// it, if somebody entitled is present.
  mutating func yieldToEntitled() {
    guard policy == .hostLeads, presenter != nil, !holdsByRight else { return }
    if let id = eldest(.host) ?? eldest(.present) { pass(to: id) }
  }

  /// Somebody presents who is entitled, or whom the book was lent.
  private var holdsByRight: Bool {
    guard let presenter else { return false }
    return isLent || people[presenter]?.isEntitled == true
  }

  /// Nobody is alone without the book, and nobody asks for a book that nobody has.
  mutating func settle() {
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
