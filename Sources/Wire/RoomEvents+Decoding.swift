internal import Scene

extension ServerMessage {
  static func event(
    _ type: ServerType,
    from reader: inout ByteReader
  ) throws(WireError) -> ServerMessage {
    switch type {
    case .role:
      let number = try reader.uint16("number")
      let role = try reader.choice(Role.self, "role")
      let rights = try reader.set("rights", known: RoleEvent.Rights.known)
      var event = RoleEvent(number: number, role: role, rights: rights)
      event.acts = try reader.set("acts", known: MemberActs.known)
      event.bookAct = try reader.choice(RoleEvent.BookAct.self, "bookAct")
      event.prompt.kind = try reader.choice(Prompt.Kind.self, "prompt")
      event.prompt.member = try reader.uint32("member")
      return .role(event)
    case .room:
      let settings = try reader.settings()
      let state = try reader.set("state", known: RoomEvent.State.known)
      let presenter = try reader.uint32("presenter")
      let delay = Double(try reader.float("delay"))
      return .room(
        RoomEvent(settings: settings, state: state, presenter: presenter, delay: delay)
      )
    case .people: return .people(try PeopleEvent(from: &reader))
    case .pointer: return .pointer(try PointerEvent(from: &reader))
    case .place:
      let book = try reader.string("book")
      let page = try reader.uint32("page")
      let title = try reader.string("title")
      return .place(PlaceEvent(book: book, page: page, title: title, range: try reader.range()))
    case .links: return .links(try LinksEvent(from: &reader))
    case .sync:
      let count = try reader.count16("members", limit: Int(UInt16.max), bytesEach: 12)
      var members: [SyncEvent] = []
      members.reserveCapacity(count)
      for _ in 0..<count {
        let member = try reader.uint32("member")
        let error = Double(try reader.float("error"))
        let roundTrip = Double(try reader.float("roundTrip"))
        members.append(SyncEvent(member: member, error: error, roundTrip: roundTrip))
      }
      return .sync(members)
    case .goodbye: return .goodbye(comeBackAfter: Double(try reader.float("seconds")))
    default: return .playback(try reader.playbackEvent())
    }
  }
}

extension PeopleEvent {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    isWhole = try reader.flags("whole", known: 1) == 1
    (people, gone) = ([], [])
    let count = try reader.count16("people", limit: Int(UInt16.max), bytesEach: 10)
    for _ in 0..<count {
      let id = try reader.uint32("member")
      let role = try reader.choice(Role.self, "role")
      let state = try reader.set("state", known: PersonEvent.State.known)
      let acts = try reader.set("acts", known: MemberActs.known)
      let colour = try reader.uint8("colour")
      let name = try reader.string("name")
      people.append(
        PersonEvent(id: id, role: role, state: state, acts: acts, colour: colour, name: name)
      )
    }
    let goneCount = try reader.count16("gone", limit: Int(UInt16.max), bytesEach: 4)
    for _ in 0..<goneCount { gone.append(try reader.uint32("member")) }
  }
}

extension PointerEvent {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    member = try reader.uint32("member")
    kind = try reader.choice(Kind.self, "kind")
    let isOnElement = try reader.flags("place", known: 1) == 1
    time = try reader.double("time")
    element = isOnElement ? try reader.number("element") : nil
    x = Double(try reader.float("x"))
    y = Double(try reader.float("y"))
  }
}

extension LinksEvent {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    follow = try reader.string("follow")
    present = try reader.string("present")
    host = try reader.string("host")
    code = try reader.string("code")
    codeSeconds = Double(try reader.float("codeSeconds"))
  }
}

extension ByteReader {
  fileprivate mutating func playbackEvent() throws(WireError) -> PlaybackEvent? {
    let state = try uint8("state")
    guard state <= 2 else { throw .unknownValue(field: "state", value: state) }
    guard state > 0 else { return nil }
    let time = try double("time")
    let position = try double("position")
    let length = try double("length")
    let title = try string("title")
    return PlaybackEvent(
      isPlaying: state == 2,
      time: time,
      position: position,
      length: length,
      title: title
    )
  }
}
