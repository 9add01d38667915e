internal import Fabric
internal import Rates
internal import Scene
internal import Wire

/// The people of a room in the order in which they joined, and what the others have to be sent
/// about them.
///
/// People that are away are included for as long as they may rejoin. Lists of people are sent at
/// most every ``listSeconds``; times are seconds of the room's clock.
struct Roster: Sendable {
  /// The least time between two lists of people, in seconds: each is a message to all of them, so
  /// that a thousand members that join within a second are announced in a few lists.
  var listSeconds: Double { max(0.25, Double(people.count) / 1000) }

  private(set) var people: [Person] = []
  private var taken = TakenPersonas()
  /// When a person that is away or blocked has to be judged.
  private(set) var deadlines = WakeTimes<MemberID>()
  /// The members that are sent the whole list with the next changes.
  private var newcomers: [MemberID] = []
  private var retellsAll = false
  private var places = MemberPlaces()
  private var windows = ReaderWindows()
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
  /// The passes of the people.
  var passes = IssuedPasses()

  /// The person with an id; nil for a member that is not in the room.
  subscript(id: MemberID) -> Person? { places[id].map { people[$0] } }

  /// The person at an index of ``people``.
  subscript(index: Int) -> Person {
    get { people[index] }
    _modify { yield &people[index] }
  }

  /// Returns the index of a person in ``people``; nil for a member that is not in the room.
  func index(of id: MemberID) -> Int? { places[id] }

  /// The number of people.
  var count: Int { people.count }
}

// MARK: - Joining and leaving

extension Roster {
  /// Adds a person, with a generated name and colour if neither it nor `persona` gives one.
  mutating func add(_ arrival: Arrival, persona: Persona? = nil, grant: Grant) {
    let given = arrival.hello.persona
    let persona = given.name.isEmpty ? persona ?? given : given
    places.append(arrival.id)
    // Another window of the same reader looks the same.
    let other = windows.all(of: arrival.reader).first.flatMap { index(of: $0) }
    let colour = other.map { people[$0].colour } ?? persona.colour
    noteWindow(arrival.id, of: arrival.reader)
    let name = taken.take(name: persona.name)
    people.append(
      Person(
        id: arrival.id,
        reader: arrival.reader,
        address: arrival.address,
        opensLibrary: arrival.opensLibrary,
        name: name,
        colour: taken.take(colour: colour, for: name, isAgain: other != nil),
        grant: grant,
        resumption: Resumption(token: arrival.token.digest)
      )
    )
  }

  /// Records until when a person may rejoin, or its connection may accept nothing.
  mutating func planDeadline(at index: Int) {
    let person = people[index]
    let next = min(person.resumption.awayUntil ?? .infinity, person.pace.deadline ?? .infinity)
    deadlines[person.id] = next.isFinite ? next : nil
  }

  /// Adds a person.
  mutating func add(_ person: Person) {
    places.append(person.id)
    noteWindow(person.id, of: person.reader)
    people.append(person)
    taken.note(person.name, person.colour)
    planDeadline(at: people.count - 1)
  }

  /// Records that a person's connection is lost.
  mutating func lose(at index: Int, now: Double) {
    people[index].resumption.lose(at: now)
    people[index].pace.unblock()
    planDeadline(at: index)
    changed.formUnion(windows.all(of: people[index].reader))
  }

  /// Records that a person has rejoined over a new connection; input that was on its way over the
  /// lost one is outdated.
  mutating func comeBack(at index: Int, _ arrival: Arrival) {
    people[index].address = arrival.address
    spentTokens += people[index].resumption
      .comeBack(by: arrival.resumed ?? [], next: arrival.token.digest)
    people[index].role.forget()
    people[index].role.outdate()
    people[index].pace = Pace()
    planDeadline(at: index)
    changed.formUnion(windows.all(of: people[index].reader))
  }

