internal import Bytes
internal import Notices
internal import Scene

extension ServerMessage {
  /// Decodes a message from a server.
  ///
  /// - Parameter bytes: The whole message, which may be any bytes.
  /// - Throws: The first error in it.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    self = try WireCoder.read(bytes) { c throws(WireError) in
      try ServerMessage(blank: try c.kind(ServerKind.self)).coded(by: &c)
    }
  }

  /// Decodes a message from the bytes of a server.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.withUnsafeBytes { pointer in
      Result { () throws(WireError) in try ServerMessage(decoding: pointer) }
    }.get()
  }

  /// Returns the bytes to send.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes
  }

  /// Appends the bytes to send, at most ``WireLimits/serverMessageBytes``; a list that is too long
  /// for one message is truncated.
  package func encode(into bytes: inout [UInt8]) {
    encode(into: &bytes, limit: WireLimits.serverMessageBytes)
  }

  /// Appends the bytes to send and returns what they contain.
  @discardableResult
  private func encode(into bytes: inout [UInt8], limit: Int) -> ServerMessage {
    var sent = self
    WireCoder.append(to: &bytes, limit: limit) { c throws(WireError) in
      c.bytes.append(kind.rawValue)
      sent = try coded(by: &c)
    }
    return sent
  }

  /// Returns the messages that retire elements, by number.
  static func retiring(_ ids: [UInt64]) -> [[UInt8]] {
    stride(from: 0, to: ids.count, by: WireLimits.retiredPerMessage).map { start in
      let end = min(start + WireLimits.retiredPerMessage, ids.count)
      return ServerMessage.retired(Array(ids[start..<end])).encoded()
    }
  }

  /// Returns the messages that introduce elements, each within ``WireLimits/elementsBytes`` and
  /// ``WireLimits/elementsPerMessage``.
  ///
  /// Titles and addresses come from books, so a few elements can be as long as hundreds of others.
  package static func introducing(_ elements: [WireElement]) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var rest = elements[...]
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      let message = ServerMessage.elements(Array(rest.prefix(WireLimits.elementsPerMessage)))
      // One element always fits: its three texts take a tenth of a message.
      guard case .elements(let sent) = message.encode(into: &bytes, limit: WireLimits.elementsBytes)
      else { break }
      messages.append(bytes)
      rest = rest.dropFirst(sent.count)
    }
    return messages
  }
}

extension ServerMessage {
  /// The kind of the message.
  package var kind: ServerKind {
    switch self {
    case .welcome: .welcome
    case .elements: .elements
    case .retired: .retired
    case .snapshot: .snapshot
    case .delta: .delta
    case .batch: .batch
    case .camera: .camera
    case .cameras: .cameras
    case .framing: .framing
    case .pass: .pass
    case .clock: .clock
    case .error: .error
    case .caption: .caption
    case .role: .role
    case .room: .room
    case .people: .people
    case .pointer: .pointer
    case .place: .place
    case .links: .links
    case .sync: .sync
    case .goodbye: .goodbye
    case .playback: .playback
    }
  }

  /// Creates a message of a kind, for a reader that replaces its fields.
  private init(blank kind: ServerKind) {
    self =
      switch kind {
      case .welcome: .welcome(Welcome(room: "", memberID: 0, serverTime: 0))
      case .elements: .elements([])
      case .retired: .retired([])
      case .snapshot: .snapshot(.blank)
      case .delta: .delta(.blank)
      case .batch: .batch([])
      case .camera: .camera(.identity)
      case .cameras: .cameras([])
      case .framing: .framing(FramingEvent(pages: .all, scale: 0))
      case .pass: .pass("")
      case .clock: .clock(clientTime: 0, serverTime: 0)
      case .error: .error(code: 0, Notice(.other))
      case .caption: .caption(Caption(screen: .collections))
      case .role: .role(RoleEvent(number: 0, role: .follower, rights: []))
      case .room: .room(RoomEvent(settings: RoomSettings(), state: [], presenter: 0, delay: 0))
      case .people: .people(PeopleEvent(isWhole: false, people: []))
      case .pointer: .pointer(PointerEvent(member: 0, kind: .gone, time: 0))
      case .place: .place(PlaceEvent(book: "", page: 0))
      case .links: .links(.blank)
      case .sync: .sync([])
      case .goodbye: .goodbye(comeBackAfter: 0)
      case .playback: .playback(nil)
      }
  }

