internal import Scene
internal import Staging
internal import Wire

/// What members are told of the room: roles, settings, people.
extension Room {
  /// The least time between two lists of people, in seconds.
  static let peopleEvery = 0.25
  /// How often the presenter is told how the others keep time, in seconds.
  static let syncEvery = 1.0

  /// Draws all conclusions of what was heard or done, and tells them.
  mutating func settle(now: Double, into effects: inout Effects) {
    if hasNewRoles { applyRoles(now: now, into: &effects) }
    tellRoom(into: &effects)
    tellPlace(into: &effects)
    tellPeople(now: now, into: &effects)
    if delayWake == nil, people.count > 1, playoutDelay.deadline != nil {
      delayWake = playoutDelay.deadline
    }
    shared.serveThinned(now: now, into: &effects)
    // Those that nothing was done with owe nobody anything that they did not owe before.
    for id in movedWanderers.sorted(by: { $0.rawValue < $1.rawValue }) {
      wanderings[id]?.serveThinned(now: now, into: &effects)
      wanderingWakes[id] = wanderings[id]?.wakeTime
    }
    movedWanderers.removeAll(keepingCapacity: true)
  }

  /// Gives effect to who leads, and tells each member what it is now.
  private mutating func applyRoles(now: Double, into effects: inout Effects) {
    hasNewRoles = false
    noteChanges(since: toldLeadership)
    RoleChange(from: toldLeadership, to: leadership).map {
      tally.roleChanges[$0, default: 0] += 1
    }
    toldLeadership = leadership
    let turning: Turning =
      shared.playback != nil || passage != nil
      ? .only(nil) : settings.policy == .anyoneTurns ? .anyone : .only(leadership.presenter)
    if turning != shared.control.turning {
      if let holder = shared.holder, turning != .anyone, turning != .only(holder) {
        // What is in the air is finished by the server.
        shared.takeAway(from: holder, now: now, into: &effects)
      }
      shared.control.turning = turning
    }
    shared.delay = playoutDelay.value
    if let presenter = leadership.presenter, wanderings[presenter] != nil,
      !isOut(presenter), person(presenter)?.catchUpLimit == nil
    {
      catchUp(presenter, now: now, into: &effects)
      hasNewRoles = false
    }
    for index in people.indices where people[index].isHere {
      tellRole(at: index, into: &effects)
    }
    hideForbiddenLights(now: now, into: &effects)
    notePersonWake()
  }

  /// Remembers of whom a change of the leadership is news: also of those who are away, or to whom
  /// something was offered by one who went.
  private mutating func noteChanges(since before: Leadership) {
    if before.policy != leadership.policy { changed.formUnion(people.map(\.id)) }
    let some = [before.presenter, before.offered, leadership.presenter, leadership.offered]
    let those = some.compactMap { $0 } + before.asking + leadership.asking
    changed.formUnion(those.filter { leadership.grant(of: $0) != nil })
  }

  private mutating func tellRole(at index: Int, into effects: inout Effects) {
    let id = people[index].id
    var news = role(of: people[index])
    let last = people[index].lastRole
    // Who wanders moves no book but its own, and gets another number when it comes back: a finger
    // lifted meanwhile has to be heard.
    if let last, last.rights.contains(.mayTurn) != news.rights.contains(.mayTurn),
      wanderings[id] == nil
    {
      people[index].roleNumber &+= 1
    }
    news.number = people[index].roleNumber
    guard news != last else { return }
    if last?.role != news.role { changed.insert(id) }
    people[index].lastRole = news
    effects.send(to: id) { ServerMessage.role(news).encode(into: &$0) }
  }

  func role(of person: Person) -> RoleEvent {
    let id = person.id
    let wanders = wanderings[id] != nil
    var rights: RoleEvent.Rights = []
    if shared.playback == nil, passage == nil, leadership.mayTurn(id) { rights.insert(.mayTurn) }
    if person.grant == .host { rights.formUnion([.isHost, .mayShare]) }
    if leadership.mayTake(id) { rights.insert(.mayTake) }
    if leadership.mayAsk(id) { rights.insert(.mayAsk) }
    if leadership.presenter != id, settings.mayWander || person.grant == .host {
      rights.insert(.mayWander)
    }
    if leadership.offered == id { rights.insert(.isOffered) }
    if person.catchUpLimit != nil { rights.insert(.catchesUp) }
    rights.formUnion(presentRights(of: person))
    let role = wanders ? .wanderer : leadership.role(of: id)
    return RoleEvent(number: person.roleNumber, role: role, rights: rights)
  }

  // MARK: The room