  /// Removes a person for good.
  mutating func remove(at index: Int) {
    let person = people.remove(at: index)
    passes.noteChange(of: person.id)
    places.remove(person.id, before: people[index...].lazy.map(\.id))
    windows.remove(person.id, of: person.reader)
    changed.formUnion(windows.all(of: person.reader))
    taken.release(person.name, person.colour)
    deadlines[person.id] = nil
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

// MARK: - Windows of one reader

extension Roster {
  private mutating func noteWindow(_ id: MemberID, of reader: ReaderID) {
    windows.add(id, of: reader)
    changed.formUnion(windows.all(of: reader))
  }

  /// Whether a reader has a window here whose connection is open.
  /// - Complexity: O(windows of the reader)
  func hasWindow(of reader: ReaderID) -> Bool {
    windows.all(of: reader).contains { self[$0]?.isHere == true }
  }

  /// Whether a person is a further window of a reader who is listed as another member: the first of
  /// the windows that are here, or the first one if none is.
  func isAgain(_ person: Person) -> Bool {
    let all = windows.all(of: person.reader)
    guard all.count > 1 else { return false }
    return (all.first { self[$0]?.isHere == true } ?? all[0]) != person.id
  }
}

/// The members that are windows of each reader.
private struct ReaderWindows: Sendable {
  private var all: [ReaderID: [MemberID]] = [:]

  /// The windows of a reader in the order in which they joined.
  func all(of reader: ReaderID) -> [MemberID] { all[reader] ?? [] }

  mutating func add(_ id: MemberID, of reader: ReaderID) { all[reader, default: []].append(id) }

  mutating func remove(_ id: MemberID, of reader: ReaderID) {
    all[reader]?.removeAll { $0 == id }
    if all[reader]?.isEmpty == true { all[reader] = nil }
  }
}

// MARK: - Names and hands

extension Roster {
  /// Changes a person's name, and its colour if one is given.
  mutating func rename(at index: Int, to persona: Persona) {
    let person = people[index]
    taken.release(person.name, person.colour)
    people[index].name = taken.take(name: persona.name)
    let colour = persona.colour ?? person.colour
    let isAgain = windows.all(of: person.reader).contains { id in
      id != person.id && self.index(of: id).map { people[$0].colour } == colour
    }
    people[index].colour = taken.take(colour: colour, for: people[index].name, isAgain: isAgain)
    changed.insert(people[index].id)
  }

  /// Raises a person's hand, or lowers it.
  mutating func raise(_ isRaised: Bool, at index: Int) {
    people[index].isRaised = isRaised
    changed.insert(people[index].id)
  }
}

/// How many people have each name and each colour.
private struct TakenPersonas: Sendable {
  /// What the page shows of a person where there is little space.
  private struct Mark: Hashable {
    var initial: String
    var colour: Int

    init(_ name: String, _ colour: Int) {
      initial = name.first?.uppercased() ?? ""
      self.colour = colour
    }
  }

  private var names: [String: Int] = [:]
  private var colours = [Int](repeating: 0, count: Int(Persona.colourCount))
  private var marks: [Mark: Int] = [:]
  /// A number of generated names from the first one on that are all taken.
  private var place = 0

  /// Records the name and the colour of a person.
  mutating func note(_ name: String, _ colour: UInt8) {
    names[name, default: 0] += 1
    note(colour: Int(colour), of: name)
  }

  private mutating func note(colour: Int, of name: String) {
    if colours.indices.contains(colour) { colours[colour] += 1 }
    marks[Mark(name, colour), default: 0] += 1
  }

  /// Takes the name that a person gives, or a generated one that is not taken.
  mutating func take(name: String) -> String {
    var name = FriendlyName.cleaned(name)
    if name.isEmpty {
      let names = names
      name = FriendlyName.fresh(from: &place) { names[$0] != nil }
    }
    names[name, default: 0] += 1
    return name
  }

  /// Takes the colour that a person gives, or the rarest one.
  ///
  /// If somebody else has the same initial and that colour, the person gets the rarest colour that
  /// nobody with the initial has, if there is one.
  /// - Parameters:
  ///   - colour: The colour that the person gives; nil for none.
  ///   - name: The name of the person.
  ///   - isAgain: Whether another window of the same reader has the colour.
  /// - Returns: The colour.
  mutating func take(colour: UInt8?, for name: String, isAgain: Bool) -> UInt8 {
    let free = colours.indices.filter { marks[Mark(name, $0)] == nil }
    let rarest = (free.isEmpty ? Array(colours.indices) : free).min { colours[$0] < colours[$1] }
    var taken = colour.map { Int($0) } ?? rarest ?? 0
    if !isAgain, !free.isEmpty, !free.contains(taken) { taken = rarest ?? taken }
    note(colour: taken, of: name)
    return UInt8(clamping: taken)
  }

  /// Records that a person no longer has its name and colour.
  mutating func release(_ name: String, _ colour: UInt8) {
    let left = names[name, default: 1] - 1
    names[name] = left > 0 ? left : nil
    if left <= 0 { place = 0 }
    if colours.indices.contains(Int(colour)) { colours[Int(colour)] -= 1 }
    let mark = Mark(name, Int(colour))
    let same = marks[mark, default: 1] - 1
    marks[mark] = same > 0 ? same : nil
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
  mutating func retellChanged() { retellsAll = !changed.isEmpty }

  /// Ensures that a member is sent the whole list with the next changes.
  mutating func addNewcomer(_ id: MemberID) { newcomers.append(id) }

  /// Returns the members that are to be sent the whole list, and removes them.
  mutating func takeNewcomers() -> [MemberID] {
    defer { if !newcomers.isEmpty { newcomers = [] } }
    return newcomers
  }

  /// Begins the next list if it is due.
  /// - Returns: The indices of the people that may have changed; nil if no list is due.
  mutating func beginList(at now: Double) -> [Int]? {
    guard !changed.isEmpty || !gone.isEmpty || !newcomers.isEmpty else {
      listWake = nil
      return nil
    }
    // This compares times, because rounding could leave their difference a little short for ever.
    let next = listTime + listSeconds
    guard now >= next else {
      listWake = next
      return nil
    }
    listWake = nil
    listTime = now
    return changed.compactMap { places[$0] }.sorted()
  }

  /// Ends a list that was begun.
  /// - Parameter events: The current state of each of the people, by their indices.
  /// - Returns: The messages of the list, each within the limits of the protocol.
  mutating func endList(_ events: [(index: Int, event: PersonEvent)]) -> [PeopleEvent] {
    var news: [PersonEvent] = []
    for (index, event) in events where retellsAll || event != people[index].lastEvent {
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
    retellsAll = false
    // A list of hundreds is rare, and its memory would stay with each room.
    changed.removeAll(keepingCapacity: changed.count < 8)
    gone.removeAll(keepingCapacity: gone.count < 8)
    return messages
  }
}
