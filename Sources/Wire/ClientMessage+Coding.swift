internal import Bytes
internal import Motion
internal import Scene

extension ClientPacket {
  /// Decodes a message from a client.
  ///
  /// - Parameter bytes: The whole message, which may be any bytes.
  /// - Throws: The first error in it.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    guard bytes.count <= WireLimits.clientMessageBytes else {
      throw .bytes(.tooLong(bytes: bytes.count, limit: WireLimits.clientMessageBytes))
    }
    self = try WireCoder.read(bytes) { c throws(WireError) in
      let kind = try c.kind(ClientKind.self)
      let role = kind.sender == .actor ? try c.number(UInt16(0), "role") : 0
      return ClientPacket(try ClientMessage(blank: kind).coded(by: &c), role: role)
    }
  }

  /// Decodes a message from the bytes of a client.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.withUnsafeBytes { pointer in
      Result { () throws(WireError) in try ClientPacket(decoding: pointer) }
    }.get()
  }

  /// Returns the bytes to send.
  ///
  /// Numbers outside their range are sent unchanged; the receiver rejects them.
  package func encoded() -> [UInt8] { message.encoded(role: role) }
}

extension ClientMessage {
  /// Returns the bytes to send, with the number of the sender's role.
  package func encoded(role: UInt16 = 0) -> [UInt8] {
    var bytes = [kind.rawValue]
    if kind.sender == .actor { bytes.append16(role) }
    WireCoder.append(to: &bytes) { c throws(WireError) in _ = try coded(by: &c) }
    return bytes
  }

  /// The kind of the message.
  package var kind: ClientKind {
    switch self {
    case .hello: .hello
    case .pointers: .pointers
    case .wheel: .wheel
    case .key: .key
    case .viewport: .viewport
    case .clock: .clock
    case .zoom: .zoom
    case .visibility: .visibility
    case .ready: .ready
    case .jump: .jump
    case .go: .go
    case .arrange: .arrange
    case .lay: .lay
    case .zoomStep: .zoomStep
    case .persona: .persona
    case .ack: .ack
    case .point: .point
    case .raise: .raise
    case .wander: .wander
    case .handover: .handover
    case .share: .share
    case .settings: .settings
    case .renewLinks: .renewLinks
    case .endReading: .endReading
    case .showOut: .showOut
    case .grant: .grant
    case .record: .record
    case .open: .open
    case .play: .play
    case .bring: .bring
    case .lowerHand: .lowerHand
    case .fit: .fit
    }
  }

  /// Creates a message of a kind, for a reader that replaces its fields.
  fileprivate init(blank kind: ClientKind) {
    let point = Point(x: 0, y: 0)
    let viewport = Viewport(size: Size(width: 1, height: 1))
    self =
      switch kind {
      case .hello: .hello(Hello(viewport: viewport))
      case .pointers: .pointers(Pointers(target: 0))
      case .wheel: .wheel(dx: 0, dy: 0, at: point, ctrl: false)
      case .key: .key(.escape)
      case .viewport: .viewport(viewport, reducesMotion: false)
      case .clock: .clock(clientTime: 0)
      case .zoom: .zoom(.began, scale: 1, at: point)
      case .visibility: .visibility(isVisible: false)
      case .ready: .ready([])
      case .jump: .jump(page: 0)
      case .go: .go(book: "", opens: false, page: nil)
      case .arrange: .arrange(Arrangement())
      case .lay: .lay(.toggle)
      case .zoomStep: .zoomStep(factor: nil, at: point)
      case .persona: .persona(Persona())
      case .ack: .ack(Ack(frame: 0, lateness: 0, syncError: 0, roundTrip: 0))
      case .point: .point(at: nil)
      case .raise: .raise(false)
      case .wander: .wander(false)
      case .handover: .handover(.ask)
      case .share: .share
      case .settings: .settings(RoomSettings())
      case .renewLinks: .renewLinks
      case .endReading: .endReading
      case .showOut: .showOut(0)
      case .grant: .grant(0, .follow)
      case .record: .record(false)
      case .open: .open(recording: "")
      case .play: .play(.pause)
      case .bring: .bring(book: nil)
      case .lowerHand: .lowerHand(0)
      case .fit: .fit(Fit(.whole))
      }
  }