  var roomNews: RoomEvent {
    var state: RoomEvent.State = []
    if isShared { state.insert(.isShared) }
    if isRecorded { state.insert(.isRecorded) }
    if shared.playback != nil { state.insert(.isPlayback) }
    // To a reader alone this is no news, and costs a message at each touch.
    if people.count > 1, shared.stage.isDriven { state.insert(.isHeld) }
    if leadership.isPresenterAway { state.insert(.isPresenterAway) }
    return RoomEvent(
      settings: settings,
      state: state,
      presenter: leadership.presenter?.rawValue ?? 0,
      delay: people.count > 1 ? playoutDelay.value : 0
    )
  }

  private mutating func tellRoom(into effects: inout Effects) {
    let news = roomNews
    guard news != lastNews else { return }
    lastNews = news
    tell(everybody: .room(news), into: &effects)
  }

  /// Sends a message to all that look.
  func tell(everybody message: ServerMessage, into effects: inout Effects) {
    let start = effects.bytes.count
    message.encode(into: &effects.bytes)
    let range = start..<effects.bytes.count
    for session in [shared] + wanderers.compactMap({ wanderings[$0] }) {
      for member in session.members where member.isVisible {
        effects.list.append(.send(message: range, to: member.id))
      }
    }
  }

  /// Tells a member that is here anew, or looks again, all that it may have missed.
  mutating func tellAll(to id: MemberID, now: Double, into effects: inout Effects) {
    guard let index = index(of: id) else { return }
    people[index].lastRole = nil
    tellRole(at: index, into: &effects)
    let news = roomNews
    // Who then hears of others what they are no more is told again what they are.
    for place in people.indices where changed.contains(people[place].id) {
      people[place].lastNews = nil
    }
    // Who is first hears it here, and all others as always.
    if people.count == 1 {
      (lastNews, people[index].lastNews) = (news, self.news(of: people[index]))
    }
    effects.send(to: id) { ServerMessage.room(news).encode(into: &$0) }
    tell(wholeListTo: id, into: &effects)
    if hasPlayed {
      // Also that there is none any more: who did not look has not heard it.
      let playback = playbackNews(at: now)
      effects.send(to: id) { ServerMessage.playback(playback).encode(into: &$0) }
    }
    if let lastPlace, wanderings[id] != nil {
      effects.send(to: id) { ServerMessage.place(lastPlace).encode(into: &$0) }
    }
  }

  // MARK: People

  func news(of person: Person) -> PersonEvent {
    let id = person.id
    var state: PersonEvent.State = []
    if person.grant == .host { state.insert(.isHost) }
    if person.isRaised { state.insert(.isRaised) }
    if leadership.asking.contains(id) { state.insert(.asks) }
    if leadership.offered == id { state.insert(.isOffered) }
    if !person.isHere {
      state.insert(.isAway)
    } else if session(of: id).isHidden(id) {
      state.insert(.isHidden)
    }
    if playoutDelay.lags(id) { state.insert(.lags) }
    if person.isChoosing { state.insert(.isChoosing) }
    let role = wanderings[id] == nil ? leadership.role(of: id) : .wanderer
    return PersonEvent(
      id: id.rawValue,
      role: role,
      state: state,
      colour: person.colour,
      name: person.name
    )
  }

  private func tell(wholeListTo id: MemberID, into effects: inout Effects) {
    let all = people.map { news(of: $0) }
    for start in stride(from: 0, to: max(1, all.count), by: WireLimits.peoplePerMessage) {
      let part = all[start..<min(start + WireLimits.peoplePerMessage, all.count)]
      let news = PeopleEvent(isWhole: start == 0, people: Array(part))
      effects.send(to: id) { ServerMessage.people(news).encode(into: &$0) }
    }
  }

  /// Tells of the people who came, changed or went: soon, and of many at once.
  private mutating func tellPeople(now: Double, into effects: inout Effects) {
    guard !changed.isEmpty || !gone.isEmpty else { return peopleWake = nil }
    // Not by their distance, which rounding may leave a little short of it for ever.
    let next = peopleTime + Self.peopleEvery
    guard now >= next else { return peopleWake = next }
    peopleWake = nil
    peopleTime = now
    var news: [PersonEvent] = []
    for index in people.indices where changed.contains(people[index].id) {
      let one = self.news(of: people[index])
      guard one != people[index].lastNews else { continue }
      people[index].lastNews = one
      news.append(one)
    }
    let gone = gone
    changed.removeAll(keepingCapacity: true)
    self.gone.removeAll(keepingCapacity: true)
    guard !news.isEmpty || !gone.isEmpty else { return }
    var (some, others) = (news[...], gone[...])
    while !some.isEmpty || !others.isEmpty {
      let news = PeopleEvent(
        isWhole: false,
        people: Array(some.prefix(WireLimits.peoplePerMessage)),
        gone: Array(others.prefix(WireLimits.gonePerMessage))
      )
      some = some.dropFirst(news.people.count)
      others = others.dropFirst(news.gone.count)
      tell(everybody: .people(news), into: &effects)
    }
  }
}
