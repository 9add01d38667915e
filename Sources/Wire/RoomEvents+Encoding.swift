internal import Scene

extension ServerMessage {
  func encodeNews(into bytes: inout [UInt8], before limit: Int) {
    switch self {
    case .role(let news):
      bytes.beginServer(.role)
      bytes.append16(news.number)
      bytes.append(news.role.rawValue)
      bytes.appendSet(news.rights)
    case .room(let news):
      bytes.beginServer(.room)
      bytes.appendSettings(news.settings)
      bytes.appendSet(news.state)
      bytes.append32(news.presenter)
      bytes.appendFloat(news.delay)
    case .people(let news): bytes.appendPeople(news, before: limit)
    case .pointer(let news): bytes.appendPointer(news)
    case .place(let news):
      bytes.beginServer(.place)
      bytes.appendString(news.book)
      bytes.append32(news.page)
      bytes.appendString(news.title)
      bytes.appendString(news.position)
      bytes.appendString(news.label)
    case .links(let news):
      bytes.beginServer(.links)
      bytes.appendString(news.follow)
      bytes.appendString(news.present)
      bytes.appendString(news.host)
      bytes.appendString(news.code)
      bytes.appendFloat(news.codeSeconds)
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
    case .playback(let news):
      bytes.beginServer(.playback)
      guard let news else { return bytes.append(0) }
      bytes.append(news.isPlaying ? 2 : 1)
      bytes.appendDouble(news.time)
      bytes.appendDouble(news.position)
      bytes.appendDouble(news.length)
      bytes.appendString(news.title)
    default: break
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendPeople(_ news: PeopleEvent, before limit: Int) {
    beginServer(.people)
    append(news.isWhole ? 1 : 0)
    // Two bytes are left for the number of members that left.
    appendList(news.people, before: limit - 2) { bytes, person in
      bytes.append32(person.id)
      bytes.append(person.role.rawValue)
      bytes.appendSet(person.state)
      bytes.append(person.colour)
      bytes.appendString(person.name)
    }
    appendList(news.gone, before: limit) { $0.append32($1) }
  }

  fileprivate mutating func appendPointer(_ news: PointerEvent) {
    beginServer(.pointer)
    append32(news.member)
    append(news.kind.rawValue)
    append(news.element == nil ? 0 : 1)
    appendDouble(news.time)
    if let element = news.element { appendNumber(element) }
    appendFloat(news.x)
    appendFloat(news.y)
  }
}
