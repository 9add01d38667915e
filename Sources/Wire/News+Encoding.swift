internal import Scene

extension ServerMessage {
  func encodeNews(into bytes: inout [UInt8]) {
    switch self {
    case .role(let news):
      bytes.beginServer(.role)
      bytes.append16(news.number)
      bytes.append(news.role.rawValue)
      bytes.append(news.rights.rawValue)
    case .room(let news):
      bytes.beginServer(.room)
      bytes.appendSettings(news.settings)
      bytes.append(news.state.rawValue)
      bytes.append32(news.presenter)
      bytes.appendFloat(news.delay)
    case .people(let news): bytes.appendPeople(news)
    case .pointer(let news): bytes.appendPointer(news)
    case .place(let news):
      bytes.beginServer(.place)
      bytes.appendString(news.book)
      bytes.append32(news.page)
    case .links(let news):
      bytes.beginServer(.links)
      bytes.appendString(news.follow)
      bytes.appendString(news.present)
      bytes.appendString(news.host)
      bytes.appendString(news.code)
      bytes.appendFloat(news.codeSeconds)
    case .sync(let members):
      bytes.beginServer(.sync)
      bytes.append16(UInt16(clamping: members.count))
      for member in members.prefix(Int(UInt16.max)) {
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
  fileprivate mutating func appendPeople(_ news: PeopleNews) {
    beginServer(.people)
    append(news.isWhole ? 1 : 0)
    append16(UInt16(clamping: news.people.count))
    for person in news.people.prefix(Int(UInt16.max)) {
      append32(person.id)
      append(person.role.rawValue)
      append(person.state.rawValue)
      append(person.colour)
      appendString(person.name)
    }
    append16(UInt16(clamping: news.gone.count))
    for id in news.gone.prefix(Int(UInt16.max)) { append32(id) }
  }

  fileprivate mutating func appendPointer(_ news: PointerNews) {
    beginServer(.pointer)
    append32(news.member)
    append(news.kind.rawValue | (news.element == nil ? 0 : 0x80))
    appendDouble(news.time)
    if let element = news.element { append16(element) }
    appendFloat(news.x)
    appendFloat(news.y)
  }
}
