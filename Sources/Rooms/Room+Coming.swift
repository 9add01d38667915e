internal import Fabric
internal import Scene
internal import Wire

/// Who comes, comes back and goes.
extension Room {
  /// Takes in somebody who may come in: it gets a welcome and sees what all see.
  /// - Parameters:
  ///   - id: The member.
  ///   - hello: What it said.
  ///   - address: Where it comes from, in digits.
  ///   - who: Who it is.
  ///   - grant: What the way it came in allows.
  ///   - key: What it shall come back with, if it came by a code.
  ///   - resume: What brings it back as the same member.
  ///   - digest: The digest of that.
  ///   - now: When it came, in seconds.
  ///   - effects: Takes what is to be sent.
  mutating func join(
    _ id: MemberID,
    hello: Hello,
    address: String,
    as who: Identity,
    grant: Grant,
    key: String = "",
    resume: String,
    digest: [UInt8],
    now: Double,
    into effects: inout Effects
  ) {
    clock = now
    var person = Person(
      id: id,
      reader: who.reader,
      address: address,
      pass: who.pass,
      opensLibrary: who.opensLibrary,
      name: name(for: hello.persona),
      colour: hello.persona.colour ?? rarestColour(),
      grant: grant
    )
    person.resume = digest
    people.append(person)
    leadership.come(id, grant: grant, at: now)
    // Who comes may get the book from another, who must know.
    hasNewRoles = true
    changed.insert(id)
    welcome(id, resume: resume, key: key, reader: who.freshSecret, now: now, into: &effects)
    shared.join(Member(id: id, hello: hello), now: now, into: &effects)
    tellPointers(to: id, into: &effects)
    settle(now: now, into: &effects)
  }

  /// Takes a member back whose connection was lost, over another one; `used` is the digest of what
  /// it has shown, and `digest` that of the new `resume`.
  mutating func comeBack(
    _ id: MemberID,
    hello: Hello,
    address: String,
    used: [UInt8],
    resume: String,
    digest: [UInt8],
    now: Double,
    into effects: inout Effects
  ) {
    guard let index = index(of: id) else { return }
    clock = now
    let tokens = [people[index].resume, people[index].usedResume]
    spentTokens += tokens.filter { $0 != used && !$0.isEmpty }
    people[index].resume = digest
    people[index].usedResume = used
    people[index].awayUntil = nil
    people[index].lastRole = nil
    people[index].address = address
    // What the lost connection still had on its way counts no more.
    people[index].roleNumber &+= 1
    people[index].pace = Pace()
    leadership.come(id, grant: people[index].grant, at: now)
    hasNewRoles = true
    changed.insert(id)
    welcome(id, resume: resume, key: "", now: now, into: &effects)
    let member = Member(id: id, hello: hello)
    withReading(of: id) { $0.join(member, now: now, into: &effects) }
    tellPointers(to: id, into: &effects)
    settle(now: now, into: &effects)
  }

  private mutating func welcome(
    _ id: MemberID,
    resume: String,
    key: String,
    reader: String = "",
    now: Double,
    into effects: inout Effects
  ) {
    let welcome = Welcome(
      room: name,
      memberID: id.rawValue,
      serverTime: now,
      resume: resume,
      key: key,
      reader: reader,
      pass: person(id)?.pass ?? "",
      numbering: library.numbers.numbering
    )
    effects.send(to: id) { ServerMessage.welcome(welcome).encode(into: &$0) }
    tellAll(to: id, now: now, into: &effects)
  }

  /// Makes place for one who comes, if only those are in the way who are away: the one that is away
  /// for longest is gone for good.
  /// - Returns: Whether there is place.
  mutating func makePlace(now: Double, into effects: inout Effects) -> Bool {
    guard people.count >= Self.membersMax else { return true }
    let away = people.filter { !$0.isHere }
    guard let first = away.min(by: { ($0.awayUntil ?? 0) < ($1.awayUntil ?? 0) }) else {
      return false
    }
    remove(first.id, now: now, into: &effects)
    return true
  }

  /// A member's connection is lost; it may come back for ``Person/resumeSeconds``.
  mutating func lose(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id), people[index].isHere else { return }
    clock = now
    hidePointer(of: id, now: now, into: &effects)
    withReading(of: id) { $0.leave(id, now: now, into: &effects) }
    guard !people[index].resume.isEmpty else { return remove(id, now: now, into: &effects) }
    people[index].awayUntil = now + Person.resumeSeconds
    people[index].pace.unblock()
    leadership.lose(id, at: now)
    playoutDelay.forget(id)
    hasNewRoles = true
    changed.insert(id)
    settle(now: now, into: &effects)
  }

  /// A member is gone for good.
  mutating func remove(_ id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id) else { return }
    if people[index].isHere {
      hidePointer(of: id, now: now, into: &effects)
      withReading(of: id) { $0.leave(id, now: now, into: &effects) }
    }
    keepPlacesElsewhere(of: id)
    spentTokens += [people[index].resume, people[index].usedResume].filter { !$0.isEmpty }
    people.remove(at: index)
    if let own = wanderings.removeValue(forKey: id) { effects.messages.append(.end(own.stream.id)) }
    wanderingWakes[id] = nil
    leadership.leave(id, at: now)
    playoutDelay.forget(id)
    changed.remove(id)
    gone.append(id.rawValue)
    hasNewRoles = true
    settle(now: now, into: &effects)
  }

  /// What somebody is called who says little or nothing, or what is taken.
  private func name(for persona: Persona, besides id: MemberID? = nil) -> String {
    let taken = Set(people.filter { $0.id != id }.map(\.name))
    let name = FriendlyName.cleaned(persona.name)
    guard !name.isEmpty else { return FriendlyName.fresh(besides: taken) }
    return name
  }

  private func rarestColour() -> UInt8 {
    let counts = people.reduce(into: [UInt8: Int]()) { $0[$1.colour, default: 0] += 1 }
    return (0..<Persona.colourCount).min { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0
  }

  /// Somebody wants to be known otherwise.
  mutating func rename(_ id: MemberID, to persona: Persona) {
    guard let index = index(of: id) else { return }
    people[index].name = name(for: persona, besides: id)
    if let colour = persona.colour { people[index].colour = colour }
    changed.insert(id)
  }
}
