internal import Bytes
internal import Scene

extension RoleEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> RoleEvent {
    try RoleEvent(
      number: c.number(number, "number"),
      role: c.choice(role, "role"),
      rights: c.set(rights, "rights", known: .known)
    )
  }
}

extension RoomEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> RoomEvent {
    try RoomEvent(
      settings: c.settings(settings),
      state: c.set(state, "state", known: .known),
      presenter: c.number(presenter, "presenter"),
      delay: c.float(delay, "delay")
    )
  }
}

extension PeopleEvent {
  func coded(by c: inout WireCoder) throws(WireError) -> PeopleEvent {
    let isWhole = try c.flag(isWhole, "whole")
    // Two bytes stay free for the count of members that left.
    let people = try c.list(people, "people", UInt16.self, bytesEach: 9, leaving: 2)
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
    try PersonEvent(
      id: c.number(id, "member"),
      role: c.choice(role, "role"),
      state: c.set(state, "state", known: .known),
      colour: c.number(colour, "colour"),
      name: c.string(name, "name")
    )
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
      position: c.string(position, "position"),
      label: c.string(label, "label")
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
