import Fabric
import Scene
import Staging
import Wire

@testable import Gateway
@testable import Rooms

/// The conditions that hold in a crowd, at every step and at the end.
extension Crowd {
  /// The maximum that may wait for one member beyond the buffer of its connection: the messages to
  /// it alone within the ten seconds after which a blocked connection is closed, and within the
  /// time that closing takes.
  static let waitingBytesMax = 1 << 20
  static let waitingMessagesMax = 6000

  func room(of id: MemberID) -> Room? {
    if let name = roomOf[id] { return rooms.room(named: name) }
    for name in Self.roomNames {
      guard let room = rooms.room(named: name), room.person(id) != nil else { continue }
      roomOf[id] = name
      return room
    }
    return nil
  }

  // MARK: Frames

  func note(_ effect: Effects.Effect) throws {
    switch effect {
    case .noteOpening(_, _, let room, let time):
      if notes {
        let outline = Catalogue.varied.outline
        models[room, default: RoomModel()].recorder = CrowdRecorder(
          outline: outline,
          numbers: rooms.library.numbers,
          at: time
        )
      }
      try models[room]?.recorder?.note(effect)
    case .forgetRoom(let room): models[room]?.links = nil
    case .noteLibrary(_, let room, _), .noteInput(_, let room, _), .noteFrame(let room, _):
      guard models[room]?.recorder != nil else { throw Violation("\(room) notes for nobody") }
      try models[room]?.recorder?.note(effect)
    case .beginRecording(let room, _, _, let outline, let time):
      models[room, default: RoomModel()].recorder = CrowdRecorder(
        outline: outline,
        numbers: rooms.library.numbers,
        at: time
      )
      counts.recordings += 1
    case .endRecording(let room, let time):
      guard let recorder = models[room]?.recorder else { throw Violation("no recording to end") }
      transcripts.append(try recorder.end(at: time))
      models[room]?.recorder = nil
    default: break
    }
  }

  func noteShared() throws {
    for name in Self.roomNames {
      let noted = models[name]?.recorder?.takeFresh() ?? []
      guard let room = rooms.room(named: name) else { continue }
      if models[name] == nil { models[name] = RoomModel() }
      try models[name]?.truth.note(room.shared, noted: noted)
    }
  }

  /// Returns the sessions that frames sent to a member now may come from.
  ///
  /// There are two if the member moves from one to the other, because it may have been sent frames
  /// before and after that.
  func truths(for id: MemberID) throws -> [CrowdTruth] {
    if let known = truthsNow[id] { return known }
    guard let room = room(of: id), let model = models[room.name] else { return [] }
    let before = truthOf[id]
    var truth = model.truth
    if let own = room.wanderers[id]?.session {
      guard let known = model.own[id] else { throw Violation("\(id.rawValue) wanders secretly") }
      truth = known
      try truth.note(own)
    }
    truthOf[id] = truth
    // It may have returned in this very step, after it was sent some frames alone.
    let left = !room.wanderers.contains(id) ? models[room.name]?.own.removeValue(forKey: id) : nil
    var all = [truth]
    for other in [before, left].compactMap(\.self) where !all.contains(where: { $0 === other }) {
      all.append(other)
    }
    truthsNow[id] = all
    return all
  }

  /// Delivers a message to a page.
  func deliver(_ parcel: CrowdParcel, _ connection: CrowdConnection) throws {
    let member = connection.person
    if case .links(let links) = parcel.message {
      _ = try member.receive(parcel, now: now)
      if !links.host.isEmpty || member.links?.host.isEmpty == false {
        models[member.room]?.links = member.links
      }
      return
    }
    for frame in try member.receive(parcel, now: now) {
      counts.frames += 1
      if frame.isBent {
        counts.bent += 1
        if case .snapshot = parcel.message { counts.bentSnapshots += 1 }
      }
      guard parcel.knows(frame.number) else {
        counts.unknownFrames += 1
        continue
      }
      var fault: String?
      for truth in parcel.truths {
        fault = truth.fault(of: frame, in: member.decoder)
        if fault == nil { break }
      }
      if let fault { throw Violation("to member \(connection.member.rawValue): \(fault)") }
    }
  }

  // MARK: Permissions

  /// Delivers a message to the rooms, and checks that it does no more than it may.
  func handle(_ message: ClientMessage, role: UInt16, _ connection: CrowdConnection) throws {
    let id = connection.member
    let before = room(of: id)
    let person = before?.person(id)
    // The rooms of the crowd have names that their owners know.
    let name = connection.person.room
    NextNumber.$wantedName.withValue(name) {
      message.encoded(role: role).withUnsafeBytes {
        gateway.received($0, from: connection.id, now: now, clients: clients)
      }
      gateway.drainMessages(into: &inbox)
      for message in inbox { rooms.receive(message, in: &turn[at: now]) }
    }
    if let before, !before.wanderers.contains(id), room(of: id)?.wanderers.contains(id) == true,
      let truth = models[before.name]?.truth
    {
      counts.wanderers += 1
      let own = CrowdTruth(after: truth, upTo: before.frameNumber)
      models[before.name]?.own[id] = own
    }
    if let before, let person, person.isHere, message.isOfBook {
      try check(message, isStale: role != person.role.number, of: id, before)
    }
    if case .ack = message, room(of: id)?.person(id)?.pace.step != .full { counts.thinned += 1 }
    try carryOut()
  }