  /// Codes the fields after the type and the role.
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> ClientMessage {
    switch self {
    case .hello(let hello): return .hello(try hello.coded(by: &c))
    case .pointers(let pointers): return .pointers(try pointers.coded(by: &c))
    case .wheel(let dx, let dy, let point, let ctrl):
      let (dx, dy) = (try c.coordinate(dx, "dx"), try c.coordinate(dy, "dy"))
      return .wheel(dx: dx, dy: dy, at: try c.point(point), ctrl: try c.flag(ctrl, "ctrl"))
    case .key(let key): return .key(try c.choice(key, "key"))
    case .viewport(let viewport, let reduces):
      let viewport = try c.viewport(viewport)
      let settings: ClientSettings = reduces ? .reducesMotion : []
      let sent = try c.set(settings, "settings", known: .known)
      return .viewport(viewport, reducesMotion: sent.contains(.reducesMotion))
    case .clock(let time): return .clock(clientTime: try c.double(time, "clientTime"))
    case .zoom(let phase, let scale, let point):
      let phase = try c.choice(phase, "phase")
      let least = Double(Float.leastNormalMagnitude)
      let scale = try c.float(scale, "scale", least, WireLimits.zoomScale)
      return .zoom(phase, scale: scale, at: try c.point(point))
    case .visibility(let isVisible): return .visibility(isVisible: try c.flag(isVisible, "visible"))
    case .ready(let ids):
      return .ready(try c.ids(ids, "elements", UInt16.self, limit: WireLimits.readyElements))
    case .jump(let page): return .jump(page: try c.number(page, "page"))
    case .go(let book, let opens, let page):
      let book = try c.string(book, "book", limit: WireLimits.bookIDBytes)
      let opens = try c.flag(opens, "opens")
      let page = try c.number(page ?? .max, "page")
      return .go(book: book, opens: opens, page: page == .max ? nil : page)
    case .arrange(let arrangement): return .arrange(try arrangement.coded(by: &c))
    case .lay(let order): return .lay(try c.choice(order, "pose"))
    case .zoomStep(let factor, let point):
      let most = WireLimits.zoomStep
      let factor = try c.float(factor ?? 0, "factor", 0, most)
      if factor != 0 { _ = try c.within(1 / most, most, factor, "factor") }
      return .zoomStep(factor: factor == 0 ? nil : factor, at: try c.point(point))
    case .persona(let persona): return .persona(try c.persona(persona))
    case .ack(let ack): return .ack(try ack.coded(by: &c))
    case .point(let point):
      guard try c.flag(point != nil, "points") else { return .point(at: nil) }
      return .point(at: try c.point(point ?? Point(x: 0, y: 0)))
    case .raise(let isRaised): return .raise(try c.flag(isRaised, "raised"))
    case .wander(let wanders): return .wander(try c.flag(wanders, "wanders"))
    case .handover(let handover): return .handover(try handover.coded(by: &c))
    case .share, .renewLinks, .endReading: return self
    case .settings(let settings): return .settings(try c.settings(settings))
    case .showOut(let member): return .showOut(try c.number(member, "member"))
    case .grant(let member, let grant):
      return .grant(try c.number(member, "member"), try c.choice(grant, "grant"))
    case .record(let isOn): return .record(try c.flag(isOn, "on"))
    case .open(let recording):
      let limit = WireLimits.recordingIDBytes
      return .open(recording: try c.string(recording, "recording", limit: limit))
    case .play(let order): return .play(try order.coded(by: &c))
    case .bring(let book):
      let book = try c.string(book ?? "", "book", limit: WireLimits.bookIDBytes)
      return .bring(book: book.isEmpty ? nil : book)
    case .lowerHand(let member): return .lowerHand(try c.number(member, "member"))
    case .fit(let fit): return .fit(try fit.coded(by: &c))
    }
  }
}

extension Arrangement {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Arrangement {
    let order = try c.choice(order, "order")
    return Arrangement(
      order: order,
      filter: try c.string(filter, "filter", limit: WireLimits.filterBytes)
    )
  }
}

extension Fit {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Fit {
    let span = try c.choice(span, "span")
    let left = try c.float(words.left, "left", 0, 1)
    let top = try c.float(words.top, "top", 0, 1)
    let right = try c.float(words.right, "right", 0, 1)
    let bottom = try c.float(words.bottom, "bottom", 0, 1)
    return Fit(span, words: Words(left: left, top: top, right: right, bottom: bottom))
  }
}

