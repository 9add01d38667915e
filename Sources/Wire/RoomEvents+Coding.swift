internal import Bytes
internal import Scene

extension RoleEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> RoleEvent {
    var coded = self
    coded.number = try c.number(number, "number")
    coded.role = try c.choice(role, "role")
    coded.rights = try c.set(rights, "rights", known: .known)
    coded.acts = try c.set(acts, "acts", known: .known)
    coded.bookAct = try c.choice(bookAct, "bookAct")
    coded.prompt.kind = try c.choice(prompt.kind, "prompt")
    coded.prompt.member = try c.number(prompt.member, "member")
    return coded
  }
}

extension RoomEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> RoomEvent {
    try RoomEvent(
      settings: c.settings(settings),
      state: c.set(state, "state", known: .known),
      presenter: c.number(presenter, "presenter"),
      delay: c.float(delay, "delay"),
      turner: c.choice(turner, "turner")
    )
  }
}

extension PeopleEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> PeopleEvent {
    let isWhole = try c.flag(isWhole, "whole")
    // Two bytes stay free for the count of members that left.
    let people = try c.list(people, "people", UInt16.self, bytesEach: 10, leaving: 2)
    let gone = try c.list(gone, "gone", UInt16.self, bytesEach: 4, blank: 0) {
      c,
      member throws(WireError) in try c.number(member, "member")
    }
    return PeopleEvent(isWhole: isWhole, people: people, gone: gone)
  }
}

extension PersonEvent: ByteCoded {
  static let blank = PersonEvent(id: 0, role: .follower, state: [], colour: 0, name: "")

  func coded(by c: inout WireCoder) throws(WireError) -> PersonEvent {
    var coded = self
    coded.id = try c.number(id, "member")
    coded.role = try c.choice(role, "role")
    coded.state = try c.set(state, "state", known: .known)
    coded.acts = try c.set(acts, "acts", known: .known)
    coded.colour = try c.number(colour, "colour")
    coded.name = try c.string(name, "name")
    return coded
  }
}

extension PointerEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> PointerEvent {
    let (member, kind) = (try c.number(member, "member"), try c.choice(kind, "kind"))
    let isOnElement = try c.flag(element != nil, "place")
    let time = try c.double(time, "time")
    let element = isOnElement ? try c.id(element ?? 0, "element") : nil
    let (x, y) = (try c.float(x, "x"), try c.float(y, "y"))
    return PointerEvent(member: member, kind: kind, time: time, element: element, x: x, y: y)
  }
}

extension PlaceEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> PlaceEvent {
    try PlaceEvent(
      book: c.string(book, "book"),
      page: c.number(page, "page"),
      title: c.string(title, "title"),
      range: c.range(range)
    )
  }
}

extension LinksEvent {
  static let blank = LinksEvent(follow: "", present: "", host: "", code: "", codeSeconds: 0)

  func coded(by c: inout WireCoder) throws(WireError) -> LinksEvent {
    try LinksEvent(
      follow: c.string(follow, "follow"),
      present: c.string(present, "present"),
      host: c.string(host, "host"),
      code: c.string(code, "code"),
      codeSeconds: c.float(codeSeconds, "codeSeconds")
    )
  }
}

extension SyncEvent: ByteCoded {
  static let blank = SyncEvent(member: 0, error: 0, roundTrip: 0)

  func coded(by c: inout WireCoder) throws(WireError) -> SyncEvent {
    try SyncEvent(
      member: c.number(member, "member"),
      error: c.float(error, "error"),
      roundTrip: c.float(roundTrip, "roundTrip")
    )
  }
}

extension PlaybackEvent {
  /// Codes the state of a recording; nil if none is played.
  static func coded(
    _ event: PlaybackEvent?,
    by c: inout WireCoder
  ) throws(WireError) -> PlaybackEvent? {
    let state = try c.number(event.map { $0.isPlaying ? 2 : 1 } ?? UInt8(0), "state")
    try c.check(state <= 2, .bytes(.unknownValue(field: "state", value: state)))
    guard state > 0 else { return nil }
    return try PlaybackEvent(
      isPlaying: state == 2,
      time: c.double(event?.time ?? 0, "time"),
      position: c.double(event?.position ?? 0, "position"),
      length: c.double(event?.length ?? 0, "length"),
      title: c.string(event?.title ?? "", "title")
    )
  }
}
