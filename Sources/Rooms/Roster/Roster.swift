internal import Fabric
internal import Scene
internal import Wire

/// The people of a room in the order in which they joined, and what the others have to be sent
/// about them.
///
/// People that are away are included for as long as they may rejoin. Lists of people are sent at
/// most every ``listSeconds``; times are seconds of the room's clock.
struct Roster: Sendable {
  /// The least time between two lists of people, in seconds.
  static let listSeconds = 0.25

  private(set) var people: [Person] = []
  /// The next deadline of a person that is away, blocked or catching up.
  var deadline: Double?
  /// When the next list is due; nil if there is nothing to send.
  private(set) var listWake: Double?
  /// The people whose state may have to be sent to the others.
  private var changed: Set<MemberID> = []
  /// The people that have left, which the others have not been told.
  private var gone: [UInt32] = []
  private var listTime = -Double.infinity
  /// Digests of resume tokens that are no longer valid.
  private var spentTokens: [[UInt8]] = []

  /// The person with an id; nil for a member that is not in the room.
  subscript(id: MemberID) -> Person? { people.first { $0.id == id } }

  /// The person at an index of ``people``.
  subscript(index: Int) -> Person {
    get { people[index] }
    _modify { yield &people[index] }
  }

  /// Returns the index of a person in ``people``; the cost is proportional to the number of people.
  func index(of id: MemberID) -> Int? { people.firstIndex { $0.id == id } }

  /// The number of people.
  var count: Int { people.count }
}

// MARK: - Joining and leaving

extension Roster {
  /// Adds a person, with a generated name and colour if it has given none.
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

  /// Adds a person.
  mutating func add(_ person: Person) {
    people.append(person)
    changed.insert(person.id)
  }

  /// Records that a person's connection is lost.
  mutating func lose(at index: Int, now: Double) {
    people[index].resumption.lose(at: now)
    people[index].pace.unblock()
    changed.insert(people[index].id)
  }

  /// Records that a person has rejoined over a new connection; input that was on its way over the
  /// lost one is outdated.
  /// - Parameters:
  ///   - index: The index of the person.
  ///   - address: The address that it comes from now, in digits.
  ///   - used: The digest of the token that it has sent.
  ///   - token: The digest of the token with which it can rejoin the next time.
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

  /// The person that has been away for longest; nil if all are here.
  var longestAway: MemberID? {
    people.filter { !$0.isHere }
      .min { ($0.resumption.awayUntil ?? 0) < ($1.resumption.awayUntil ?? 0) }?.id
  }

  /// Records that a person sends something: the token with which it rejoined is no longer valid.
  mutating func confirm(at index: Int) {
    if let token = people[index].resumption.confirm() { spentTokens.append(token) }
  }

  /// Returns the digests of tokens that are no longer valid, and removes them.
  mutating func takeSpentTokens() -> [[UInt8]] {
    defer { if !spentTokens.isEmpty { spentTokens = [] } }
    return spentTokens
  }
}

// MARK: - Names and hands

extension Roster {
  /// Changes a person's name, and its colour if one is given.
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

  /// Returns the name that a person gives, or a generated one that is not taken.
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

// MARK: - Announcing changes

extension Roster {
  /// Records that a person's state may have to be sent to the others.
  mutating func noteChange(of id: MemberID) { changed.insert(id) }

  /// Records that the states of some people may have to be sent to the others.
  mutating func noteChanges(of ids: some Sequence<MemberID>) { changed.formUnion(ids) }

  /// Ensures that pending changes are sent even if they are reverted: a member that just received
  /// the current state would otherwise not receive the state after it.
  mutating func retellChanged() {
    for index in people.indices where changed.contains(people[index].id) {
      people[index].lastEvent = nil
    }
  }

  /// Begins the next list if it is due.
  /// - Returns: The indices of the people that may have changed; nil if no list is due.
  mutating func beginList(at now: Double) -> [Int]? {
    guard !changed.isEmpty || !gone.isEmpty else {
      listWake = nil
      return nil
    }
    // This compares times, because rounding could leave their difference a little short for ever.
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
  /// - Parameter events: The current state of each of the people, by their indices.
  /// - Returns: The messages of the list, each within the limits of the protocol.
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