  private func check(
    _ message: ClientMessage,
    isStale: Bool,
    of id: MemberID,
    _ before: Room
  ) throws {
    guard let after = rooms.room(named: before.name) else { throw Violation("a room is gone") }
    if isStale {
      counts.stale += 1
      guard after.tally.staleInputs == before.tally.staleInputs + 1, !turn.effects.hasInputs,
        after.presenter == before.presenter, after.holder == before.holder,
        after.wanderers[id]?.session.stage == before.wanderers[id]?.session.stage
      else { throw Violation("stale \(message) of \(id.rawValue) did something") }
    }
    guard isStale || !before.lets(id) else { return }
    if before.transition != nil, after.transition == nil {
      // A transition whose book has landed ends with the next message, whichever member sends it.
      guard after.lets(id) || !after.stage.isDriven else {
        throw Violation("\(message) of \(id.rawValue) holds a book that it has not")
      }
    } else if after.stage != before.stage {
      throw Violation("\(message) of \(id.rawValue) moved a book that it has not")
    }
    if after.wanderers.contains(id), !before.wanderers.contains(id) {
      guard before.settings.mayWander || before.person(id)?.grant == .host else {
        throw Violation("\(id.rawValue) wanders where nobody may")
      }
    }
  }

  // MARK: At every step

  func checkStep(_ done: Effects) throws {
    let hasRoles = done.messages.list.contains { message in
      guard case .send(let range, _) = message else { return false }
      return done.messages.bytes[range.lowerBound] == 0x8b
    }
    guard hasRoles else { return }
    counts.passages += 1
    try checkWaiting()
    for name in Self.roomNames {
      if let room = rooms.room(named: name) { try check(room) }
    }
  }

  func check(_ room: Room) throws {
    let here = room.roster.people.filter(\.isHere)
    if let presenter = room.presenter {
      guard let person = room.person(presenter) else {
        throw Violation("\(presenter.rawValue) presents and is not in \(room.name)")
      }
      if !person.isHere {
        guard let deadline = room.leadership.deadline, deadline > now - 1e-9,
          deadline <= now + Leadership.graceSeconds
        else { throw Violation("the book of \(room.name) waits for too long") }
      }
    } else if here.count == 1 {
      throw Violation("who is alone in \(room.name) has no book")
    }
    let looking =
      room.shared.members.map(\.id) + room.wanderers.sessions.flatMap(\.members).map(\.id)
    guard Set(looking) == Set(here.map(\.id)), looking.count == here.count else {
      throw Violation("somebody in \(room.name) looks at two sessions, or at none")
    }
    for person in room.roster.people {
      try check(person, in: room)
    }
    try checkBelieved(room)
    try checkShown(room)
  }

  private func check(_ person: Person, in room: Room) throws {
    let id = person.id.rawValue
    if person.isHere {
      guard person.role.last == room.roleEvent(of: person) else {
        throw Violation(
          "\(id) is \(room.roleEvent(of: person)), and was told \(person.role.last as Any)"
        )
      }
    }
    guard room.wanderers.contains(person.id) else { return }
    if let limit = room.wanderers[person.id]?.catchUpLimit {
      guard limit > now - 1e-9, limit <= now + Room.catchUpSeconds + 1e-9 else {
        throw Violation("\(id) does not arrive")
      }
      return
    }
    guard room.settings.mayWander || person.grant == .host else {
      throw Violation("\(id) wanders on where nobody may")
    }
    guard room.presenter != person.id || room.isOut(person.id) else {
      throw Violation("\(id) presents and wanders")
    }
  }

  /// Checks that at most one page believes, with a current role, that it may turn the book; where
  /// anyone turns, all may.
  ///
  /// The input of a wanderer moves its own book, whatever the page believes.
  private func checkBelieved(_ room: Room) throws {
    guard room.settings.policy != .anyoneTurns else { return }
    for person in room.roster.people where person.isHere && !room.wanderers.contains(person.id) {
      guard let page = connections[person.id]?.person, page.me == person.id, let role = page.role,
        role.number == person.role.number, role.rights.contains(.mayTurn)
      else { continue }
      guard room.presenter == person.id else {
        throw Violation("\(person.id.rawValue) is believed, and \(room.presenter as Any) presents")
      }
    }
  }

  func checkWaiting() throws {
    for connection in clients.connections.values {
      let waiting = gateway.waiting(for: connection.member)
      guard waiting.bytes <= Self.waitingBytesMax, waiting.messages <= Self.waitingMessagesMax
      else { throw Violation("too much waits for \(connection.member.rawValue)") }
    }
  }
}

extension Effects {
  /// Whether a stage accepted an input.
  var hasInputs: Bool { list.contains { if case .noteInput = $0 { true } else { false } } }
}

extension Gateway {
  /// Returns the messages that wait for a member, without those that its connection has accepted.
  func waiting(for member: MemberID) -> (messages: Int, bytes: Int) {
    guard let slot = slotsByMember[member], let outbox = connections[slot]?.outbox else {
      return (0, 0)
    }
    return (outbox.queuedCount, outbox.queuedBytes)
  }
}

extension Room {
  /// Returns whether a member's input may move the shared book, according to the rules.
  fileprivate func lets(_ id: MemberID) -> Bool {
    guard shared.playback == nil, !wanderers.contains(id) else { return false }
    switch settings.policy {
    case .anyoneTurns: return !stage.isDriven || holder == id || holder == nil
    case .hostLeads, .passTheBook: return presenter == id
    }
  }
}

extension ClientMessage {
  /// Whether the message acts on a book, and therefore carries the role's number.
  fileprivate var isOfBook: Bool {
    switch self {
    case .pointers, .wheel, .key, .zoom, .zoomStep, .lay, .jump, .go, .arrange, .point: true
    default: false
    }
  }
}
