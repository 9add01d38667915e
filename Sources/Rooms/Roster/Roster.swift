internal import Fabric
internal import Scene
internal import Wire

/// The people of a room in the order in which they came, and what the others are to be told of
/// them.
///
/// People that are away are included for as long as they may come back. Lists of people go out at
/// most every ``listSeconds``; times are seconds of the room's clock.
struct Roster: Sendable {
  /// The least time between two lists of people, in seconds.
  static let listSeconds = 0.25

  private(set) var people: [Person] = []
  /// When the next person's time is up: away, blocked or catching up.
  var deadline: Double?
  /// When the next list is due; nil if there is nothing to tell.
  private(set) var listWake: Double?
  /// The people of whom the others may have to be told.
  private var changed: Set<MemberID> = []
  /// The people that have left, and of whom the others have not been told.
  private var gone: [UInt32] = []
  private var listTime = -Double.infinity
  /// Digests of resume tokens that bring nobody back any more.
  private var spentTokens: [[UInt8]] = []

  /// A person; nil for a member that is not in the room.
  subscript(id: MemberID) -> Person? { people.first { $0.id == id } }

  /// The person at an index of ``people``.
  subscript(index: Int) -> Person {
    get { people[index] }
    _modify { yield &people[index] }
  }

  /// Where a person is in ``people``; costs as much as there are people.
  func index(of id: MemberID) -> Int? { people.firstIndex { $0.id == id } }

  /// How many there are.
  var count: Int { people.count }
}

// MARK: - Coming and going

extension Roster {
  /// Adds a person, with a name and a colour if it has said none.
  mutating func add(
    _ id: MemberID,
    as who: Identity,
    persona: Persona,
    address: String,
    grant: Grant,
    token: [UInt8]
  ) {
    people.append(
      Person(
        id: id,
        reader: who.reader,
        address: address,
        pass: who.pass,
        opensLibrary: who.opensLibrary,
        name: name(for: persona),
        colour: persona.colour ?? rarestColour(),
        grant: grant,
        resumption: Resumption(token: token)
      )
    )
    changed.insert(id)
  }

  /// Notes that a person's connection is lost.
  mutating func lose(at index: Int, now: Double) {
    people[index].resumption.lose(at: now)
    people[index].pace.unblock()
    changed.insert(people[index].id)
  }

  /// Notes that a person is back over another connection; what the lost one still had on its way
  /// comes too late.
  /// - Parameters:
  ///   - index: Where the person is.
  ///   - address: The address that it comes from now, in digits.
  ///   - used: The digest of the token that it has shown.
  ///   - token: The digest of the token that brings it back the next time.
  mutating func comeBack(
    at index: Int,
    from address: String,
    by used: [UInt8],
    next token: [UInt8]
  ) {
    people[index].address = address
    spentTokens += people[index].resumption.comeBack(by: used, next: token)
    people[index].role.forget()
    people[index].role.outdate()
    people[index].pace = Pace()
    changed.insert(people[index].id)
  }

  /// Removes a person for good.
  mutating func remove(at index: Int) {
    let person = people.remove(at: index)
    spentTokens += person.resumption.tokens
    changed.remove(person.id)
    gone.append(person.id.rawValue)
  }

  /// The person that is away for longest; nil if all are here.
  var longestAway: MemberID? {
    people.filter { !$0.isHere }
      .min { ($0.resumption.awayUntil ?? 0) < ($1.resumption.awayUntil ?? 0) }?.id
  }

  /// Notes that a person speaks: a token that brought it back is used up.
  mutating func confirm(at index: Int) {
    if let token = people[index].resumption.confirm() { spentTokens.append(token) }
  }

  /// Takes the digests of tokens that bring nobody back any more.
  mutating func takeSpentTokens() -> [[UInt8]] {
    defer { if !spentTokens.isEmpty { spentTokens = [] } }
    return spentTokens
  }
}

// MARK: - Names and hands

extension Roster {
  /// Gives a person another name, and another colour if it says one.
  mutating func rename(at index: Int, to persona: Persona) {
    people[index].name = name(for: persona, besides: people[index].id)
    if let colour = persona.colour { people[index].colour = colour }
    changed.insert(people[index].id)
  }

  /// Raises a person's hand, or lowers it.
  mutating func raise(_ isRaised: Bool, at index: Int) {
    people[index].isRaised = isRaised
    changed.insert(people[index].id)
  }

  /// The name that a person gives, or a friendly one that is not taken.
  private func name(for persona: Persona, besides id: MemberID? = nil) -> String {
    let name = FriendlyName.cleaned(persona.name)
    guard name.isEmpty else { return name }
    return FriendlyName.fresh(besides: Set(people.filter { $0.id != id }.map(\.name)))
  }

  private func rarestColour() -> UInt8 {
    let counts = people.reduce(into: [UInt8: Int]()) { $0[$1.colour, default: 0] += 1 }
    return (0..<Persona.colourCount).min { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0
  }
}

// MARK: - What the others are told

extension Roster {
  /// Notes that the others may have to be told of a person.
  mutating func noteChange(of id: MemberID) { changed.insert(id) }

  /// Notes that the others may have to be told of some.
  mutating func noteChanges(of ids: some Sequence<MemberID>) { changed.formUnion(ids) }

  /// Makes all that may have changed be told again: a member that has just been told everything
  /// then hears of them in their order.
  mutating func retellChanged() {
    for index in people.indices where changed.contains(people[index].id) {
      people[index].lastEvent = nil
    }
  }

  /// Begins the next list, if it is due.
  /// - Returns: The indices of the people that may have changed; nil if no list is due.
  mutating func beginList(at now: Double) -> [Int]? {
    guard !changed.isEmpty || !gone.isEmpty else {
      listWake = nil
      return nil
    }
    // Compared as instants, since rounding may leave their distance a little short for ever.
    let next = listTime + Self.listSeconds
    guard now >= next else {
      listWake = next
      return nil
    }
    listWake = nil
    listTime = now
    return people.indices.filter { changed.contains(people[$0].id) }
  }

  /// Ends a list that was begun.
  /// - Parameter events: What each of the people is now, by their indices.
  /// - Returns: The messages of the list, each within the limits of the wire.
  mutating func endList(_ events: [(index: Int, event: PersonEvent)]) -> [PeopleEvent] {
    var news: [PersonEvent] = []
    for (index, event) in events where event != people[index].lastEvent {
      people[index].lastEvent = event
      news.append(event)
    }
    var messages: [PeopleEvent] = []
    var (some, others) = (news[...], gone[...])
    while !some.isEmpty || !others.isEmpty {
      let message = PeopleEvent(
        isWhole: false,
        people: Array(some.prefix(WireLimits.peoplePerMessage)),
        gone: Array(others.prefix(WireLimits.gonePerMessage))
      )
      some = some.dropFirst(message.people.count)
      others = others.dropFirst(message.gone.count)
      messages.append(message)
    }
    changed.removeAll(keepingCapacity: true)
    gone.removeAll(keepingCapacity: true)
    return messages
  }
}