extension Hello {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Hello {
    let version = try c.number(WireVersion.current, "version")
    // The version is checked first, because the rest of another version may differ.
    try c.check(version == WireVersion.current, .wrongVersion(version))
    let room = try c.string(room, "room")
    try c.check(
      room.isEmpty || Hello.isRoomName(room),
      .badRoomName(String(room.prefix(WireLimits.roomNameBytes)))
    )
    let key = try c.string(key, "key", limit: WireLimits.keyBytes)
    let resume = try c.string(resume, "resume", limit: WireLimits.keyBytes)
    let secret = try c.string(reader, "reader", limit: WireLimits.keyBytes)
    let persona = try c.persona(persona)
    let viewport = try c.viewport(viewport)
    var settings: ClientSettings = reducesMotion ? .reducesMotion : []
    if reportsImages { settings.insert(.reportsImages) }
    if sharesStage { settings.insert(.sharesStage) }
    settings = try c.set(settings, "settings", known: .known)
    return Hello(
      room: room,
      key: key,
      resume: resume,
      reader: secret,
      persona: persona,
      viewport: viewport,
      reducesMotion: settings.contains(.reducesMotion),
      reportsImages: settings.contains(.reportsImages),
      sharesStage: settings.contains(.sharesStage)
    )
  }
}

/// The preferences of a client; an item's number on the wire is that of its bit.
private struct ClientSettings: OptionSet {
  let rawValue: UInt8

  static let reducesMotion = ClientSettings(rawValue: 1)
  static let reportsImages = ClientSettings(rawValue: 2)
  static let sharesStage = ClientSettings(rawValue: 4)
  static let known: ClientSettings = [.reducesMotion, .reportsImages, .sharesStage]
}

extension Pointers {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Pointers {
    var coded = Pointers(target: try c.double(target, "target"))
    let limit = WireLimits.pointerSamples
    let count = try c.count(samples.count, "samples", UInt8.self, limit: limit, bytesEach: 12)
    var samples = samples.makeIterator()
    for _ in 0..<count {
      let sample = samples.next() ?? PointerSample(id: 0, phase: .down, x: 0, y: 0)
      coded.samples.append(try sample.coded(by: &c))
    }
    return coded
  }
}

extension PointerSample {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> PointerSample {
    let (id, phase) = (try c.number(id, "pointerId"), try c.choice(phase, "phase"))
    let units = ageSeconds * 10_000 + 0.5
    let age = try c.number(units > 0 ? UInt16(min(units, 65_535)) : 0, "age")
    let point = try c.point(Point(x: x, y: y))
    return PointerSample(
      id: id,
      phase: phase,
      ageSeconds: Double(age) / 10_000,
      x: point.x,
      y: point.y
    )
  }
}

extension Ack {
  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Ack {
    let most = WireLimits.seconds
    return try Ack(
      frame: c.number(frame, "frame"),
      lateness: c.float(lateness, "lateness", -most, most),
      syncError: c.float(syncError, "syncError", 0, most),
      roundTrip: c.float(roundTrip, "roundTrip", 0, most)
    )
  }
}

extension Handover {
  /// The byte of the action on the wire, and the member that it names.
  private var parts: (type: UInt8, member: UInt32) {
    switch self {
    case .ask: (0, 0)
    case .withdraw: (1, 0)
    case .offer(let member): (2, member)
    case .accept: (3, 0)
    case .decline: (4, 0)
    case .refuse(let member): (5, member)
    case .take: (6, 0)
    case .layDown: (7, 0)
    }
  }

  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> Handover {
    let type = try c.number(parts.type, "handover")
    switch type {
    case 0: return .ask
    case 1: return .withdraw
    case 2: return .offer(try c.number(parts.member, "member"))
    case 3: return .accept
    case 4: return .decline
    case 5: return .refuse(try c.number(parts.member, "member"))
    case 6: return .take
    case 7: return .layDown
    default: throw .bytes(.unknownValue(field: "handover", value: type))
    }
  }
}

extension PlaybackOrder {
  /// The byte of the order on the wire, and the position that it names.
  private var parts: (type: UInt8, seconds: Double) {
    switch self {
    case .pause: (0, 0)
    case .play: (1, 0)
    case .seek(let seconds): (2, seconds)
    case .close: (3, 0)
    }
  }

  fileprivate func coded(by c: inout WireCoder) throws(WireError) -> PlaybackOrder {
    let type = try c.number(parts.type, "order")
    switch type {
    case 0: return .pause
    case 1: return .play
    case 2: return .seek(try c.double(parts.seconds, "seconds"))
    case 3: return .close
    default: throw .bytes(.unknownValue(field: "order", value: type))
    }
  }
}