  /// Codes the fields after the type, and returns the message that was read or written.
  private func coded(by c: inout WireCoder) throws(WireError) -> ServerMessage {
    switch self {
    case .welcome(let welcome): return .welcome(try welcome.coded(by: &c))
    case .elements(let elements):
      return .elements(try c.list(elements, "elements", UInt16.self, bytesEach: 30))
    case .retired(let ids):
      let limit = WireLimits.retiredPerMessage
      return .retired(try c.ids(ids, "retired", UInt16.self, limit: limit))
    case .snapshot(let update): return .snapshot(try update.coded(by: &c, isSnapshot: true))
    case .delta(let update): return .delta(try update.coded(by: &c, isSnapshot: false))
    case .batch(let updates): return .batch(try c.batch(updates))
    case .camera(let matrix): return .camera(try c.matrix(matrix))
    case .cameras(let cameras):
      return .cameras(try c.list(cameras, "cameras", UInt8.self, bytesEach: 72))
    case .framing(let framing):
      let pages = try c.choice(framing.pages, "pages")
      let scale = try c.float(framing.scale, "scale")
      return .framing(FramingEvent(pages: pages, scale: scale, range: try c.range(framing.range)))
    case .pass(let pass): return .pass(try c.string(pass, "pass"))
    case .clock(let clientTime, let serverTime):
      let clientTime = try c.double(clientTime, "clientTime")
      return .clock(clientTime: clientTime, serverTime: try c.double(serverTime, "serverTime"))
    case .error(let code, let notice):
      return .error(code: try c.number(code, "code"), try c.notice(notice))
    case .caption(let caption): return .caption(try caption.coded(by: &c))
    case .role(let event): return .role(try event.coded(by: &c))
    case .room(let event): return .room(try event.coded(by: &c))
    case .people(let event): return .people(try event.coded(by: &c))
    case .pointer(let event): return .pointer(try event.coded(by: &c))
    case .place(let event): return .place(try event.coded(by: &c))
    case .links(let event): return .links(try event.coded(by: &c))
    case .sync(let members):
      return .sync(try c.list(members, "members", UInt16.self, bytesEach: 12))
    case .goodbye(let seconds): return .goodbye(comeBackAfter: try c.float(seconds, "seconds"))
    case .playback(let event): return .playback(try PlaybackEvent.coded(event, by: &c))
    }
  }
}

extension Welcome {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Welcome {
    let version = try c.number(WireVersion.current, "version")
    try c.check(version == WireVersion.current, .wrongVersion(version))
    let room = try c.string(room, "room")
    try c.check(Hello.isRoomName(room), .badRoomName(String(room.prefix(WireLimits.roomNameBytes))))
    return try Welcome(
      room: room,
      memberID: c.number(memberID, "memberId"),
      serverTime: c.double(serverTime, "serverTime"),
      resume: c.string(resume, "resume"),
      key: c.string(key, "key"),
      reader: c.string(reader, "reader"),
      pass: c.string(pass, "pass"),
      numbering: c.number(numbering, "numbering")
    )
  }
}

extension TimedCamera: ByteCoded {
  static let blank = TimedCamera(time: 0, matrix: .identity)

  func coded(by c: inout WireCoder) throws(WireError) -> TimedCamera {
    try TimedCamera(time: c.double(time, "time"), matrix: c.matrix(matrix))
  }
}

extension WireElement: ByteCoded {
  static let blank = WireElement(
    id: 0,
    kind: .page,
    index: 0,
    side: .centre,
    stock: .paper,
    width: 0,
    height: 0,
    cornerRadius: 0,
    imageURL: "",
    title: "",
    author: "",
    count: 0
  )

  func coded(by c: inout WireCoder) throws(WireError) -> WireElement {
    try WireElement(
      id: c.id(id),
      kind: c.choice(kind, "kind"),
      index: c.number(index, "index"),
      side: c.choice(side, "side"),
      stock: c.choice(stock, "stock"),
      width: c.float(width, "width"),
      height: c.float(height, "height"),
      cornerRadius: c.float(cornerRadius, "cornerRadius"),
      imageURL: c.string(imageURL, "imageURL"),
      title: c.string(title, "title"),
      author: c.string(author, "author"),
      count: c.number(count, "count")
    )
  }
}
