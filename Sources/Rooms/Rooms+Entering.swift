internal import Scene
internal import Wire

/// Who says hello.
extension Rooms {
  /// Whether a text may be a reader's secret: what is shorter could be found by trying.
  static func isReaderSecret(_ text: String) -> Bool { text.utf8.count >= 22 }

  mutating func enter(
    _ id: MemberID,
    hello: Hello,
    now: Double,
    into effects: inout Effects
  ) {
    let address = addresses[id] ?? ""
    let admission = admission(of: hello, from: address, now: now)
    let resume = means.secret()
    let digest = means.digest(resume)
    switch admission {
    case .refused(let code):
      if code == .keyNeeded, !hello.key.isEmpty { tries.note(address, at: now) }
      if code == .keyNeeded, hello.room.isEmpty, hello.key.count == RoomCode.letterCount {
        let text = ServerMessage.error(code: code.rawValue, message: RoomCode.unknown)
        effects.send(to: id) { text.encode(into: &$0) }
      }
      strangers[id] = nil
      return close(id, code, into: &effects)
    case .back(let name, let member):
      if let old = rooms[name]?.person(member)?.resume { resumes[old] = nil }
      effects.list.append(.adopt(id, as: member))
      if rooms[name]?.person(member)?.isHere == true {
        rooms[name]?.lose(member, now: now, into: &effects)
      }
      rooms[name]?.comeBack(
        member,
        hello: hello,
        resume: resume,
        digest: digest,
        now: now,
        into: &effects
      )
      settle(id, as: member, in: name, digest: digest, now: now)
    case .alone, .into:
      var name = hello.room
      var (grant, key) = (Grant.host, "")
      if case .into(let room, let given, let secret) = admission {
        (name, grant, key) = (room, given, secret)
      }
      while name.isEmpty || (hello.room.isEmpty && key.isEmpty && rooms[name] != nil) {
        name = means.freshName()
      }
      var room = rooms[name] ?? open(name, now: now, into: &effects)
      guard room.peopleCount < Room.membersMax else {
        return close(id, .roomFull, into: &effects)
      }
      room.join(
        id,
        hello: hello,
        grant: grant,
        key: key,
        resume: resume,
        digest: digest,
        reader: Self.isReaderSecret(hello.reader) ? "" : means.secret(),
        now: now,
        into: &effects
      )
      rooms[name] = room
      settle(id, as: id, in: name, digest: digest, now: now)
    }
  }

  private mutating func settle(
    _ id: MemberID,
    as member: MemberID,
    in name: String,
    digest: [UInt8],
    now: Double
  ) {
    resumes[digest] = (name, member)
    emptySince[name] = nil
    strangers[id] = nil
    addresses[id] = nil
    names[member] = name
    noteWishes(of: name, now: now)
  }
}
