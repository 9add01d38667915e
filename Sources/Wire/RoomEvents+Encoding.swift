internal import Scene

extension ServerMessage {
  func encodeEvent(into bytes: inout [UInt8], before limit: Int) {
    switch self {
    case .role(let event):
      bytes.beginServer(.role)
      bytes.append16(event.number)
      bytes.append(event.role.rawValue)
      bytes.appendSet(event.rights)
      bytes.appendSet(event.acts)
      bytes.append(event.bookAct.rawValue)
      bytes.append(event.prompt.kind.rawValue)
      bytes.append32(event.prompt.member)
    case .room(let event):
      bytes.beginServer(.room)
      bytes.appendSettings(event.settings)
      bytes.appendSet(event.state)
      bytes.append32(event.presenter)
      bytes.appendFloat(event.delay)
    case .people(let event): bytes.appendPeople(event, before: limit)
    case .pointer(let event): bytes.appendPointer(event)
    case .place(let event):
      bytes.beginServer(.place)
      bytes.appendString(event.book)
      bytes.append32(event.page)
      bytes.appendString(event.title)
      bytes.appendRange(event.range)
    case .links(let event):
      bytes.beginServer(.links)
      bytes.appendString(event.follow)
      bytes.appendString(event.present)
      bytes.appendString(event.host)
      bytes.appendString(event.code)
      bytes.appendFloat(event.codeSeconds)
    case .sync(let members):
      bytes.beginServer(.sync)
      bytes.appendList(members, before: limit) { bytes, member in
        bytes.append32(member.member)
        bytes.appendFloat(member.error)
        bytes.appendFloat(member.roundTrip)
      }
    case .goodbye(let seconds):
      bytes.beginServer(.goodbye)
      bytes.appendFloat(seconds)
    case .playback(let event):
      bytes.beginServer(.playback)
      guard let event else { return bytes.append(0) }
      bytes.append(event.isPlaying ? 2 : 1)
      bytes.appendDouble(event.time)
      bytes.appendDouble(event.position)
      bytes.appendDouble(event.length)
      bytes.appendString(event.title)
    default: break
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendPeople(_ event: PeopleEvent, before limit: Int) {
    beginServer(.people)
    append(event.isWhole ? 1 : 0)
    // Two bytes stay free for the count of members that left.
    appendList(event.people, before: limit - 2) { bytes, person in
      bytes.append32(person.id)
      bytes.append(person.role.rawValue)
      bytes.appendSet(person.state)
      bytes.appendSet(person.acts)
      bytes.append(person.colour)
      bytes.appendString(person.name)
    }
    appendList(event.gone, before: limit) { $0.append32($1) }
  }

  fileprivate mutating func appendPointer(_ event: PointerEvent) {
    beginServer(.pointer)
    append32(event.member)
    append(event.kind.rawValue)
    append(event.element == nil ? 0 : 1)
    appendDouble(event.time)
    if let element = event.element { appendNumber(element) }
    appendFloat(event.x)
    appendFloat(event.y)
  }
}
